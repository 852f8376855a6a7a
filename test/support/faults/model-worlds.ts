import type { KubernetesKind, ObjectReference } from "../../../provider/kubernetes/object";
import { defaultGroup, kindsOf } from "../../../provider/models/deployment/kinds";
import { objectBucketClaimKind } from "../../../provider/models/objectbucket/kinds";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { kinds as february } from "../../integration/kubernetes/cosi-2020-02/february";
import { kinds as july } from "../../integration/kubernetes/cosi-2020-07/july";
import { FebruaryWorld } from "../cosi-2020-02/february-world";
import { ProposalWorld } from "../cosi-2020-07/proposal-world";
import { RequestWorld } from "../deployment/request-world";
import { ClaimWorld as ObjectBucketWorld } from "../objectbucket/claim-world";
import { ClaimWorld } from "./claim-world";
import type { SmallStack } from "./small-stack";

/** A stack of a program, and where its objects are. */
export interface Made {
  readonly stack: SmallStack;
  readonly namespace: string;
}

/** What the worlds of all API models have. */
export interface World {
  readonly driver: {
    readonly buckets: { readonly size: number };
    readonly accounts: { readonly size: number };
    rpcs(): readonly string[];
    forget(): void;
  };
  make(): Promise<Made>;
  reset(): void;
  stop(): Promise<void>;
  assertNothingLeft(made: Made): Promise<void>;
}

/** An object whose marks tell whose a bucket or an account is. */
export interface MarkedObject {
  readonly kind: KubernetesKind;
  /** @default that of an object of the cluster, which the state tells */
  readonly name?: string;
  /** Resource at which a destroy stops that may not take it. */
  readonly stopsAt: string;
  /** RPCs of the destroy that come before. */
  readonly sent: readonly string[];
}

/** Where an object of a stack is, in a namespace or by the name that its state tells. */
export function referenceOf(
  { nameInCluster }: ModelWorld,
  made: Made,
  { name }: MarkedObject,
): ObjectReference {
  if (name !== undefined) return { namespace: made.namespace, name };
  const found = nameInCluster?.(made.stack);
  if (found === undefined) throw new Error("the state does not tell the name");
  return { name: found };
}

/** An API model: a program of it with a bucket under policy Delete and an account, and its objects. */
export interface ModelWorld {
  readonly model: string;
  readonly start: () => Promise<World>;
  readonly objects: readonly MarkedObject[];
  /** Name of the cluster's object, by what the state has. */
  readonly nameInCluster?: (stack: SmallStack) => string;
  /** Resources with a provider of ours that go only after one that asks for the marks. */
  readonly unasked: readonly string[];
}

const deployment = kindsOf(defaultGroup);

/** A world with a way to make a stack that is the same for all. */
function worldOf<Stack extends Made>(
  known: Omit<World, "make" | "assertNothingLeft"> & { assertNothingLeft(made: Stack): Promise<void> },
  make: () => Promise<Stack>,
): World {
  const stacks = new Map<Made, Stack>();
  return {
    driver: known.driver,
    make: async () => {
      const made = await make();
      stacks.set(made, made);
      return made;
    },
    reset: () => {
      known.reset();
    },
    stop: () => known.stop(),
    assertNothingLeft: async (made) => {
      const stack = stacks.get(made);
      if (stack === undefined) throw new Error("this stack is another world's");
      await known.assertNothingLeft(stack);
    },
  };
}

/** Every API model with objects that somebody else may have marked. */
export const modelWorlds: readonly ModelWorld[] = [
  {
    model: "objectstorage.k8s.io/v1alpha1",
    start: async () => {
      const started = await ClaimWorld.start();
      return worldOf(started, () => started.stack());
    },
    objects: [
      { kind: bucketAccessKind, name: "rw", stopsAt: "Secret", sent: [] },
      { kind: bucketKind, stopsAt: "bucket", sent: ["revoke"] },
      { kind: bucketClaimKind, name: "photos", stopsAt: "bucket", sent: ["revoke"] },
    ],
    nameInCluster: (stack) => String(stack.outputs("binding")["bucketName"]),
    unasked: [],
  },
  {
    model: "Deployment Interface",
    start: async () => {
      const started = await RequestWorld.start();
      return worldOf(started, () => started.stack("greenfield"));
    },
    objects: [
      { kind: deployment.deploymentAccess, name: "rw", stopsAt: "Secret", sent: [] },
      { kind: deployment.deployment, stopsAt: "deployment", sent: ["revoke"] },
      { kind: deployment.deploymentRequest, name: "orders", stopsAt: "deployment", sent: ["revoke"] },
    ],
    nameInCluster: (stack) => String(stack.outputs("binding")["deploymentName"]),
    unasked: [],
  },
  {
    model: "COSI proposal of 2020-07-08",
    start: async () => {
      const started = await ProposalWorld.start();
      return worldOf(started, () => started.stack());
    },
    objects: [
      { kind: july.bucketAccessRequest, name: "web", stopsAt: "binding", sent: [] },
      { kind: july.bucketRequest, name: "photos", stopsAt: "bucket", sent: ["revoke"] },
    ],
    unasked: ["source", "copy"],
  },
  {
    model: "COSI proposal of 2020-02-27",
    start: async () => {
      const started = await FebruaryWorld.start();
      return worldOf(started, () => started.stack("greenfield"));
    },
    objects: [{ kind: february.bucket, name: "photos", stopsAt: "binding", sent: [] }],
    unasked: [],
  },
  {
    model: "objectbucket.io/v1alpha1",
    start: async () => {
      const started = await ObjectBucketWorld.start();
      return worldOf(started, () => started.stack("greenfield"));
    },
    objects: [{ kind: objectBucketClaimKind, name: "photos", stopsAt: "binding", sent: [] }],
    unasked: ["secret", "configMap"],
  },
];
