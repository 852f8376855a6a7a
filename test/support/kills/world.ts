import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { makeFolders, startDriver, type Folders } from "../../drivers/s3/support/driver-process";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { Cluster } from "../end-to-end/cluster";
import { OwnTemporaryFolder } from "../end-to-end/leftovers";
import { quickProgram } from "../end-to-end/program";
import { s3DriverEnvironment } from "../end-to-end/s3-driver-environment";
import { ApiProxy } from "../faults/api-proxy";
import { RpcProxy } from "../faults/rpc-proxy";
import { Stack } from "../stack";

type RunningDriver = Awaited<ReturnType<typeof startDriver>>;

/** A real store, a real API server and our driver as a process, with networks between in which a test acts. */
export class World {
  #count = 0;
  #driver: RunningDriver | undefined;

  private constructor(
    readonly store: Store,
    readonly admin: StoreAdmin,
    readonly cluster: Cluster,
    readonly temporary: OwnTemporaryFolder,
    readonly api: ApiProxy,
    readonly rpc: RpcProxy,
    private readonly folders: Folders,
  ) {}

  static async start(): Promise<World> {
    const [store, cluster, temporary] = await Promise.all([
      startStore(),
      Cluster.start({ controllerManager: false }),
      OwnTemporaryFolder.create(),
    ]);
    const folders = makeFolders();
    const api = await ApiProxy.start(cluster.plane, temporary.path);
    const rpc = await new RpcProxy(`unix://${folders.socket}`).start();
    const world = new World(store, new StoreAdmin(store), cluster, temporary, api, rpc, folders);
    await world.startDriver();
    await cluster.installDefinitions();
    return world;
  }

  /** Starts the driver, again after {@link killDriver}. */
  async startDriver(): Promise<void> {
    this.#driver = await startDriver(this.folders.socket, {
      workFolder: this.folders.workFolder,
      env: s3DriverEnvironment(this.store),
    });
  }

  async killDriver(): Promise<void> {
    const running = this.#driver;
    this.#driver = undefined;
    running?.client.close();
    await running?.driver.stop("SIGKILL");
  }

  /** A stack of one claim with one access in a namespace of its own. */
  async stack(): Promise<{ stack: Stack; namespace: string }> {
    this.#count += 1;
    const namespace = `kill-${this.#count}`;
    await this.cluster.createNamespace(namespace);
    const variables = { ...this.temporary.variables, ...quickProgram, KUBECONFIG: this.api.kubeconfig };
    const stack = await Stack.create({ source: programOf(namespace, this.rpc.endpoint) }, variables);
    return { stack, namespace };
  }

  /** Lets everything pass again. */
  calm(): void {
    this.rpc.at = () => undefined;
    this.api.at = () => undefined;
  }

  async stop(): Promise<void> {
    this.calm();
    this.rpc.stop();
    await this.killDriver();
    this.folders.remove();
    await this.api.stop();
    await this.admin.cleanUp();
    await Promise.all([this.store.stop(), this.cluster.stop()]);
    await this.temporary.remove();
  }
}

function programOf(namespace: string, endpoint: string): string {
  return `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)}, firstRetryDelayMilliseconds: 50 });
const gold = new cosi.objectstorage.BucketClass("gold", {
  driver, name: "gold-${namespace}", deletionPolicy: "Delete",
});
const keys = new cosi.objectstorage.BucketAccessClass("keys", {
  driver, name: "keys-${namespace}", authenticationType: "Key",
});
const photos = new cosi.objectstorage.BucketClaim("photos", {
  namespace: "${namespace}", bucketClass: gold, protocols: ["S3"],
});
new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace: "${namespace}", bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
});
`;
}
