import assert from "node:assert/strict";
import type { KubernetesKind } from "../../../provider/kubernetes/object";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { ClaimWorld, type ClaimStack } from "../../support/faults/claim-world";
import { withPolicy } from "../../support/faults/mutating-policy";
import { assertEnded } from "../../support/faults/small-stack";
import type { Rpc } from "../../support/workflows/storing-driver";

interface Taken {
  readonly kind: KubernetesKind;
  /** An annotation; without it the finalizers. */
  readonly annotation?: string;
  readonly command: "up" | "destroy";
  readonly stopsAt: string;
  readonly sent: readonly Rpc[];
  /** What the message says is lost. */
  readonly lost: RegExp;
}

const cases: readonly Taken[] = [
  {
    kind: bucketClaimKind,
    command: "up",
    stopsAt: "binding",
    sent: [],
    lost: /^BucketClaim \S+\/photos was written, but without its finalizer \S+claim-protection: /,
  },
  {
    kind: bucketKind,
    command: "up",
    stopsAt: "binding",
    sent: [],
    lost: /^Bucket bucket-\S+ was written, but without its finalizer \S+\/bucket-protection: /,
  },
  {
    kind: bucketKind,
    annotation: "pulumi-cosi/owner",
    command: "up",
    stopsAt: "binding",
    sent: [],
    lost: /^Bucket bucket-\S+ was written, but without its annotation pulumi-cosi\/owner: /,
  },
  {
    kind: bucketKind,
    annotation: "pulumi-cosi/create-sent",
    command: "up",
    stopsAt: "bucket",
    sent: [],
    lost: /Bucket bucket-\S+ was written, but without its annotation pulumi-cosi\/create-sent: /,
  },
  {
    kind: bucketAccessKind,
    command: "up",
    stopsAt: "access",
    sent: ["create"],
    lost: /BucketAccess \S+\/rw was written, but without its finalizer \S+bucketaccess-protection: /,
  },
  {
    kind: bucketAccessKind,
    annotation: "pulumi-cosi/revoke-sent",
    command: "destroy",
    stopsAt: "access",
    sent: [],
    lost: /BucketAccess \S+\/rw was written, but without its annotation pulumi-cosi\/revoke-sent: /,
  },
];

describe("a mutating admission policy that takes off what we put on (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(180_000);
  let world: ClaimWorld;

  before(async () => {
    world = await ClaimWorld.start();
  });

  after(() => world.stop());

  beforeEach(() => {
    world.reset();
  });

  for (const taken of cases) {
    const { kind, annotation, command, stopsAt, sent, lost } = taken;
    const what = annotation === undefined ? "finalizers" : `the annotation ${annotation}`;
    it(`stops ${command} before the call, where it takes ${what} off a ${kind.kind}`, async () => {
      const claim = await world.stack();
      if (command === "destroy") assertEnded(await claim.stack.up());
      world.driver.forget();
      await takingOff(claim, taken, async () => {
        const { stoppedAt, message } = await claim.stack[command]();
        assert.equal(stoppedAt, stopsAt, message);
        assert.match(message, lost);
        assert.match(message, /as a mutating admission policy does; .* Next: exempt it in that policy \(/);
        assert.deepEqual(world.driver.rpcs(), sent);
      });
      if (command === "up") assertEnded(await claim.stack.up());
      assertEnded(await claim.stack.destroy());
      await world.assertNothingLeft(claim);
      assert.deepEqual(await bucketsOf(claim), []);
    });
  }

  async function bucketsOf({ namespace }: ClaimStack): Promise<string[]> {
    const buckets = await world.cluster.client.list(bucketKind);
    return buckets.map((bucket) => JSON.stringify(bucket)).filter((text) => text.includes(namespace));
  }

  /** The policy concerns objects of the stack's namespace alone. */
  async function takingOff(
    { namespace }: ClaimStack,
    { kind, annotation }: Taken,
    during: () => Promise<void>,
  ): Promise<void> {
    const isOfCluster = kind === bucketKind;
    const whose = isOfCluster ? "object.spec.bucketClaim.namespace" : "object.metadata.namespace";
    const part = annotation === undefined ? "finalizers" : "annotations";
    const key = annotation ?? "example.com/probe";
    const has = [
      `has(object.metadata.${part})`,
      ...(annotation === undefined ? [] : [`"${annotation}" in object.metadata.annotations`]),
    ].join(" && ");
    const pointer = `/metadata/${part}${annotation === undefined ? "" : `/${annotation.replace("/", "~1")}`}`;
    const probe = {
      metadata: {
        name: "probe",
        ...(isOfCluster ? {} : { namespace }),
        annotations: { [key]: "x" },
        finalizers: ["example.com/probe"],
      },
      spec: specOf(kind, namespace),
    };
    const heeded = async (): Promise<boolean> => {
      const { metadata } = await world.cluster.client.create(kind, probe, { dryRun: true });
      const values = annotation === undefined ? metadata.finalizers : metadata.annotations?.[key];
      return values === undefined || values.length === 0;
    };
    const where = `${whose} == "${namespace}"`;
    await withPolicy(world.cluster, { kind, where, has, pointer }, heeded, during);
  }
});

function specOf(kind: KubernetesKind, namespace: string): object {
  if (kind === bucketClaimKind) return { bucketClassName: "gold", protocols: ["S3"] };
  if (kind === bucketAccessKind) {
    return { bucketClaimName: "probe", bucketAccessClassName: "keys", credentialsSecretName: "probe" };
  }
  const bucketClaim = { namespace, name: "probe", uid: "probe" };
  return {
    driverName: "cosi.example.com",
    bucketClassName: "gold",
    deletionPolicy: "Delete",
    protocols: ["S3"],
    bucketClaim,
  };
}
