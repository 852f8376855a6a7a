import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { isSecretOutput } from "../../../provider/dynamic/values";
import { computedName } from "../../../provider/fields/naming";
import { controllerReference } from "../../support/cosi-2020-07";
import { handlerReference } from "../../support/cosi-2020-02";
import { StoringHandler } from "../../support/cosi-2020-02/storing-handler";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const bucket = new Lifecycle(bucketProvider);

describe("a bucket that comes with its account, without a cluster (contract cosi-2020-02)", () => {
  let driver: StoringHandler;

  before(async () => {
    driver = await new StoringHandler().start();
  });

  beforeEach(() => {
    driver.forget();
    driver.accounts.clear();
    driver.buckets.clear();
    beginRun();
  });

  after(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  const inputs = (changes: Properties = {}): Properties => ({
    driver: handlerReference(driver.fake.endpoint),
    logicalName: "photos",
    ...changes,
  });

  it("keeps credentials, checksum and what a delete does in its outputs", async () => {
    const { outputs } = await bucket.create(inputs({ deletionPolicy: "Retain" }));
    const credentials = outputs["credentials"] as Record<string, string>;
    assert.equal(credentials["accessKeyId"], [...driver.accounts.values()][0]?.accessKeyId);
    assert.match(String(outputs["checksum"]), /^[0-9a-f]{32}$/);
    assert.match(String(outputs["onDelete"]), /^revokes its account, keeps the bucket and its data/);
    beginRun();
    await bucket.delete(outputs);
    assert.deepEqual(driver.rpcs(), ["create", "revoke"]);
    assert.equal(driver.accounts.size, 0);
  });

  for (const [what, changes] of [
    ["it was made with", {}],
    ["was granted for a bucket that is there", { existingBucketId: "legacy" }],
  ] as const) {
    it(`marks the account that ${what} as secret, so that no state shows it [K02-076]`, async () => {
      const { outputs, raw } = await bucket.create(inputs(changes));
      const { accessKeyId = "", secretKey = "" } = [...driver.accounts.values()][0] ?? {};
      const shown = (state: Properties): string =>
        JSON.stringify(state, (_key, part: unknown) => (isSecretOutput(part) ? "[secret]" : part));
      for (const value of [accessKeyId, secretKey]) {
        assert.ok(value !== "" && shown(outputs).includes(value), "the state has it");
        assert.ok(!shown(raw).includes(value));
      }
      assert.deepEqual([raw["issued"], raw["credentials"]].map(isSecretOutput), [true, true]);
    });
  }

  it("takes the program's word on NOT_FOUND to the revoke, which an entry that goes does not have", async () => {
    const gone = { code: status.NOT_FOUND, message: "no such user" };
    const { outputs } = await bucket.create(inputs());
    beginRun();
    driver.refuse("revoke", gone);
    await assert.rejects(bucket.delete(outputs), /set revokeNotFound to "ignore"/);
    beginRun();
    // The engine asks so before it replaces, and then deletes what is in the state.
    await bucket.check(outputs, inputs({ accessMode: "ro", revokeNotFound: "ignore" }));
    driver.refuse("revoke", gone);
    const lines = await printed(() => bucket.delete(outputs));
    assert.match(lines.join("\n"), /counts as done as you asked/);
  });

  it("has an account granted for a bucket that is there, and a repeat gets the same one", async () => {
    const existing = inputs({ existingBucketId: "legacy", bucketIdentifier: { region: "eu-9" } });
    const { outputs } = await bucket.create(existing);
    await bucket.create(existing);
    const other = await bucket.create({ ...existing, logicalName: "other" });
    assert.equal(driver.accounts.size, 2);
    beginRun();
    await bucket.delete(outputs);
    assert.equal(driver.accounts.size, 1);
    await bucket.delete(other.outputs);
    assert.equal(driver.accounts.size, 0);
  });

  it("leaves an account that another resource of the run has to that one", async () => {
    const existing = inputs({ existingBucketId: "legacy" });
    const { outputs } = await bucket.create(existing);
    beginRun();
    // The same account again: the program has renamed nothing but the entry in the state.
    await bucket.update(outputs, existing);
    await bucket.delete(outputs);
    assert.deepEqual(driver.rpcs(), ["grant"]);
  });

  it("is revoked where replaceOnChanges makes its bucket anew, though its diff says that it stays", async () => {
    const olds = inputs({ existingBucketId: "legacy" });
    const { outputs } = await bucket.create(olds);
    beginRun();
    const news = { ...olds, revokeNotFound: "ignore" };
    const { inputs: checked } = await bucket.check(outputs, news);
    assert.deepEqual((await bucket.diff(outputs, checked)).replaces, []);
    await bucket.check({}, news);
    assert.deepEqual(await printed(() => bucket.delete(outputs)), []);
    await bucket.create(news);
    assert.deepEqual(driver.rpcs(), ["grant", "revoke", "grant"]);
  });

  it("is made anew where its mode or what is known of it changes", async () => {
    const { outputs } = await bucket.create(inputs({ deletionPolicy: "Retain" }));
    for (const [changes, property] of [
      [{ accessMode: "ro" }, "accessMode"],
      [{ protocol: "GCS" }, "protocol"],
    ] as const) {
      const checked = await bucket.check(outputs, inputs({ deletionPolicy: "Retain", ...changes }));
      assert.deepEqual(checked.failures, []);
      assert.deepEqual((await bucket.diff(outputs, checked.inputs)).replaces, [property]);
    }
  });

  it("has another computed name in another mode, and without one the name that it always had [GRPC-016]", async () => {
    const nameOf = async (changes: Properties) => (await bucket.check({}, inputs(changes))).inputs["name"];
    const { driverName, seed } = handlerReference(driver.fake.endpoint);
    const name = await nameOf({});
    assert.equal(name, computedName(seed, "photos", { driverName }));
    const names = [name, await nameOf({ accessMode: "ro" }), await nameOf({ accessMode: "wo" })];
    assert.equal(new Set(names).size, 3);

    const { outputs } = await bucket.create(inputs({ accessMode: "ro" }));
    beginRun();
    const news = inputs({ accessMode: "wo" });
    const { inputs: checked } = await bucket.check(outputs, news);
    assert.deepEqual((await bucket.diff(outputs, checked)).replaces, ["accessMode"]);
    await bucket.delete(outputs);
    await bucket.create(news);
    assert.deepEqual([...driver.buckets.keys()].sort(), names.slice(1).map(String).sort());
  });

  it("is not made in another mode under a name of the program's while it stays there [GRPC-016]", async () => {
    const { outputs } = await bucket.create(inputs({ name: "legacy" }));
    beginRun();
    const { inputs: checked } = await bucket.check(outputs, inputs({ name: "legacy", accessMode: "ro" }));
    await assert.rejects(
      bucket.diff(outputs, checked),
      /bucket legacy .*because of accessMode, and stays .*another name/,
    );
  });

  describe("whose create lost its answer, and is then told ALREADY_EXISTS", () => {
    const exists = { code: status.ALREADY_EXISTS, message: "there" };

    /** What the state keeps of it, and what the run says. */
    async function failed(changes: Properties): Promise<{ olds: Properties; text: string }> {
      const off = driver.on("done", () => Promise.resolve({ code: status.UNAVAILABLE, message: "lost" }));
      const quick = { ...handlerReference(driver.fake.endpoint), retryBudgetSeconds: 0.001 };
      const news = inputs({ driver: quick, deletionPolicy: "Delete", ...changes });
      const { properties } = await failedResource(bucket.create(news));
      off();
      beginRun();
      driver.refuse("create", exists);
      let text = "";
      await printed(
        async () => ({ message: text } = await failedResource(bucket.update(wire(properties), news))),
      );
      beginRun();
      driver.forget();
      driver.refuse("create", exists);
      return { olds: wire(properties), text };
    }

    it("is never deleted by a name of the program's, which may be somebody else's bucket", async () => {
      const { olds, text } = await failed({ name: "shared" });
      assert.match(
        text,
        /bucket shared may be this resource's own.*Next: check in the backend who owns it.*pulumi state delete/,
      );
      assert.doesNotMatch(text, /remove the resource from the program/);
      await assert.rejects(
        bucket.delete(olds),
        /the bucket shared may exist.*ALREADY_EXISTS.*somebody else's, and is not deleted by that name\. To give up the entry instead, look for the bucket in the backend and use pulumi state delete\.$/,
      );
      assert.deepEqual(driver.rpcs(), ["create"]);
      assert.deepEqual([...driver.buckets.keys()], ["shared"]);
    });

    it("is deleted by a name that nobody else sends [K02-097] [K02-111]", async () => {
      const { olds, text } = await failed({});
      assert.match(
        text,
        /remove the resource from the program, which deletes it by its name \(policy Delete\)/,
      );
      await bucket.delete(olds);
      assert.deepEqual(driver.rpcs(), ["create", "delete"]);
      assert.equal(driver.buckets.size, 0);
    });
  });

  for (const [what, changes, text] of [
    [
      "an access mode that is none",
      { accessMode: "all" },
      /^accessMode is "all", and the modes are: ro, wo, rw$/,
    ],
    [
      "what callers without credentials may do",
      { anonymousAccess: "ro" },
      /^anonymousAccess is given, .*no field/,
    ],
    [
      "an identifier of a bucket that is made",
      { bucketIdentifier: { region: "x" } },
      /^bucketIdentifier is given without existingBucketId/,
    ],
    [
      "another word on NOT_FOUND",
      { revokeNotFound: "maybe" },
      /^revokeNotFound is "maybe": give "fail" or "ignore"$/,
    ],
  ] as const) {
    it(`is refused with ${what}`, async () => {
      const { failures } = await bucket.check({}, inputs(changes));
      assert.equal(failures.length, 1, failures.join());
      assert.match(failures[0] ?? "", text);
    });
  }

  it("is refused with inputs that another contract has no use for", async () => {
    const july = controllerReference(driver.fake.endpoint);
    const { failures } = await bucket.check({}, { driver: july, logicalName: "photos", accessMode: "ro" });
    assert.match(
      failures.join(),
      /^accessMode is given, but in the contract cosi-2020-07 a bucket comes without an account/,
    );
  });

  it("is not mixed with the objects of another API model, nor theirs with another contract", async () => {
    const objects = (model: string): Properties => ({
      model,
      kubernetes: {},
      claim: { namespace: "n", name: "c", uid: "u" },
      bucket: { name: "b", uid: "" },
    });
    const mixed = await bucket.check({}, inputs({ objects: objects("objectstorage.k8s.io/v1alpha1") }));
    assert.match(
      mixed.failures.join(),
      /^driver has the contract cosi-2020-02, where a bucket comes with its credentials/,
    );
    const july = controllerReference(driver.fake.endpoint);
    const other = await bucket.check(
      {},
      { driver: july, logicalName: "x", objects: objects("cosi-2020-02:cosi.io") },
    );
    assert.match(
      other.failures.join(),
      /^driver has the contract cosi-2020-07, where a bucket comes without credentials/,
    );
  });

  it("needs no access beside it, which says what to use", async () => {
    const access = {
      driver: handlerReference(driver.fake.endpoint),
      logicalName: "web",
      bucketName: "photos",
      bucketId: "photos",
    };
    const { failures } = await new Lifecycle(accessProvider).check({}, access);
    assert.match(
      failures.join(),
      /has the contract cosi-2020-02, where an account comes with its cosi\.Bucket/,
    );
  });
});
