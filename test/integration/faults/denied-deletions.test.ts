import assert from "node:assert/strict";
import type { KubernetesKind } from "../../../provider/kubernetes/object";
import { defaultGroup, kindsOf } from "../../../provider/models/deployment/kinds";
import { objectBucketClaimKind } from "../../../provider/models/objectbucket/kinds";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { FebruaryWorld } from "../../support/cosi-2020-02/february-world";
import { ProposalWorld } from "../../support/cosi-2020-07/proposal-world";
import { RequestWorld } from "../../support/deployment/request-world";
import { ClaimWorld } from "../../support/faults/claim-world";
import { deniedText, deny } from "../../support/faults/denying-policy";
import { assertEnded, type SmallStack } from "../../support/faults/small-stack";
import { ClaimWorld as ObjectBucketWorld } from "../../support/objectbucket/claim-world";
import { cluster } from "../kubernetes/cluster";
import { kinds as february } from "../kubernetes/cosi-2020-02/february";
import { kinds as july } from "../kubernetes/cosi-2020-07/july";

interface Made {
  readonly stack: SmallStack;
  readonly namespace: string;
}

/** What the worlds of all API models have. */
interface World<Stack extends Made> {
  readonly driver: {
    readonly buckets: { readonly size: number };
    readonly accounts: { readonly size: number };
    rpcs(): readonly string[];
    forget(): void;
  };
  reset(): void;
  stop(): Promise<void>;
  assertNothingLeft(made: Stack): Promise<void>;
}

/** An object whose deletion a policy denies. */
interface Denied {
  readonly kind: KubernetesKind;
  /** @default that of an object of the cluster, which the state tells */
  readonly name?: string;
  /** Resource at which a destroy stops. */
  readonly stopsAt: string;
  /** RPCs of the destroy that come before it. */
  readonly sent: readonly string[];
}

const deployment = kindsOf(defaultGroup);

describeModel(
  "objectstorage.k8s.io/v1alpha1",
  () => ClaimWorld.start(),
  (world) => world.stack(),
  [
    { kind: bucketAccessKind, name: "rw", stopsAt: "access", sent: [] },
    { kind: bucketKind, stopsAt: "bucket", sent: ["revoke"] },
    { kind: bucketClaimKind, name: "photos", stopsAt: "bucket", sent: ["revoke"] },
  ],
);

describeModel(
  "Deployment Interface",
  () => RequestWorld.start(),
  (world) => world.stack("greenfield"),
  [
    { kind: deployment.deploymentAccess, name: "rw", stopsAt: "access", sent: [] },
    { kind: deployment.deploymentRequest, name: "orders", stopsAt: "deployment", sent: ["revoke"] },
  ],
);

describeModel(
  "COSI proposal of 2020-07-08",
  () => ProposalWorld.start(),
  (world) => world.stack(),
  [
    { kind: july.bucketAccessRequest, name: "web", stopsAt: "access", sent: [] },
    { kind: july.bucketRequest, name: "photos", stopsAt: "bucket", sent: ["revoke"] },
  ],
);

describeModel(
  "COSI proposal of 2020-02-27",
  () => FebruaryWorld.start(),
  (world) => world.stack("greenfield"),
  [{ kind: february.bucket, name: "photos", stopsAt: "bucket", sent: [] }],
);

describeModel(
  "objectbucket.io/v1alpha1",
  () => ObjectBucketWorld.start(),
  (world) => world.stack("greenfield"),
  [{ kind: objectBucketClaimKind, name: "photos", stopsAt: "access", sent: [] }],
);

function describeModel<Stack extends Made, Of extends World<Stack>>(
  model: string,
  start: () => Promise<Of>,
  makeStack: (world: Of) => Promise<Stack>,
  denied: readonly Denied[],
): void {
  describe(`a policy that denies deletions (${model})`, function () {
    this.timeout(180_000);
    let world: Of;

    before(async () => {
      world = await start();
    });

    after(() => world.stop());

    beforeEach(() => {
      world.reset();
    });

    for (const { kind, name, stopsAt, sent } of denied) {
      it(`of a ${kind.kind}: a destroy stops before the call, nothing is lost, and it ends without the policy`, async () => {
        const made = await makeStack(world);
        const { stack, namespace } = made;
        assertEnded(await stack.up());
        const { buckets, accounts } = world.driver;
        const before = [buckets.size, accounts.size - (sent.includes("revoke") ? 1 : 0)];
        world.driver.forget();
        const reference =
          name === undefined ? { name: String(stack.outputs("binding")["bucketName"]) } : { namespace, name };
        const { client } = await cluster();
        const lift = await deny(client, "DELETE", kind, reference);
        try {
          const { stoppedAt, message } = await stack.destroy();
          assert.equal(stoppedAt, stopsAt, message);
          assert.match(message, /^no call was sent for it, .*: delete \S+ \S+: 403 Forbidden: /);
          assert.ok(message.includes(`delete ${kind.kind} `) && message.includes(deniedText), message);
          assert.match(message, /Next: .*satisfy the policy that denies it, then run the command again\.$/);
          assert.deepEqual(world.driver.rpcs(), sent);
          assert.deepEqual([buckets.size, accounts.size], before);
          const kept = await client.get(kind, reference);
          assert.equal(kept?.metadata.deletionTimestamp, undefined);
        } finally {
          await lift();
        }
        assertEnded(await stack.destroy());
        await world.assertNothingLeft(made);
      });
    }
  });
}
