import assert from "node:assert/strict";
import * as fs from "node:fs";
import { provider as deploymentProvider } from "../../../provider/deployment/provider";
import { provider as accessProvider } from "../../../provider/deployment-access/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { isRecord } from "../../../provider/dynamic/values";
import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import { decoded } from "../../../provider/kubernetes/data-object-form";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import { secretForm } from "../../../provider/kubernetes/secret-object";
import { defaultGroup, finalizers, kindsOf, modelNameOf } from "../../../provider/models/deployment/kinds";
import { accountPrefix } from "../../../provider/models/deployment/names";
import { provider as bindingProvider } from "../../../provider/models/deployment/request-binding";
import { cluster, newNamespace, stackId, type Cluster } from "../../integration/kubernetes/cluster";
import { owner } from "../../integration/kubernetes/objects";
import { contractsUnderTest } from "../contracts-under-test";
import { driverName } from "../cosi-v1alpha1";
import { FakeDriver } from "../fake-driver";
import type { ApiProxy } from "../faults/api-proxy";
import { ClusterProxy } from "../faults/cluster-proxy";
import { programObject } from "../faults/program-object";
import { RequestDeadlines } from "../faults/request-deadlines";
import { assertEnded, SmallStack, type ProgramResource } from "../faults/small-stack";
import type { Properties } from "../lifecycle";
import { quickSettings } from "../settings";
import { StoringDriver, type Rpc } from "../workflows/storing-driver";

/** How a request comes to its deployment, with the calls of each command. */
export const requestCases = {
  greenfield: { up: ["create", "grant"], destroy: ["revoke", "delete"] },
  static: { up: ["grant"], destroy: ["revoke"] },
} as const satisfies Record<string, Record<RequestCommand, readonly Rpc[]>>;

export type RequestCase = keyof typeof requestCases;

/** What Pulumi is asked to do. */
export type RequestCommand = "up" | "destroy";

/** In their order. */
export const requestCommands: readonly RequestCommand[] = ["up", "destroy"];

/** A stack of a request and an access to it, and where its objects are. */
export interface RequestStack {
  readonly requestCase: RequestCase;
  readonly stack: SmallStack;
  readonly namespace: string;
}

const kinds = kindsOf(defaultGroup);
const model = modelNameOf(defaultGroup);
const requestName = "orders";
const accessName = "rw";
const secretName = "rw-creds";

/** What the backend has before the program of a static case. */
const existingId = "ledger-2019";

/**
 * A driver that keeps what it makes, a real API server, and a network before the API server, in which a test acts. Programs
 * have the resources of the components of platform.plural.sh/v1alpha1; the custom resources, which `@pulumi/kubernetes`
 * writes, do not go through that network.
 */
export class RequestWorld {
  readonly #deadlines = new RequestDeadlines();

  private constructor(
    readonly cluster: Cluster,
    readonly driver: StoringDriver,
    private readonly proxy: ClusterProxy,
  ) {}

  static async start(): Promise<RequestWorld> {
    const real = await cluster();
    await definitions.create({ kubernetes: real.target, model, owner });
    const fake = new FakeDriver(contractsUnderTest.deployment.onWire);
    const driver = await new StoringDriver(driverName, fake).start();
    return new RequestWorld(real, driver, await ClusterProxy.start(real));
  }

  get api(): ApiProxy {
    return this.proxy.api;
  }

  async stop(): Promise<void> {
    this.#deadlines.restore();
    await closeConnections();
    this.driver.fake.stop();
    await this.proxy.stop();
  }

  /** A request in a namespace of its own, for a deployment under policy Delete or for a static one, and an access to it. */
  async stack(requestCase: RequestCase): Promise<RequestStack> {
    const namespace = await newNamespace(this.cluster);
    return { requestCase, namespace, stack: new SmallStack(this.#program(requestCase, namespace)) };
  }

  /** A stack to which a command can be applied: for `up` one of nothing. */
  async stackFor(requestCase: RequestCase, command: RequestCommand): Promise<RequestStack> {
    const made = await this.stack(requestCase);
    if (command === "destroy") assertEnded(await made.stack.up());
    return made;
  }

  /** All is as an undisturbed command leaves it. */
  assertDone(made: RequestStack, command: RequestCommand): Promise<void> {
    return command === "up" ? this.assertGranted(made) : this.assertNothingLeft(made);
  }

  /** One deployment, unless it was there before; one login, which state and Secret have; and all objects say so. */
  async assertGranted({ stack, requestCase, namespace }: RequestStack): Promise<void> {
    const { deploymentName } = stack.outputs("binding");
    const made = requestCase === "greenfield" ? [deploymentName] : [];
    assert.deepEqual([...this.driver.buckets.keys()], made);
    const accountId = `${accountPrefix}${String(stack.outputs("DeploymentAccess")["uid"])}`;
    const credentials = credentialsOf(stack.outputs("access"));
    assert.deepEqual([...this.driver.accounts.keys()], [accountId]);
    assert.deepEqual(this.driver.liveKeys(), [credentials["accessKeyID"]]);

    const secret = await this.#object(secretKind, { namespace, name: secretName });
    assert.deepEqual(decoded(secretForm, secret), credentials);
    const deployment = await this.#object(kinds.deployment, { name: String(deploymentName) });
    assert.deepEqual(deployment["status"], { ready: true, deploymentID: made[0] ?? existingId });
    const request = await this.#object(kinds.deploymentRequest, { namespace, name: requestName });
    assert.deepEqual(request["status"], { ready: true, deploymentName });
    const access = await this.#object(kinds.deploymentAccess, { namespace, name: accessName });
    assert.deepEqual(access["status"], { accountID: accountId, accessGranted: true });
    const held = [secret, request, access].map(({ metadata }) => metadata.finalizers);
    assert.deepEqual(held, [[finalizers.secret], [finalizers.claim], [finalizers.access]]);
    assert.deepEqual(
      [...(deployment.metadata.finalizers ?? [])].sort(),
      [finalizers.bucket, finalizers.bucketInUse].sort(),
    );
  }

  /** Neither state nor driver nor namespace has anything left. A custom resource that is held has stopped the run. */
  async assertNothingLeft({ stack, namespace }: RequestStack): Promise<void> {
    assert.deepEqual([...stack.state().keys()], []);
    assert.deepEqual([this.driver.buckets.size, this.driver.accounts.size], [0, 0]);
    assert.deepEqual(await this.cluster.client.list(secretKind, { namespace }), []);
  }

  /** Does not answer before the deadline has passed, which is now. */
  never(): Promise<never> {
    this.#deadlines.pass();
    return new Promise(() => undefined);
  }

  /** Takes back what a test does, and what it left. */
  reset(): void {
    this.api.at = () => undefined;
    this.api.atRead = () => undefined;
    this.driver.forget();
    this.driver.buckets.clear();
    this.driver.accounts.clear();
  }

  async #object(
    kind: KubernetesKind,
    reference: { namespace?: string; name: string },
  ): Promise<KubernetesObject> {
    const found = await this.cluster.client.get(kind, reference);
    return found ?? assert.fail(`there is no ${kind.kind}`);
  }

  #program(requestCase: RequestCase, namespace: string): readonly ProgramResource[] {
    const settings = quickSettings(this.driver.fake.endpoint, "deployment.v1alpha1");
    const kubernetes = { kubeconfig: fs.readFileSync(this.api.kubeconfig, "utf8"), stackId };
    const common = { kubernetes, owner, model };
    const parameters = { tier: "hot" };
    const staticName = `ledger-${namespace}`;
    const isStatic = requestCase === "static";
    type Outputs = (name: string) => Properties;
    const driver = (outputs: Outputs): Properties => ({
      ...settings,
      driverName,
      seed: outputs("driver")["seed"],
    });
    const request = (outputs: Outputs): Properties => ({
      namespace,
      name: requestName,
      uid: outputs("DeploymentRequest")["uid"],
    });
    const deploymentName = (outputs: Outputs): unknown =>
      isStatic ? staticName : outputs("binding")["deploymentName"];
    const deployment = (outputs: Outputs): Properties => ({
      name: deploymentName(outputs),
      uid: isStatic ? outputs("Deployment")["uid"] : outputs("binding")["deploymentUid"],
    });
    const requestResources: readonly ProgramResource[] = [
      programObject(this.cluster, "DeploymentRequest", kinds.deploymentRequest, () => ({
        namespace,
        name: requestName,
        spec: isStatic ? { existingDeploymentName: staticName } : { deploymentClassName: "gold" },
      })),
      {
        name: "binding",
        provider: bindingProvider,
        inputs: (outputs) => ({
          ...common,
          resource: requestName,
          request: request(outputs),
          ...(isStatic
            ? { existingDeploymentName: staticName }
            : {
                deploymentClass: { name: "gold", driverName, deletionPolicy: "Delete", parameters },
                deploymentFields: { deletionPolicy: "Delete" },
              }),
        }),
      },
    ];
    const staticObject = programObject(this.cluster, "Deployment", kinds.deployment, () => ({
      name: staticName,
      spec: {
        driverName,
        deploymentClassName: "gold",
        deletionPolicy: "Retain",
        parameters,
        existingDeploymentID: existingId,
      },
    }));
    const deploymentResources: readonly ProgramResource[] = [
      ...(isStatic ? [staticObject] : []),
      {
        name: "deployment",
        provider: deploymentProvider,
        inputs: (outputs) => ({
          driver: driver(outputs),
          logicalName: namespace,
          ...(isStatic
            ? { existingDeploymentId: existingId }
            : { name: deploymentName(outputs), deletionPolicy: "Delete" }),
          deploymentClassName: "gold",
          parameters,
          objects: {
            ...common,
            claim: isStatic ? null : request(outputs),
            bucket: deployment(outputs),
          },
        }),
      },
    ];
    return [
      { name: "driver", provider: driverProvider, inputs: () => ({ ...settings, logicalName: namespace }) },
      // A static Deployment is there before anybody asks for it.
      ...(isStatic
        ? [...deploymentResources, ...requestResources]
        : [...requestResources, ...deploymentResources]),
      programObject(this.cluster, "DeploymentAccess", kinds.deploymentAccess, () => ({
        namespace,
        name: accessName,
        spec: {
          deploymentRequestName: requestName,
          deploymentAccessClassName: "keys",
          credentialsSecretName: secretName,
        },
      })),
      {
        name: "access",
        provider: accessProvider,
        inputs: (outputs) => ({
          driver: driver(outputs),
          logicalName: `${namespace}-rw`,
          name: `${accountPrefix}${String(outputs("DeploymentAccess")["uid"])}`,
          deploymentName: outputs("deployment")["name"],
          deploymentId: outputs("deployment")["deploymentId"],
          deploymentInfo: outputs("deployment")["deploymentInfo"],
          objects: {
            ...common,
            access: { namespace, name: accessName, uid: outputs("DeploymentAccess")["uid"] },
            bucket: deployment(outputs),
            claim: { namespace, name: requestName },
            secretName,
            staticBucket: isStatic,
          },
        }),
      },
      {
        name: "Secret",
        provider: secretProvider,
        inputs: (outputs) => ({
          kubernetes,
          namespace,
          name: secretName,
          owner: {
            apiVersion: kinds.apiVersion,
            kind: kinds.deploymentAccess.kind,
            name: accessName,
            uid: outputs("DeploymentAccess")["uid"],
          },
          data: credentialsOf(outputs("access")),
          finalizer: finalizers.secret,
          model,
          stack: owner,
        }),
      },
    ];
  }
}

/** The one entry of what an account is told. */
function credentialsOf({ credentials }: Properties): Properties {
  const [entry] = Object.values(isRecord(credentials) ? credentials : {});
  return isRecord(entry) ? entry : {};
}
