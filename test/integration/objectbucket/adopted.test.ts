import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { isRecord } from "../../../provider/dynamic/values";
import { configMapKind, secretKind } from "../../../provider/kubernetes/object";
import { provider as adoptedProvider } from "../../../provider/models/objectbucket/adopted-claim";
import { provider as claimProvider } from "../../../provider/models/objectbucket/claim";
import { objectBucketClaimKind, objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { assertEnded } from "../../support/faults/small-stack";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { ClaimBench } from "../../support/objectbucket/claim-bench";
import { claimProgram } from "../../support/objectbucket/claim-program";
import {
  configMapOf,
  obcOf,
  obOf,
  rookClaim,
  secretOf,
  type RookClaim,
} from "../../support/objectbucket/rook-claim";
import { beginRun } from "../../support/run";

describe("a claim that a program would adopt (object bucket claims)", function () {
  this.timeout(180_000);
  let bench: ClaimBench;

  before(async () => {
    bench = await ClaimBench.start();
  });

  beforeEach(async () => {
    bench = await bench.elsewhere();
    bench.workflow.driver.forget();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  it("stays with the stack that has it, whatever this one does", async () => {
    const theirs = bench.stack("photos");
    assertEnded(await theirs.up());
    const before = await bench.objects("photos");
    bench.workflow.driver.forget();
    const ours = bench.stack("photos", {
      inputs: { adopt: true, owner: "organization/other/test", generateBucketName: null },
    });
    const { stoppedAt, message } = await ours.up();
    assert.equal(stoppedAt, "claim");
    assert.match(message, /belongs to the stack organization\/shop\/test.*remove it from that stack's state/);
    assertEnded(await ours.destroy());
    assert.deepEqual(await bench.objects("photos"), before);
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
    assertEnded(await theirs.refresh());
    assertEnded(await theirs.up());
    assert.deepEqual(bench.workflow.driver.rpcs(), []);
  });

  /**
   * Puts a claim there as its operator has it.
   *
   * @param ssl What the ConfigMap says of TLS; most operators say nothing.
   * @param ofObjectBucket What the ObjectBucket says otherwise.
   */
  async function putClaim(
    changes: Partial<RookClaim>,
    ssl?: string,
    ofObjectBucket: Partial<RookClaim> = {},
  ): Promise<RookClaim> {
    const { client } = bench.workflow.cluster;
    const known = { ...rookClaim, namespace: bench.namespace, ...changes };
    const { metadata } = await client.create(objectBucketClaimKind, obcOf({ ...known, uid: "" }));
    const made = { ...known, uid: metadata.uid ?? "" };
    await client.create(secretKind, secretOf(made));
    const configMap = configMapOf(made);
    const told = isRecord(configMap["data"]) ? configMap["data"] : {};
    const data = { ...told, ...(ssl === undefined ? {} : { S3_BUCKET_SSL: ssl }) };
    await client.create(configMapKind, { ...configMap, data });
    await client.create(objectBucketKind, obOf({ ...made, ...ofObjectBucket }));
    return made;
  }

  for (const [title, port, told, ssl] of [
    ["with TLS where its ConfigMap says so", 8443, "yes", true],
    ["without where its ConfigMap says so", 443, "no", false],
    ["with TLS at the port for it, where nothing is said", 443, undefined, true],
    ["without at any other port, where nothing is said", 8080, undefined, false],
  ] as const) {
    it(`is reached ${title}`, async () => {
      const { namespace, name, uid } = await putClaim({ port }, told);
      const { outputs } = await new Lifecycle(adoptedProvider).create({
        kubernetes: bench.place.target,
        claim: { namespace, name, uid },
        objectBucketName: `obc-${namespace}-${name}`,
        secretName: name,
        configMapName: name,
      });
      const { endpoint } = outputs;
      assert.ok(isRecord(endpoint));
      assert.deepEqual([endpoint["host"], endpoint["port"], endpoint["ssl"]], [rookClaim.host, port, ssl]);
    });
  }

  for (const kind of [secretKind, configMapKind, objectBucketKind]) {
    it(`is not taken while its ${kind.kind} is being deleted, which cannot be taken back`, async () => {
      const { client } = bench.workflow.cluster;
      const { namespace, name, uid } = await putClaim({});
      const objectBucketName = `obc-${namespace}-${name}`;
      const going = kind === objectBucketKind ? { name: objectBucketName } : { namespace, name };
      await client.delete(kind, going);
      const adopted = new Lifecycle(adoptedProvider).create({
        kubernetes: bench.place.target,
        claim: { namespace, name, uid },
        objectBucketName,
        secretName: name,
        configMapName: name,
      });
      const where = new RegExp(`${kind.kind} .*${going.name}.* is being deleted since .*Next: mend that`);
      await assert.rejects(adopted, where);
    });
  }

  for (const [what, bucketName, text] of [
    ["is being deleted", rookClaim.bucketName, /has the ObjectBucket .*, which is being deleted since /],
    ["is of another bucket", "another", /which is of the bucket "another", and the claim of "photos-/],
  ] as const) {
    it(`is not taken where its ObjectBucket ${what}, before anything of it is in the state`, async () => {
      const { client } = bench.workflow.cluster;
      const { name, storageClassName } = await putClaim({}, undefined, { bucketName });
      const reference = { namespace: bench.namespace, name };
      await client.patchStatus(objectBucketClaimKind, reference, { phase: "Bound" });
      const object = { name: `obc-${bench.namespace}-${name}` };
      if (bucketName !== "another") await client.delete(objectBucketKind, object);
      const [claim] = claimProgram(bench.place, name, { inputs: { adopt: true, storageClassName } });
      const inputs = claim?.inputs(
        () => ({}),
        () => "",
      );
      await assert.rejects(new Lifecycle(claimProvider).create(inputs ?? {}), text);
    });
  }

  it("is told of the labels that it does not get, and of none that it has", async () => {
    const { name, storageClassName } = await putClaim({});
    const { client } = bench.workflow.cluster;
    const reference = { namespace: bench.namespace, name };
    await client.patchStatus(objectBucketClaimKind, reference, { phase: "Bound" });
    const taken = async (labels: Properties): Promise<string[]> => {
      const inputs = { adopt: true, storageClassName, labels, annotations: { "example.com/note": "ours" } };
      const [claim] = claimProgram(bench.place, name, { inputs });
      beginRun();
      return printed(() =>
        new Lifecycle(claimProvider).create(
          claim?.inputs(
            () => ({}),
            () => "",
          ) ?? {},
        ),
      );
    };
    assert.deepEqual(await taken({ team: "web" }), []);
    const [line = "", ...others] = await taken({ team: "other", tier: "gold" });
    assert.deepEqual(others, []);
    assert.match(line, /not written: label team, label tier of the program, as adopt leaves/);
  });
});
