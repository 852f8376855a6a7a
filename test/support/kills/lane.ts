import { randomBytes } from "node:crypto";
import { makeFolders, type Folders } from "../../drivers/common/folders";
import type { Cluster } from "../end-to-end/cluster";
import { OwnTemporaryFolder } from "../end-to-end/leftovers";
import { quickProgram } from "../end-to-end/program";
import { ApiProxy } from "../faults/api-proxy";
import { RpcProxy } from "../faults/rpc-proxy";
import { Stack } from "../stack";
import type { Backend, RunningDriver } from "./backend";
import type { Command, Condition } from "./commands";
import { dumpPlace, type Dump } from "./dump";
import { firstChoice, type ProgramChoice, type Subject } from "./subject";

interface Place {
  readonly stack: Stack;
  readonly namespace: string;
  /** `<organization>/<project>/<stack>`. */
  readonly owner: string;
}

/**
 * A program and all that is its own, so that several lanes do not disturb each other: a backend, our driver as a process, a
 * stack, a namespace in the common cluster, and networks between in which a test acts.
 */
export class Lane {
  condition: Condition = "empty";
  #choice = firstChoice;
  #driver: RunningDriver | undefined;
  #place: Place | undefined;

  private constructor(
    readonly subject: Subject,
    readonly temporary: OwnTemporaryFolder,
    readonly api: ApiProxy,
    readonly rpc: RpcProxy,
    private readonly cluster: Cluster,
    private readonly backend: Backend,
    private readonly folders: Folders,
  ) {}

  /** @param cluster Has the definitions. */
  static async start(subject: Subject, cluster: Cluster): Promise<Lane> {
    const [backend, temporary] = await Promise.all([subject.startBackend(), OwnTemporaryFolder.create()]);
    const folders = makeFolders();
    const api = await ApiProxy.start(cluster.plane, temporary.path);
    const rpc = await new RpcProxy(`unix://${folders.socket}`, subject.rpcPaths).start();
    const lane = new Lane(subject, temporary, api, rpc, cluster, backend, folders);
    await lane.startDriver();
    await lane.renew();
    return lane;
  }

  get stack(): Stack {
    return this.#where.stack;
  }

  /** Starts the driver, unless it runs. */
  async startDriver(): Promise<void> {
    this.#driver ??= await this.backend.startDriver(this.folders);
  }

  async killDriver(): Promise<void> {
    const running = this.#driver;
    this.#driver = undefined;
    running?.client.close();
    await running?.driver.stop("SIGKILL");
  }

  /** Begins with a new stack in new namespaces, whatever became of the last ones. */
  async renew(): Promise<void> {
    const namespace = `kill-${randomBytes(4).toString("hex")}`;
    for (const name of this.subject.namespaces(namespace)) await this.cluster.createNamespace(name);
    await this.#begin(namespace, firstChoice);
    this.condition = "empty";
    await this.backend.ignorePresent();
  }

  /** Begins with a new stack of the same name and program, whose state knows nothing of what is there. */
  loseState(): Promise<void> {
    return this.#begin(this.#where.namespace, this.#choice);
  }

  async #begin(namespace: string, choice: ProgramChoice): Promise<void> {
    await this.#place?.stack.remove();
    const variables = { ...this.temporary.variables, ...quickProgram, KUBECONFIG: this.api.kubeconfig };
    const source = this.subject.programText(namespace, this.rpc.endpoint, choice);
    const stack = await Stack.create({ source }, variables);
    // Objects of the cluster are told by the stack that wrote them.
    await stack.succeed(["stack", "init", namespace]);
    this.#place = { stack, namespace, owner: `organization/program/${namespace}` };
    this.#choice = choice;
  }

  /** Makes the program what a command is to be run with. Where nothing is there, it begins with the first one. */
  prepare({ change = (choice) => choice }: Pick<Command, "change">): void {
    this.#choice = change(this.condition === "empty" ? firstChoice : this.#choice);
    this.stack.write(this.subject.programText(this.#where.namespace, this.rpc.endpoint, this.#choice));
  }

  /** Lets everything pass again, with a driver. */
  async calm(): Promise<void> {
    this.rpc.at = () => undefined;
    this.api.at = () => undefined;
    this.api.atRead = () => undefined;
    await this.startDriver();
  }

  /** All that is there, called the same in every lane. */
  dump(): Promise<Dump> {
    const own = {
      namespace: this.#where.namespace,
      driver: this.rpc.endpoint,
      store: this.backend.address,
    };
    const rename = (text: string): string =>
      Object.entries(own).reduce((renamed, [name, value]) => renamed.replaceAll(value, name), text);
    const { subject, cluster, backend } = this;
    return dumpPlace({ ...this.#where, subject, cluster, backend }, (text) =>
      subject.steady(rename(text), this.#choice),
    );
  }

  async stop(): Promise<void> {
    this.rpc.stop();
    await this.killDriver();
    this.folders.remove();
    await this.api.stop();
    await this.#place?.stack.remove();
    await this.backend.stop();
    await this.temporary.remove();
  }

  /** Ends what runs at once. */
  async abandon(): Promise<void> {
    for (const { pid } of this.temporary.processes()) process.kill(pid, "SIGKILL");
    await this.killDriver();
    await this.backend.stop();
  }

  get #where(): Place {
    if (this.#place === undefined) throw new Error("the lane has no stack");
    return this.#place;
  }
}
