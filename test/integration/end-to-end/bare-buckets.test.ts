import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { status } from "@grpc/grpc-js";
import { sleep } from "../../../provider/driver/call/retry";
import { answers } from "../../support/cosi-v1alpha1";
import { diagnostics } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { Stack } from "../../support/stack";
import { StrictDriver } from "../../support/strict-driver";

const denied = { code: status.PERMISSION_DENIED, message: "not yours" };

describe("bare buckets and accesses, at a driver with strict rules for names", function () {
  this.timeout(300_000);
  let driver: StrictDriver;
  let stack: Stack;

  /** A program of one driver and the text of the rest. */
  const program = (rest: string, settings = `endpoint: ${JSON.stringify(driver.fake.endpoint)}`): string => `
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { ${settings} });
${rest}
`;
  const deletable = `deletionPolicy: "Delete", protectData: false`;

  beforeEach(async () => {
    driver = await new StrictDriver().start();
    stack = await Stack.create({ source: program("") }, quickProgram);
  });
  afterEach(async () => {
    await stack.remove();
    driver.fake.stop();
  });

  it("grants after the create was answered, with the id of its answer, and not after one that failed [GRPC-013]", async () => {
    const events: string[] = [];
    driver.meanwhile = async (rpc) => {
      events.push(`received ${rpc}`);
      if (rpc === "create") await sleep(2_000);
      events.push(`answers ${rpc}`);
    };
    driver.answer("create", answers.created("id of the answer"), denied);
    const pair = (name: string) => `
      const ${name} = new cosi.Bucket("${name}", { driver });
      export const ${name}Account = new cosi.BucketAccess("${name}-rw", { bucket: ${name} }).accountId;`;
    stack.write(program(pair("a")));
    await stack.up();
    assert.deepEqual(events, ["received create", "answers create", "received grant", "answers grant"]);
    const [body = ""] = driver.fake.bodies("DriverGrantBucketAccess");
    assert.ok(body.startsWith(`0a10${Buffer.from("id of the answer").toString("hex")}`));

    stack.write(program(pair("a") + pair("b")));
    assert.match(await stack.fail(["up", "--yes", "--skip-preview"]), /PERMISSION_DENIED: not yours/);
    assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Create"]);
  });

  it("ends a replacement with one bucket, for computed and fixed names, and under --replace [GRPC-016]", async () => {
    const both = (tier: string, rest = deletable) =>
      program(`
        const parameters = { tier: "${tier}" };
        new cosi.Bucket("computed", { driver, parameters, ${rest} });
        const fixed = new cosi.Bucket("fixed", { driver, name: "fixed", parameters, ${rest} });
        new cosi.BucketAccess("rw", { bucket: fixed, name: "fixed-rw" });`);
    stack.write(both("1", `deletionPolicy: "Delete"`));
    await stack.up();
    assert.equal(driver.buckets.size, 2);

    stack.write(both("2", `deletionPolicy: "Delete"`));
    const refused = await stack.fail(["preview"]);
    assert.match(
      refused,
      /the bucket (fixed|computed-\w+) of driver .* replaced because of parameters, .*protectData/,
    );
    stack.write(both("1"));
    await stack.up();
    stack.write(both("2"));
    const steps = await stack.plannedSteps();
    const reasons = steps
      .filter(({ op }) => op === "replace")
      .map(({ urn, replaceReasons }) => [urn, replaceReasons]);
    assert.ok(
      reasons.some(([urn, keys]) => String(urn).endsWith("::fixed") && String(keys) === "parameters"),
    );
    assert.ok(
      reasons.some(
        ([urn, keys]) => String(urn).endsWith("::computed") && String(keys).includes("parameters"),
      ),
    );
    assert.equal(driver.rpcs().length, 3, "refusal and previews have sent nothing");
    await stack.up();
    assert.equal(driver.buckets.size, 2);
    assert.match(driver.buckets.get("fixed") ?? "", /"2"/);

    const urns = (await stack.state()).resources.filter(({ type }) => type.endsWith(":Bucket"));
    const before = [...driver.buckets.keys()].sort();
    await stack.succeed(["up", "--yes", "--skip-preview", ...urns.flatMap(({ urn }) => ["--replace", urn])]);
    assert.deepEqual([...driver.buckets.keys()].sort(), before);
    assert.deepEqual([...driver.accounts.keys()], ["fixed-rw"]);
    const counts = Map.groupBy(driver.rpcs(), (rpc) => rpc);
    assert.deepEqual(
      ["Create", "Delete", "Grant", "Revoke"].map((rpc) => counts.get(rpc)?.length),
      [6, 4, 3, 2],
    );
  });

  it("refuses a replacement that an option asks for as one of an input, and lets it pass in the same way [GRPC-016]", async () => {
    const all = ({ trigger = "1", retained = "1", rest = `deletionPolicy: "Delete"` }) =>
      program(`
        new cosi.Bucket("triggered", { driver, ${rest} }, { replacementTrigger: "${trigger}" });
        new cosi.Bucket("kept", { driver, name: "kept" }, { replacementTrigger: "${retained}" });`);
    const assertRefused = async (said: RegExp): Promise<void> => {
      assert.match(await stack.fail(["preview"]), said);
      assert.match(await stack.fail(["up", "--yes", "--skip-preview"]), said);
      assert.equal(driver.rpcs().includes("Delete"), false);
    };
    const refusal = (name: string) =>
      new RegExp(
        `protectData: the bucket ${name}-\\w+ of driver .* would be replaced because of the option replacementTrigger, or a similar one, and ` +
          "its deletionPolicy Delete would delete its data. Next: .*set protectData to false and run pulumi up before this change",
      );
    stack.write(all({}));
    await stack.up();
    stack.write(all({ trigger: "2" }));
    await assertRefused(refusal("triggered"));
    stack.write(all({ retained: "2" }));
    await assertRefused(
      /name: the bucket kept of driver .* because of the option replacementTrigger, or a similar one, and stays in the backend, so the new one cannot have its name/,
    );
    stack.write(all({ rest: deletable }));
    await stack.up();
    stack.write(all({ trigger: "2", rest: deletable }));
    await stack.up();
    assert.equal(driver.rpcs().filter((rpc) => rpc === "Delete").length, 1);
  });

  it("says in the preview of a destroy and of a replacement what becomes of each bucket, and why one is blocked", async () => {
    const all = (tier: string, changed: string) =>
      program(`
        const parametersOf = (name: string) => ({ tier: name === "${changed}" ? "${tier}" : "1" });
        new cosi.Bucket("gone", { driver, name: "gone", deletionPolicy: "Delete", parameters: parametersOf("gone") });
        new cosi.Bucket("kept", { driver, parameters: parametersOf("kept") });
        new cosi.Bucket("theirs", { driver, existingBucketId: "theirs" });`);
    stack.write(all("1", ""));
    await stack.up();
    const planned = await stack.succeed(["destroy", "--preview-only", "--diff"], {
      PULUMI_SKIP_CONFIRMATIONS: "",
    });
    for (const fate of [
      /onDelete +: "DELETES the bucket gone and what the driver deletes with it \(deletionPolicy Delete\)"/,
      /onDelete +: "keeps the bucket and its data \(deletionPolicy Retain\)"/,
      /onDelete +: "keeps the bucket and its data \(it existed before\)"/,
    ]) {
      assert.match(planned, fate);
    }
    stack.write(all("2", "kept"));
    assert.match(
      await stack.succeed(["preview", "--diff"]),
      /onDelete +: "keeps the bucket and its data \(deletionPolicy Retain\)"/,
    );
    stack.write(all("2", "gone"));
    assert.match(await stack.fail(["preview"]), /the bucket gone .*because of parameters, .*protectData/);
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
  });

  it("deletes nothing for a rename without an alias or a new socket path [GRPC-016]", async () => {
    const named = (logicalName: string) => `
      const bucket = new cosi.Bucket("${logicalName}", { driver, name: "fixed", ${deletable} });
      new cosi.BucketAccess("${logicalName}-rw", { bucket, name: "fixed-rw" });`;
    stack.write(program(named("old")));
    await stack.up();
    stack.write(program(named("new")));
    const renamed = await stack.up();
    assert.match(diagnostics(renamed), /warning: bucket fixed: another resource of this run has it now/);
    assert.match(
      diagnostics(renamed),
      /warning: access fixed-rw: another resource of this run has the account now/,
    );
    assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Create", "Grant"]);

    const moved = path.join(stack.folder, "moved.sock");
    fs.symlinkSync(driver.fake.socket, moved);
    stack.write(program(named("new"), `endpoint: "unix://${moved}"`));
    assert.deepEqual(
      (await stack.plannedSteps()).map(({ op }) => op),
      ["update", "update", "update"],
    );
    await stack.up();
    assert.equal(driver.rpcs().length, 4);
    await stack.destroy();
    assert.deepEqual(driver.rpcs().slice(4), ["Revoke", "Delete"]);
    assert.equal(driver.buckets.size + driver.accounts.size, 0);
  });

  it("restores what a revoke that fails for good left, without an RPC [GRPC-015]", async () => {
    const source = program(`
      const bucket = new cosi.Bucket("photos", { driver, name: "fixed", ${deletable} });
      export const key = new cosi.BucketAccess("rw", { bucket }).accessKeyId;`);
    stack.write(source);
    await stack.up();
    const before = await stack.outputs();
    driver.answer("revoke", denied);
    assert.match(await stack.fail(["destroy", "--yes", "--skip-preview"]), /PERMISSION_DENIED: not yours/);
    const calls = driver.rpcs().length;
    await stack.up();
    assert.deepEqual(await stack.outputs(), before);
    assert.equal(driver.rpcs().length, calls);
  });

  it("keeps sizes: the program's are refused in the preview, a driver's accepted with one warning [GRPC-041] [GRPC-042]", async () => {
    const sized = (bytes: number, settings?: string) =>
      program(
        `const policy = pulumi.secret("s3cr3t".padEnd(${bytes - "policy".length}, "p"));
         new cosi.Bucket("large", { driver, parameters: { policy }, ${deletable} });`,
        settings,
      );
    stack.write(sized(4097));
    const refused = await stack.fail(["preview"]);
    assert.match(refused, /problem: parameters has 4097 bytes .* allows 4096.*largeFields/);
    assert.doesNotMatch(refused, /s3cr3t|ppp/, "a value of a parameter is printed");
    assert.deepEqual(driver.fake.calls, []);

    stack.write(sized(6006, `endpoint: ${JSON.stringify(driver.fake.endpoint)}, largeFields: true`));
    await stack.up();
    const [created = ""] = driver.fake.bodies("DriverCreateBucket");
    assert.ok(created.length > 2 * 6000);
    await stack.destroy();

    const id = "b".repeat(600);
    driver.answer("create", answers.created(id));
    driver.answer("delete", answers.deleted());
    stack.write(sized(4096));
    const lines = [...diagnostics(await stack.up()).matchAll(/warning: .*/g)].map(([line]) => line);
    assert.equal(lines.length, 1);
    assert.match(lines.join(), /bucket_id has 600 bytes, and the contract allows 128/);
    assert.doesNotMatch(await stack.destroy(), /warning: /);
    const [deleted = ""] = driver.fake.bodies("DriverDeleteBucket").slice(-1);
    assert.ok(deleted.startsWith(`0ad804${Buffer.from(id).toString("hex")}`));
  });

  it("takes a name for the id where the program says so, and warns [GRPC-036]", async () => {
    driver.buckets.set("theirs", "of somebody else");
    const taken = (rest: string) =>
      program(`export const id = new cosi.Bucket("b", { driver, name: "theirs", ${rest} }).bucketId;`);
    stack.write(taken(""));
    assert.match(await stack.fail(["up", "--yes", "--skip-preview"]), /ALREADY_EXISTS: theirs is taken/);
    stack.write(taken("nameAsId: true"));
    assert.match(diagnostics(await stack.up()), /warning: bucket theirs: .*nameAsId takes it over/);
    assert.deepEqual(await stack.outputs(), { id: "theirs" });
    assert.match(await stack.up(), /unchanged/);
    stack.write(taken(`nameAsId: true, deletionPolicy: "Delete"`));
    assert.match(await stack.fail(["preview"]), /bucket theirs .*taken over by nameAsId/);
    await stack.destroy();
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
    assert.deepEqual([...driver.buckets.keys()], ["theirs"]);
  });
});
