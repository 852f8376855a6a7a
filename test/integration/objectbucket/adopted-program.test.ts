import assert from "node:assert/strict";
import { configMapKind, secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { objectBucketClaimKind, objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { diagnostics } from "../../support/end-to-end/output";
import { ClaimWorkflow } from "../../support/objectbucket/claim-workflow";
import { configMapOf, obcOf, obOf, rookClaim, secretOf } from "../../support/objectbucket/rook-claim";
import type { Stack } from "../../support/stack";

const up = ["up", "--yes", "--skip-preview"];

describe("an adopted claim whose program is edited, by the real CLI (object bucket claims)", function () {
  this.timeout(600_000);
  let workflow: ClaimWorkflow;
  let stack: Stack;

  before(async () => {
    workflow = await ClaimWorkflow.start();
    const { client } = workflow.cluster;
    const known = { ...rookClaim, namespace: workflow.namespace };
    const { metadata } = await client.create(objectBucketClaimKind, obcOf({ ...known, uid: "" }));
    const made = { ...known, uid: metadata.uid ?? "" };
    await client.create(secretKind, secretOf(made));
    await client.create(configMapKind, configMapOf(made));
    const objectBucket = await client.create(objectBucketKind, obOf(made));
    await client.patchStatus(objectBucketKind, objectBucket.metadata, { phase: "Bound" });
    await client.patchStatus(objectBucketClaimKind, metadata, { phase: "Bound" });
    stack = await workflow.stack(program());
    await stack.up();
  });

  after(() => workflow.stop());

  const program = (
    more = "",
    className = rookClaim.storageClassName,
    component = "photos",
  ): string => `${workflow.programHead()}
new objectbucket.ObjectBucketClaim("${component}", {
  name: "photos", namespace, storageClassName: ${JSON.stringify(className)}, driver, bucketName: ${JSON.stringify(rookClaim.bucketName)},
  keySets: ["rook"], additionalConfig: { maxObjects: "1000" }, adopt: true, ${more}
});
`;

  const objects = (): Promise<(KubernetesObject | undefined)[]> => {
    const { client } = workflow.cluster;
    const { namespace } = workflow;
    return Promise.all([
      ...[objectBucketClaimKind, secretKind, configMapKind].map((kind) =>
        client.get(kind, { namespace, name: "photos" }),
      ),
      client.get(objectBucketKind, { name: `obc-${namespace}-photos` }),
    ]);
  };

  /** The command is refused with this text, and all four objects are as they were. */
  async function assertRefused(args: readonly string[], expected: RegExp): Promise<void> {
    const before = await objects();
    assert.ok(before.every((object) => object !== undefined));
    const { code, text } = await stack.run(args);
    assert.notEqual(code, 0);
    assert.match(text.replace(/\s+/g, " "), expected);
    assert.deepEqual(await objects(), before);
  }

  it("is not replaced, in the preview and without one, and the change can be taken back [OBC-075]", async () => {
    stack.write(program("", "renamed"));
    const expected = /would be replaced \(storageClassName\).*Next: take the change back/;
    await assertRefused(["preview"], expected);
    await assertRefused(up, expected);
    stack.write(program());
    await stack.succeed(["preview", "--expect-no-changes"]);
  });

  it("is not replaced where --replace asks for it [OBC-075]", async () => {
    const { resources } = await stack.state();
    const urn = resources.find(({ type }) => type.endsWith("objectbucket:Claim"))?.urn ?? "";
    for (const [command, target] of [
      [["preview"], urn],
      [up, urn],
      [up, "**"],
    ] as const)
      await assertRefused([...command, "--replace", target], /would be replaced \(claim\).*or the --replace/);
    // Of everything, the Driver is replaced before the refusal comes.
    await stack.up();
    await stack.succeed(["preview", "--expect-no-changes"]);
  });

  it("gets no labels, which the preview shows as no change, and says", async () => {
    const before = await objects();
    stack.write(program(`labels: { team: "other" },`));
    const preview = await stack.succeed(["preview", "--expect-no-changes"]);
    assert.match(diagnostics(preview).replace(/\s+/g, " "), /not written: labels and annotations, as adopt/);
    await stack.up();
    assert.deepEqual(await objects(), before);
  });

  it("is told by the region that the program gives, which its operator has not told", async () => {
    stack.write(program(`region: "eu-1", extraKeys: { configMap: { AWS_REGION: "region" } },`));
    await stack.up();
    const [, , configMap] = await objects();
    const { AWS_REGION: region } = configMap?.["data"] as Record<string, string>;
    assert.equal(region, "eu-1");
  });

  it("stays with a component of another name, and is not taken from it by what the former has left [OBC-075]", async () => {
    stack.write(program());
    await stack.up();
    stack.write(program("", rookClaim.storageClassName, "pictures"));
    const expected =
      /was taken over by "cosi:objectbucket:ObjectBucketClaim::photos", and the program has it as "cosi:objectbucket:ObjectBucketClaim::pictures"/;
    await assertRefused(up, expected);
    await assertRefused(up, expected);
    const { resources } = await stack.state();
    const former = resources.find(
      ({ type, urn }) => type.endsWith(":ObjectBucketClaim") && urn.endsWith("::photos"),
    );
    const before = await objects();
    await stack.succeed(["state", "delete", former?.urn ?? "", "--target-dependents", "--yes"]);
    await stack.up();
    await stack.succeed(["preview", "--expect-no-changes"]);
    assert.deepEqual(await objects(), before);
  });

  it("is not made again where it is gone, and goes with the program's entry [OBC-075]", async () => {
    const { client } = workflow.cluster;
    const reference = { namespace: workflow.namespace, name: "photos" };
    await client.patch(objectBucketClaimKind, reference, { metadata: { finalizers: [] } });
    await client.delete(objectBucketClaimKind, reference);
    const { code, text } = await stack.run([...up, "--refresh"]);
    assert.notEqual(code, 0);
    assert.match(
      text.replace(/\s+/g, " "),
      /is gone, or another one has its name.*remove it from the program/,
    );
    stack.write(workflow.programHead());
    await stack.up();
    assert.deepEqual(await objects(), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(workflow.driver.rpcs(), []);
  });
});
