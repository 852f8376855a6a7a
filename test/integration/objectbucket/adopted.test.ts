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

  /** Puts a claim there as its operator has it. @param ssl What the ConfigMap says of TLS; most operators say nothing. */
  async function putClaim(changes: Partial<RookClaim>, ssl?: string): Promise<RookClaim> {
    const { client } = bench.workflow.cluster;
    const known = { ...rookClaim, namespace: bench.namespace, ...changes };
    const { metadata } = await client.create(objectBucketClaimKind, obcOf({ ...known, uid: "" }));
    const made = { ...known, uid: metadata.uid ?? "" };
    await client.create(secretKind, secretOf(made));
    const configMap = configMapOf(made);
    const told = isRecord(configMap["data"]) ? configMap["data"] : {};
    const data = { ...told, ...(ssl === undefined ? {} : { S3_BUCKET_SSL: ssl }) };
    await client.create(configMapKind, { ...configMap, data });
    await client.create(objectBucketKind, obOf(made));
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
