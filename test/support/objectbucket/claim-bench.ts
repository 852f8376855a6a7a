import { isRecord } from "../../../provider/dynamic/values";
import { configMapKind, secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { objectBucketClaimKind, objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import {
  readClaim,
  readObjectBucket,
  type ClaimRecord,
  type ObjectBucketRecord,
} from "../../../provider/models/objectbucket/records";
import { SmallStack } from "../faults/small-stack";
import type { Properties } from "../lifecycle";
import { claimProgram, type ClaimOptions, type ClaimPlace } from "./claim-program";
import { ClaimWorkflow } from "./claim-workflow";

/** Claims of a workflow, each with a state of its own, and what became of them at the API server. */
export class ClaimBench {
  constructor(
    readonly workflow: ClaimWorkflow,
    readonly namespace = workflow.namespace,
  ) {}

  static async start(): Promise<ClaimBench> {
    return new ClaimBench(await ClaimWorkflow.start());
  }

  /** A bench on the same parts, in a namespace of its own. */
  async elsewhere(): Promise<ClaimBench> {
    return new ClaimBench(this.workflow, await this.workflow.otherNamespace());
  }

  get place(): ClaimPlace {
    const { cluster, driver } = this.workflow;
    return { namespace: this.namespace, target: cluster.target, endpoint: driver.fake.endpoint };
  }

  /** A state with nothing in it, for a program of a claim. */
  stack(name: string, options: ClaimOptions = {}): SmallStack {
    return new SmallStack(claimProgram(this.place, name, options));
  }

  /** The program of a state was edited; what is kept stays. */
  edited(stack: SmallStack, name: string, options: ClaimOptions): SmallStack {
    return stack.withProgram(claimProgram(this.place, name, options));
  }

  async claim(name: string): Promise<ClaimRecord | undefined> {
    const found = await this.claimObject(name);
    return found === undefined ? undefined : readClaim(found);
  }

  claimObject(name: string): Promise<KubernetesObject | undefined> {
    return this.#get(objectBucketClaimKind, name);
  }

  async objectBucket(name: string): Promise<ObjectBucketRecord | undefined> {
    const found = await this.objectBucketObject(name);
    return found === undefined ? undefined : readObjectBucket(found);
  }

  objectBucketObject(name: string): Promise<KubernetesObject | undefined> {
    const { namespace } = this;
    const { client } = this.workflow.cluster;
    return client.get(objectBucketKind, { name: objectBucketNameOf({ namespace, name }) });
  }

  secret(name: string): Promise<KubernetesObject | undefined> {
    return this.#get(secretKind, name);
  }

  configMap(name: string): Promise<KubernetesObject | undefined> {
    return this.#get(configMapKind, name);
  }

  /** All four objects of a claim, by their kinds. */
  async objects(name: string): Promise<Record<string, KubernetesObject | undefined>> {
    return {
      claim: await this.claimObject(name),
      objectBucket: await this.objectBucketObject(name),
      secret: await this.secret(name),
      configMap: await this.configMap(name),
    };
  }

  /** Those of the four that are there. */
  async left(name: string): Promise<string[]> {
    const found = Object.entries(await this.objects(name));
    return found.filter(([, object]) => object !== undefined).map(([kind]) => kind);
  }

  #get(kind: typeof secretKind, name: string): Promise<KubernetesObject | undefined> {
    return this.workflow.cluster.client.get(kind, { namespace: this.namespace, name });
  }
}

/** The data of a Secret as plain text. */
export function decodedData(secret: KubernetesObject | undefined): Record<string, string> {
  const data = isRecord(secret?.["data"]) ? secret["data"] : {};
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value), "base64").toString()]),
  );
}

/** `spec` of an object as the server has it. */
export function specOf(object: KubernetesObject | undefined): Properties {
  return (object?.["spec"] ?? {}) as Properties;
}
