import assert from "node:assert/strict";
import { lifeCycleOf } from "../../../cli/graph/build-life-cycle";
import { deleteSteps } from "../../../cli/graph/delete-order";
import type { LifeCycle } from "../../../cli/graph/life-cycle";
import { readResources } from "../../../cli/graph/read-resources";
import type { GraphResource } from "../../../cli/graph/resource";
import { Workflow } from "../../support/workflows/workflow";

const program = `
const claim = (name: string, more: object = {}) =>
  new cosi.objectstorage.BucketClaim(name, { namespace, bucketClass: gold, protocols: ["S3"], ...more });
const access = (name: string, bucketClaim: cosi.objectstorage.BucketClaim) =>
  new cosi.objectstorage.BucketAccess(name, {
    namespace, bucketClaim, bucketAccessClass: keys, credentialsSecretName: name + "-creds",
  });
const photos = claim("photos");
access("photos-rw", photos);
access("photos-ro", photos);
access("kept-rw", claim("kept", { deletionPolicy: "Retain" }));
const bare = new cosi.Bucket("bare", { driver, deletionPolicy: "Delete", protectData: false });
new cosi.BucketAccess("bare-rw", { bucket: bare });
new cosi.Bucket("theirs", { driver, existingBucketId: "company-archive" });
new cosi.Bucket("option", { driver, deletionPolicy: "Delete" }, { retainOnDelete: true });
`;

/** A call as the trace has it; what the CLI repeats at its end is left out. */
const traced =
  /^ {4}pulumi:pulumi:Stack .* rpc \S+\/Driver(Revoke|Delete)Bucket(?:Access)? OK .*?(\{.*?\})/gm;

describe("the order of a destroy as a picture tells it, against a real one", function () {
  this.timeout(600_000);
  let flow: Workflow;
  let resources: readonly GraphResource[];
  let cycle: LifeCycle;
  let said: string;

  before(async () => {
    flow = await Workflow.start();
    const stack = await flow.stack(flow.programHead() + program);
    await stack.up();
    resources = readResources((await stack.state()).text, "the state");
    cycle = lifeCycleOf(resources);
    said = await stack.destroy({ PULUMI_COSI_TRACE: "1" });
  });
  after(() => flow.stop());

  it("names every account that is revoked and every bucket that is deleted, in the step of its call", () => {
    const expected = cycle.nodes.flatMap(({ kind, name, account, ending }) => {
      const isCall = ending?.effect === "revokes" || ending?.effect === "deletes-data";
      const verb = kind === "bucket" ? "Delete" : "Revoke";
      return isCall ? [{ call: `${verb} ${account ?? name}`, step: ending.step }] : [];
    });
    const steps = new Map(expected.map(({ call, step }) => [call, step]));
    const calls = [...said.matchAll(traced)].map(([, verb = "", sent = "{}"]) => {
      const { bucketId, accountId } = JSON.parse(sent) as { bucketId: string; accountId?: string };
      return `${verb} ${accountId ?? bucketId}`;
    });
    assert.deepEqual(calls.toSorted(), [...steps.keys()].sort());
    assert.equal(calls.length, 6);
    const order = calls.map((call) => steps.get(call) ?? 0);
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
    );
    assert.ok(new Set(order).size >= 3, `all calls are of the steps ${order.join()}`);
  });

  it("has the engine's own order for every resource, those that are internal among them", () => {
    const steps = deleteSteps(resources);
    const nameOf = ({ type, name }: Pick<GraphResource, "type" | "name">): string => `${type} ${name}`;
    const byName = Map.groupBy(resources, nameOf);
    const begun = new Set([...said.matchAll(/^ - {2}(\S+ \S+) deleting /gm)].map(([, name = ""]) => name));
    // A name that two resources have under different parents tells nothing.
    const order = [...begun].flatMap((name) => {
      const [only, ...others] = byName.get(name) ?? [];
      return only === undefined || others.length > 0 ? [] : [steps.get(only.urn) ?? 0];
    });
    assert.ok(order.length > 20, `only ${order.length} deletes were seen`);
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
    );
  });
});
