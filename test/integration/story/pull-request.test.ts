import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Review } from "../../../cli/review/review";
import { secretKind } from "../../../provider/kubernetes/object";
import { reviewOf } from "../../support/ci/review";
import type { Stack } from "../../support/stack";
import { Workflow } from "../../support/workflows/workflow";
import { plainPack, violationsIn, writePolicyPack } from "../policy/policy-pack";
import { shop, type Shop } from "./programs";

// Each step goes on from the one before.
describe("a pull request that would delete the photos of a shop in production", function () {
  this.timeout(600_000);
  let flow: Workflow;
  let stack: Stack;
  let pack: string;
  let photosId: string;

  const program = (choice: Shop): string => {
    const { namespace, driver } = flow;
    const { endpoint } = driver.fake;
    return shop(
      `const [namespace, endpoint] = ${JSON.stringify([namespace, endpoint])} as [string, string];`,
      choice,
    );
  };
  const review = async (...args: readonly string[]): ReturnType<typeof reviewOf> => {
    const { text } = await stack.run(["preview", "--json"]);
    return reviewOf(["-", "--fail-on", "data-loss", ...args], text);
  };
  const production = ["store", "gold", "silver", "photos", "invoices"];
  const exceptPhotos = (): string => {
    const file = path.join(stack.environment.folder, "settings.json");
    const except = ["gold", "silver", "photos"];
    fs.writeFileSync(file, JSON.stringify({ "cosi-no-delete-in-production": { except } }));
    return file;
  };

  before(async () => {
    flow = await Workflow.start();
    stack = await flow.stack(program({ photosClass: "gold", confirmed: false }));
    await stack.succeed(["stack", "tag", "set", "environment", "production"]);
    await stack.up();
    pack = writePolicyPack(path.join(stack.environment.folder, "policy"), plainPack);
    const state = await stack.state();
    const photos = state.resources.find(({ urn }) => urn.endsWith("dynamic/cosi:Bucket::photos"));
    photosId = String(photos?.outputs?.["bucketId"]);
    await flow.restart();
  });
  after(() => flow.stop());

  it("is refused as it is first written: nothing has confirmed that the photos may go", async () => {
    stack.write(program({ photosClass: "silver", confirmed: false }));
    const { code, err } = await review();
    assert.equal(code, 3);
    assert.match(err, /its deletionPolicy Delete would delete its data/);
    assert.match(err, /set protectData to false and run pulumi up before this change/);
  });

  it("has its confirmation merged first, which deletes nothing and lowers the protection", async () => {
    stack.write(program({ photosClass: "gold", confirmed: true }));
    const { code, out } = await review("--json");
    assert.equal(code, 0);
    const { findings } = JSON.parse(out) as Review;
    assert.deepEqual(
      findings.map(({ category, object }) => [category, object]),
      [["protection-lowered", photosId]],
    );
    await stack.up();
    assert.deepEqual(flow.driver.rpcs(), []);
  });

  it("is then caught by the review, which names the bucket, the account and the Secret", async () => {
    stack.write(program({ photosClass: "silver", confirmed: true }));
    const { code, out } = await review();
    assert.equal(code, 1);
    assert.match(
      out,
      /^## Data that will be deleted\n\n- \*\*Bucket photos\*\*: the bucket \S+ at \S+ is deleted/m,
    );
    assert.ok(out.includes(photosId));
    assert.match(out, new RegExp(`the Secret ${flow.namespace}/photos`));
    assert.doesNotMatch(out, /invoices/);
  });

  it("is caught by the policy pack too, as the stack is production", async () => {
    const result = await stack.run(["preview", "--policy-pack", pack]);
    assert.notEqual(result.code, 0);
    const found = violationsIn(result).map((violation) => violation.replace(/^.*: /, ""));
    assert.deepEqual(
      found.filter((name) => !production.includes(name)),
      [],
    );
    assert.ok(found.includes("photos"), result.text);
    assert.ok(!found.includes("invoices"), result.text);
    assert.deepEqual(flow.driver.rpcs(), []);
  });

  it("passes both once the loss is confirmed there, and does what was said and nothing else", async () => {
    const { code, out } = await review("--json", "--allow", photosId);
    assert.equal(code, 0);
    const { findings } = JSON.parse(out) as Review;
    const objects = (...categories: readonly string[]): string[] =>
      findings.filter(({ category }) => categories.includes(category)).map(({ object }) => object);

    await stack.succeed([
      "up",
      "--yes",
      "--skip-preview",
      "--policy-pack",
      pack,
      "--policy-pack-config",
      exceptPhotos(),
    ]);
    const calls = flow.driver.requests();
    assert.deepEqual(
      calls.delete.map(({ bucketId }) => bucketId),
      objects("data-loss"),
    );
    assert.deepEqual(
      calls.revoke.map(({ accountId }) => accountId),
      objects("credential-revoked"),
    );
    assert.equal(calls.grant.length, objects("credential-minted").length);
    assert.deepEqual(flow.driver.rpcs(), ["revoke", "delete", "create", "grant"]);
    assert.deepEqual([...(calls.create[0]?.parameters ?? [])], [["tier", "cold"]]);
    const said = new Set(findings.map(({ secret }) => secret).filter((secret) => secret !== undefined));
    assert.deepEqual([...said], [`${flow.namespace}/photos`]);
    const secrets = await flow.cluster.client.list(secretKind, { namespace: flow.namespace });
    assert.deepEqual(secrets.map(({ metadata }) => metadata.name).sort(), ["invoices", "photos"]);
  });

  it("leaves nothing to say afterwards", async () => {
    const { code, out } = await review();
    assert.equal(code, 0);
    assert.match(out, /Nothing happens to data, credentials or access/);
  });
});
