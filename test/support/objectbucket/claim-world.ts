import assert from "node:assert/strict";
import * as fs from "node:fs";
import { status } from "@grpc/grpc-js";
import { configMapKeys, keySets, secretKeys } from "../../../components/secrets/object-bucket-keys";
import { closeConnections } from "../../../provider/driver/connections";
import { isRecord } from "../../../provider/dynamic/values";
import { decoded } from "../../../provider/kubernetes/data-object-form";
import { configMapKind, secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { secretForm } from "../../../provider/kubernetes/secret-object";
import { readClaimId } from "../../../provider/models/objectbucket/claim-id";
import { endpointOf } from "../../../provider/models/objectbucket/endpoint";
import {
  finalizer,
  objectBucketClaimKind,
  objectBucketKind,
} from "../../../provider/models/objectbucket/kinds";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import { isOfClaim, readClaim, readObjectBucket } from "../../../provider/models/objectbucket/records";
import { cluster, newNamespace, type Cluster } from "../../integration/kubernetes/cluster";
import { handlerReference, place } from "../cosi-2020-02";
import { StoringHandler } from "../cosi-2020-02/storing-handler";
import type { ApiPoint, ApiProxy, Refusal } from "../faults/api-proxy";
import { ClusterProxy } from "../faults/cluster-proxy";
import { RequestDeadlines } from "../faults/request-deadlines";
import { assertEnded, SmallStack, type ProgramResource, type RunResult } from "../faults/small-stack";
import type { Answer } from "../fake-driver";
import type { Properties } from "../lifecycle";
import { StoringDriver, type Rpc } from "../workflows/storing-driver";
import { claimProgram } from "./claim-program";
import { installObjectBuckets } from "./claim-workflow";

/** How a claim comes to bucket and account, with the calls of each command. */
export const claimCases = {
  greenfield: { up: ["create", "grant"], update: ["create"], destroy: ["revoke", "delete"] },
  brownfield: { up: ["grant"], update: [], destroy: ["revoke"] },
  // By a contract whose buckets come with their account.
  "bucket with account": { up: ["create"], update: [], destroy: ["delete"] },
} as const satisfies Record<string, Record<ClaimCommand, readonly Rpc[]>>;

export type ClaimCase = keyof typeof claimCases;

/** What Pulumi is asked to do; `update` is an `up` of another program. */
export type ClaimCommand = "up" | "update" | "destroy";

/** In their order. */
export const claimCommands: readonly ClaimCommand[] = ["up", "update", "destroy"];

/** What a destroy says of a claim whose bucket or account the state does not know. */
export const unknownBackend =
  /may have a bucket or an account in the backend, which no resource of the state has any more: .*; nothing was deleted\. Next: run `pulumi up` first/;

/** What an update changes: the objects, and what the driver is told of the bucket. */
interface ClaimChoice {
  readonly note: string;
  readonly maxObjects: string;
}

const firstChoice: ClaimChoice = { note: "of the user", maxObjects: "1000" };

/** A stack of a claim, and where its objects are. */
export interface ClaimStack {
  readonly claimCase: ClaimCase;
  readonly namespace: string;
  stack: SmallStack;
  /** What the program says at present. */
  choice: ClaimChoice;
}

const claimName = "photos";

/** The bucket that a brownfield class names. */
const existingBucket = "archive-2019";

/** What a driver of cosi.v1alpha1 tells of a bucket, see {@link StoringDriver}. */
const told = { endpoint: "http://127.0.0.1:9", region: "eu-1" };

/** What a run is told that was killed, and should do no more. */
const neverWritten: Refusal = { code: 403, reason: "Forbidden", message: "whoever asks was killed" };
const neverSent: Answer = { code: status.INVALID_ARGUMENT, message: "whoever asks was killed" };

/** An account that works at a driver. */
interface LiveAccount {
  readonly id: string;
  readonly keys: readonly { readonly accessKeyId: string; readonly secretAccessKey: string }[];
}

/**
 * Drivers that keep what they make, a real API server, and a network before the API server, in which a test acts. All
 * objects of a claim are written by this package, so each request for them goes through that network.
 */
export class ClaimWorld {
  /** Of the contract cosi.v1alpha1; it takes a create of a bucket that is there with other parameters. */
  readonly driver = new StoringDriver();
  /** Of the contract cosi-2020-02. */
  readonly handler = new StoringHandler();
  /** Told of each call as it comes. */
  called: (rpc: Rpc) => void = () => undefined;
  readonly #deadlines = new RequestDeadlines();
  /** Whoever still runs was killed. */
  #isDead = false;

  private constructor(
    readonly cluster: Cluster,
    private readonly proxy: ClusterProxy,
  ) {
    for (const driver of [this.driver, this.handler]) {
      driver.on("received", ({ rpc }) => {
        this.called(rpc);
        return Promise.resolve(this.#isDead ? neverSent : undefined);
      });
    }
    this.driver.on("received", (call) => {
      if (call.rpc === "create" && !this.#isDead) this.driver.buckets.delete(call.request.name);
      return Promise.resolve(undefined);
    });
  }

  static async start(): Promise<ClaimWorld> {
    const real = await cluster();
    await installObjectBuckets(real);
    const world = new ClaimWorld(real, await ClusterProxy.start(real));
    await Promise.all([world.driver.start(), world.handler.start()]);
    return world;
  }

  get api(): ApiProxy {
    return this.proxy.api;
  }

  async stop(): Promise<void> {
    this.#deadlines.restore();
    await closeConnections();
    for (const { fake } of [this.driver, this.handler]) fake.stop();
    await this.proxy.stop();
  }

  /** A claim in a namespace of its own: for a new bucket under policy Delete, or for one that was there before. */
  async stack(claimCase: ClaimCase): Promise<ClaimStack> {
    const namespace = await newNamespace(this.cluster);
    const choice = firstChoice;
    return {
      claimCase,
      namespace,
      choice,
      stack: new SmallStack(this.#program(claimCase, namespace, choice)),
    };
  }

  /** A claim to which a command can be applied: one that is bound, or for `up` none. The program of an update is edited. */
  async claimFor(claimCase: ClaimCase, command: ClaimCommand): Promise<ClaimStack> {
    const made = await this.stack(claimCase);
    if (command !== "up") assertEnded(await made.stack.up());
    if (command === "update") this.edit(made);
    return made;
  }

  /** Runs a command; the program of an update is edited already. */
  run({ stack }: ClaimStack, command: ClaimCommand): Promise<RunResult> {
    return command === "destroy" ? stack.destroy() : stack.up();
  }

  /** Does not answer before the deadline has passed, which is now. */
  never(): Promise<never> {
    this.#deadlines.pass();
    return new Promise(() => undefined);
  }

  /**
   * Runs a command, and ends it as a kill does: what comes after the moment is not done, and the state has what was done before.
   *
   * @throws Error if the moment does not come.
   */
  async kill(made: ClaimStack, command: ClaimCommand, isMoment: (point: ApiPoint) => boolean): Promise<void> {
    let state: SmallStack | undefined;
    this.api.at = (point) => {
      if (state !== undefined) return neverWritten;
      if (!isMoment(point)) return undefined;
      state = made.stack.withProgram(this.#program(made.claimCase, made.namespace, made.choice));
      this.#isDead = true;
      return this.never();
    };
    this.api.atRead = () => (state === undefined ? undefined : this.never());
    await this.run(made, command);
    this.#calm();
    if (state === undefined) throw new Error("the moment of the kill did not come");
    made.stack = state;
  }

  /** The program is edited. @param maxObjects What it says of the bucket. @default other than before, where that is a call */
  edit(made: ClaimStack, maxObjects?: string): void {
    const isSent = claimCases[made.claimCase].update.length > 0;
    const other = isSent ? "2000" : firstChoice.maxObjects;
    made.choice = { note: "of the user, later", maxObjects: maxObjects ?? other };
    made.stack = made.stack.withProgram(this.#program(made.claimCase, made.namespace, made.choice));
  }

  /** Calls of the drivers so far, in their order. */
  rpcs(): Rpc[] {
    return [...this.driver.rpcs(), ...this.handler.rpcs()];
  }

  /** Buckets that the drivers have made and not deleted. */
  buckets(): string[] {
    return [...this.driver.buckets.keys(), ...this.handler.buckets.keys()];
  }

  /** Accounts that work. */
  accounts(): LiveAccount[] {
    const granted = [...this.driver.accounts].map(([id, { keys }]) => ({
      id,
      keys: keys.map((key) => ({ accessKeyId: key, secretAccessKey: `s3cr3t/of+${key}` })),
    }));
    const issued = [...this.handler.accounts].map(([id, { accessKeyId, secretKey }]) => ({
      id,
      keys: [{ accessKeyId, secretAccessKey: secretKey }],
    }));
    return [...granted, ...issued];
  }

  /**
   * One bucket, which is that of the claim, one account with one key, and four objects that are as an undisturbed run leaves
   * them, whatever became of the runs before.
   */
  async assertBound({ stack, claimCase, namespace, choice }: ClaimStack): Promise<void> {
    const { uid, bucket } = readClaimId(stack.id("claim"));
    assert.deepEqual(this.buckets(), claimCase === "brownfield" ? [] : [bucket]);
    const [account, ...others] = this.accounts();
    assert.ok(account !== undefined && others.length === 0, "there is not one account");
    const [keys, ...furtherKeys] = account.keys;
    assert.ok(keys !== undefined && furtherKeys.length === 0, "there is not one key");
    const at = claimCase === "bucket with account" ? place : told;
    const objectBucketName = objectBucketNameOf({ namespace, name: claimName });

    const claim = await this.#object(objectBucketClaimKind, { namespace, name: claimName });
    const { phase, bucketName, objectBucketName: linked, additionalConfig, endSent } = readClaim(claim);
    assert.deepEqual(
      { phase, bucketName, linked, additionalConfig, endSent, marks: marksOf(claim) },
      {
        phase: "Bound",
        bucketName: bucket,
        linked: objectBucketName,
        additionalConfig: { maxObjects: choice.maxObjects },
        endSent: false,
        marks: marksOfCase[claimCase],
      },
    );
    const objectBucket = await this.#object(objectBucketKind, { name: objectBucketName });
    const record = readObjectBucket(objectBucket);
    const { host, port } = endpointOf(at.endpoint);
    assert.deepEqual(
      [record.phase, isOfClaim(record, uid), record.additionalState["cosi.accountID"], record.endpoint],
      ["Bound", true, account.id, { host, port, bucketName: bucket, region: at.region, subRegion: "" }],
    );
    const secret = await this.#object(secretKind, { namespace, name: claimName });
    assert.deepEqual(decoded(secretForm, secret), secretKeys(keySets, keys));
    const configMap = await this.#object(configMapKind, { namespace, name: claimName });
    assert.deepEqual(
      configMap["data"],
      configMapKeys(keySets, {
        endpoint: endpointOf(at.endpoint),
        bucketName: bucket,
        region: at.region,
        subRegion: "",
      }),
    );
    for (const { metadata } of [claim, objectBucket, secret, configMap]) {
      assert.deepEqual([metadata.annotations?.["note"], metadata.finalizers], [choice.note, [finalizer]]);
    }
    for (const { metadata } of [secret, configMap]) {
      assert.deepEqual(
        metadata.ownerReferences?.map((owner) => owner.uid),
        [uid],
      );
    }
  }

  /** What has to be after a command, and nothing is left after a destroy of it. */
  async assertDone(made: ClaimStack, command: ClaimCommand): Promise<void> {
    if (command !== "destroy") {
      await this.assertBound(made);
      assertEnded(await made.stack.destroy());
    }
    await this.assertNothingLeft(made);
  }

  /** Neither state nor drivers nor cluster have anything left. */
  async assertNothingLeft({ stack, namespace }: ClaimStack): Promise<void> {
    assert.deepEqual([...stack.state().keys()], []);
    assert.deepEqual([this.buckets(), this.accounts()], [[], []]);
    const { client } = this.cluster;
    const kinds = [objectBucketClaimKind, secretKind, configMapKind];
    const left = await Promise.all(kinds.map((kind) => client.list(kind, { namespace })));
    assert.deepEqual(
      left.flat().map(({ kind, metadata }) => [kind, metadata.name]),
      [],
    );
    const name = objectBucketNameOf({ namespace, name: claimName });
    assert.equal(await client.get(objectBucketKind, { name }), undefined);
  }

  /** Forgets the calls so far, not what the drivers keep. */
  forget(): void {
    for (const driver of [this.driver, this.handler]) driver.forget();
  }

  /** Takes back what a test does, and what it left. */
  reset(): void {
    this.#calm();
    this.called = () => undefined;
    this.forget();
    for (const driver of [this.driver, this.handler]) {
      driver.buckets.clear();
      driver.accounts.clear();
    }
  }

  #calm(): void {
    this.api.at = () => undefined;
    this.api.atRead = () => undefined;
    this.#isDead = false;
  }

  #program(
    claimCase: ClaimCase,
    namespace: string,
    { note, maxObjects }: ClaimChoice,
  ): readonly ProgramResource[] {
    const withAccount = claimCase === "bucket with account";
    const target = { kubeconfig: fs.readFileSync(this.api.kubeconfig, "utf8") };
    const { endpoint } = withAccount ? this.handler.fake : this.driver.fake;
    const resources = claimProgram({ namespace, target, endpoint }, claimName, {
      ...(claimCase === "brownfield"
        ? { storageClass: { reclaimPolicy: "Retain", parameters: { bucketName: existingBucket } } }
        : {}),
      inputs: { annotations: { note }, additionalConfig: { maxObjects }, configChange: "resend" },
      bucket: { parametersChange: "resend" },
      ...(withAccount ? { driver: handlerReference(endpoint) } : {}),
    });
    return withAccount ? ofBucketWithAccount(resources) : resources;
  }

  async #object(...[kind, reference]: Parameters<Cluster["client"]["get"]>): Promise<KubernetesObject> {
    const found = await this.cluster.client.get(kind, reference);
    return found ?? assert.fail(`there is no ${kind.kind}`);
  }
}

/** A program whose bucket is what an account is else: the access goes, and the bucket tells of it. */
function ofBucketWithAccount(resources: readonly ProgramResource[]): ProgramResource[] {
  return resources
    .filter(({ name }) => name !== "access")
    .map((resource) => ({
      ...resource,
      inputs: (outputs, id) =>
        resource.inputs((name) => (name === "access" ? accountIn(outputs("bucket")) : outputs(name)), id),
    }));
}

/** What came with a bucket, by the names that an access has for it. */
function accountIn({ credentials }: Properties): Properties {
  const told = isRecord(credentials) ? credentials : {};
  const { userName, accessKeyId, secretKey, endpoint, region } = told;
  return { accountId: userName, accessKeyId, accessSecretKey: secretKey, endpoint, region };
}

/** What a claim says of calls: no error, and of no end. */
/** What a claim that is bound is marked with. */
const marksOfCase = {
  greenfield: ["account", "create-sent"],
  // No call is made for a bucket that was there.
  brownfield: ["account"],
  "bucket with account": ["create-sent"],
} satisfies Record<string, readonly string[]>;

function marksOf({ metadata }: KubernetesObject): string[] {
  const { annotations = {} } = metadata;
  const ofCalls = ["account", "create-sent", "end-sent", "revoke-sent", "last-error"];
  return ofCalls.filter((mark) => annotations[`pulumi-cosi/${mark}`] !== undefined);
}
