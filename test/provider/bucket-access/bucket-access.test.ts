import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import {
  DriverGrantBucketAccessRequest,
  DriverGrantBucketAccessResponse,
  DriverRevokeBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { awsEnvironment } from "../../../components/secrets/aws-environment";
import type { Credentials } from "../../../provider/credentials/credentials";
import { closeConnections } from "../../../provider/driver/connections";
import { forEachContract } from "../../support/contracts-under-test";
import { answers, paths, s3Secrets, secretKey } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { failedResource, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const unknown = pulumi.runtime.unknownValue;
const grantRpc = "DriverGrantBucketAccess";
const revokeRpc = "DriverRevokeBucketAccess";

/** Ids as drivers give them; nothing in them means anything to us. */
const oddIds = [
  "eu/lab/force",
  "fsn1:cosi-x",
  "eyJhIjoxfQ==",
  "q2:a%2Fb",
  "0123",
  "a@b c+d=é漢",
  " x ",
  "n".repeat(2048),
];

forEachContract("BucketAccess", (contract) => {
  const { bucket, access, obligingDriver, driverReference, say, ids, credentialsAreFree, credential } =
    contract;
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    inputs = (changes = {}) => ({
      driver: reference,
      logicalName: "photos-rw",
      bucketName: "photos-1",
      bucketId: "b1",
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  const grants = () =>
    driver.bodies(grantRpc).map((body) => DriverGrantBucketAccessRequest.decode(hex(body)));
  const revokes = () =>
    driver.bodies(revokeRpc).map((body) => DriverRevokeBucketAccessRequest.decode(hex(body)));

  describe("check", () => {
    it("needs no driver, and fails on no unknown value", async () => {
      driver.stop();
      const everything = {
        driver: { ...driverReference(driver.endpoint), driverName: unknown, seed: unknown },
        bucketName: unknown,
        bucketId: unknown,
        bucketInfo: unknown,
        name: unknown,
        parameters: unknown,
        authenticationType: unknown,
        protocol: unknown,
        revokeNotFound: unknown,
      };
      assert.deepEqual((await access.check({}, inputs(everything))).failures, []);
      const partly = await access.check({}, inputs({ parameters: { k: unknown } }));
      assert.deepEqual(partly.failures, []);
      assert.equal(partly.inputs["name"], unknown);
    });

    it(`takes Key and IAM in any case, Key for nothing, and refuses the rest before any call ${ids("[GRPC-005]", "[DEP-005]")}`, async () => {
      for (const [given, sent] of [
        [undefined, 1],
        [null, 1],
        ["KEY", 1],
        ["key", 1],
        ["Key", 1],
        ["iam", 2],
        ["IAM", 2],
      ] as const) {
        const name = `a-${String(given)}`;
        const { outputs } = await access.create(inputs({ authenticationType: given, name }));
        assert.equal(outputs["authenticationType"], sent === 1 ? "Key" : "IAM");
        assert.ok(
          driver
            .bodies(grantRpc)
            .at(-1)
            ?.includes(`18${hexByte(sent)}`),
        );
        assert.equal(grants().at(-1)?.authenticationType, sent);
      }
      const calls = driver.calls.length;
      for (const refused of ["Basic", "", "UnknownAuthenticationType", 1]) {
        const { failures } = await access.check({}, inputs({ authenticationType: refused }));
        assert.equal(failures.length, 1, String(refused));
        const text = typeof refused === "string" ? /^authenticationType is .*Key, IAM/ : /must be a text/;
        assert.match(failures[0] ?? "", text);
      }
      assert.equal(driver.calls.length, calls);
    });

    for (const [what, changes, text] of [
      ["a protocol in lower case", { protocol: "s3" }, /^protocol is "s3".*S3, Azure, GCS/],
      ["an empty bucket id", { bucketId: "" }, say(/^bucketId is empty/)],
      ["a map of 4097 bytes", { parameters: { k: "v".repeat(4096) } }, /^parameters has 4097 bytes.*4096/],
      ["a switch that does not exist", { revokeNotFound: "maybe" }, /^revokeNotFound is "maybe".*"ignore"/],
      ["a name of 64 characters", { name: "n".repeat(64) }, /^name has 64 characters.*at most 63/],
      ["an empty name", { name: "" }, /^name is empty/],
    ] as const) {
      it(`refuses ${what}, and sends nothing`, async () => {
        const { failures } = await access.check({}, inputs(changes));
        assert.equal(failures.length, 1);
        assert.match(failures[0] ?? "", text);
        assert.deepEqual(driver.calls, []);
      });
    }

    it("takes null for left out", async () => {
      const nothing = {
        name: null,
        parameters: null,
        protocol: null,
        revokeNotFound: null,
        bucketInfo: null,
      };
      const { inputs: checked, failures } = await access.check({}, inputs(nothing));
      assert.deepEqual(failures, []);
      assert.deepEqual(checked, (await access.check({}, inputs())).inputs);
    });

    it("computes a name from everything that a driver tells accounts apart by", async () => {
      const nameOf = async (changes: Properties) => (await access.check({}, inputs(changes))).inputs["name"];
      const name = await nameOf({});
      assert.match(String(name), /^photos-rw-[0-9a-f]{16}$/);
      assert.equal(await nameOf({ bucketId: "b2", protocol: "S3" }), name);
      const others = await Promise.all([
        nameOf({ logicalName: "photos-ro" }),
        nameOf({ parent: "urn:other" }),
        nameOf({ bucketName: "photos-2" }),
        nameOf({ authenticationType: "IAM" }),
        nameOf({ parameters: { k: "v" } }),
        nameOf({ driver: driverReference(driver.endpoint, { seed: "another" }) }),
        nameOf({ driver: driverReference(driver.endpoint, { driverName: "another.example.com" }) }),
      ]);
      assert.equal(new Set([name, ...others]).size, others.length + 1);
    });

    it("keeps name, parent and class copy that are in the state", async () => {
      const classed = { bucketAccessClassName: "keys", parameters: { k: "1" }, authenticationType: "IAM" };
      const { outputs } = await access.create(inputs(classed));
      const edited = {
        ...classed,
        parameters: { k: "2" },
        authenticationType: "Key",
        logicalName: "renamed",
      };
      const kept = (await access.check(outputs, inputs({ ...edited, parent: "urn:new" }))).inputs;
      assert.deepEqual(await access.diff(outputs, kept), { changes: false, replaces: [] });
      const other = (await access.check(outputs, inputs({ ...edited, bucketAccessClassName: "roles" })))
        .inputs;
      assert.deepEqual((await access.diff(outputs, other)).replaces, ["authenticationType", "parameters"]);
    });
  });

  describe("create", () => {
    it("sends what the program says as it says it", async () => {
      const parameters = { a: " x ", b: '{"a":1}', c: "01", d: "true", e: "" };
      const { id } = await access.create(inputs({ name: "A.1", parameters }));
      assert.equal(id, "A.1");
      const [request] = grants();
      assert.equal(request?.name, "A.1");
      assert.equal(request.bucketId, "b1");
      assert.deepEqual(Object.fromEntries(request.parameters), parameters);
    });

    it(`keeps ids byte for byte, and sends them back so, of buckets and of accounts ${ids("[GRPC-031]", "[DEP-031]")}`, async () => {
      for (const [n, id] of oddIds.entries()) {
        driver.on(paths.create, () => answers.created(id)).on(paths.grant, () => answers.granted(id));
        const bucketInputs = { logicalName: `b${n}`, deletionPolicy: "Delete" };
        const made = await bucket.create({ driver: driverReference(driver.endpoint), ...bucketInputs });
        assert.equal(made.outputs["bucketId"], id);
        beginRun();

        const { outputs } = await access.create(inputs({ bucketId: made.outputs["bucketId"] }));
        assert.equal(outputs["accountId"], id);
        beginRun();
        await access.delete(outputs);
        await bucket.delete(made.outputs);
        const bytes = Buffer.from(id).toString("hex");
        assert.equal(grants().at(-1)?.bucketId, id);
        assert.deepEqual(
          [revokes().at(-1)?.bucketId, revokes().at(-1)?.accountId],
          [id, id],
          `both ids come back in the revoke: ${id}`,
        );
        for (const rpc of [grantRpc, revokeRpc, "DriverDeleteBucket"]) {
          assert.ok(driver.bodies(rpc).at(-1)?.includes(bytes), `${rpc} has the bytes of ${id}`);
        }
      }
    });

    it("gives every declared output, null where there is none, all inputs, and marks what is secret", async () => {
      const news = inputs({ parameters: { k: "v" } });
      const { outputs, raw } = await access.create(news);
      const expected: Properties = {
        accountId: outputs["name"],
        ...(credentialsAreFree
          ? { credentials: { s3: s3Secrets() }, granted: { entries: { s3: s3Secrets() } } }
          : {
              accessKeyId: "AKEXAMPLE",
              accessSecretKey: secretKey,
              endpoint: "http://127.0.0.1:9",
              region: "eu-1",
              accessToken: null,
              expiry: null,
            }),
        drift: null,
        schemaVersion: 1,
      };
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(outputs[key], value, key);
      for (const [key, value] of Object.entries((await access.check({}, news)).inputs)) {
        assert.deepEqual(outputs[key], value, key);
      }
      assertSecretsMarked(raw);
    });

    it("marks the secrets of a failed entry too", async () => {
      driver
        .on(paths.grant, () => answers.granted("u", {}))
        .on(paths.revoke, () => ({ code: status.PERMISSION_DENIED, message: "no" }));
      const environment = { TOKEN: secretKey };
      const reference = driverReference(driver.endpoint, { environment });
      const failed = await failedResource(access.create(inputs({ driver: reference })));
      assertSecretsMarked(failed.properties);
      assert.ok(!JSON.stringify(failed.reasons).includes(secretKey));
    });

    it("fails with the driver's words, and leaves no entry, when the driver refuses for sure", async () => {
      for (const code of [status.NOT_FOUND, status.PERMISSION_DENIED, status.INVALID_ARGUMENT]) {
        driver.on(paths.grant, () => ({ code, message: "no such thing" }));
        await assert.rejects(access.create(inputs()), (error: unknown) => {
          assert.ok(error instanceof Error && !("properties" in error));
          assert.match(
            error.message,
            say(/^DriverGrantBucketAccess: .*: no such thing \[access photos-rw-.* to bucket/),
          );
          return true;
        });
      }
    });

    it("does not repeat a grant that answers ALREADY_EXISTS, and says why [CASE-C04]", async () => {
      driver.on(paths.grant, () => ({ code: status.ALREADY_EXISTS, message: "taken" }));
      await assert.rejects(access.create(inputs()), /ALREADY_EXISTS: taken.*its keys cannot be read again/s);
      assert.equal(driver.bodies(grantRpc).length, 1);
    });

    it("keeps an entry when OK comes without an account id [CASE-C05]", async () => {
      driver.on(paths.grant, (_, earlier) =>
        earlier === 0
          ? DriverGrantBucketAccessResponse.encode({ accountId: "", credentials: new Map() }).finish()
          : answers.granted("u"),
      );
      const failed = await failedResource(access.create(inputs()));
      assert.match(failed.message, /fake\.example\.com answered OK without account_id.*may be alive/);
      assert.equal(failed.properties["accountId"], null);
      await printed(async () => {
        assert.equal((await access.update(wire(failed.properties), inputs()))["accountId"], "u");
      });
      assert.equal(new Set(driver.bodies(grantRpc)).size, 1);
    });

    it("stays in the state after an unknown outcome; the next up sends the same call, and warns", async () => {
      driver.on(paths.grant, (_, earlier) =>
        earlier < 3 ? { code: status.UNKNOWN, message: "?" } : answers.granted("u-7"),
      );
      const news = inputs({ logicalName: "lost" });
      const failed = await failedResource(access.create(news));
      assert.equal(failed.id, failed.properties["name"]);
      assert.match(failed.message, /A credential for access lost-.* may be alive/);
      const kept = wire(failed.properties);
      for (const output of ["accountId", "granted", "credentials"].concat(
        credentialsAreFree ? [] : ["accessKeyId", "endpoint", "expiry"],
      )) {
        assert.equal(kept[output], null, output);
      }
      assert.equal((await access.diff(kept, (await access.check(kept, news)).inputs)).changes, true);
      let outputs: Properties = {};
      const lines = await printed(async () => (outputs = await access.update(kept, news)));
      assert.equal(outputs["accountId"], "u-7");
      assert.equal(credential(outputs, "accessSecretKey"), secretKey);
      assert.equal(lines.length, 1);
      assert.match(
        lines[0] ?? "",
        /^warning: access lost-\w+: .*credential.*alive at the driver fake\.example\.com$/,
      );
      assert.equal(new Set(driver.bodies(grantRpc)).size, 1);
    });

    it(`warns once of an earlier credential when a lost reply made it ask again ${ids("[GRPC-056]", "[DEP-050]")}`, async () => {
      driver.on(paths.grant, (_, earlier) =>
        earlier === 0
          ? { code: status.UNAVAILABLE, message: "reply lost" }
          : answers.granted("u", { ...s3Secrets(), accessKeyID: "SECOND" }),
      );
      let outputs: Properties = {};
      const lines = await printed(
        async () => ({ outputs } = await access.create(inputs({ logicalName: "twice" }))),
      );
      assert.equal(credential(outputs, "accessKeyID"), "SECOND");
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", /^warning: access twice-\w+: .*alive at the driver fake\.example\.com$/);

      // A grant that answered is never repeated, however it answered.
      driver.on(paths.grant, () => ({ code: status.FAILED_PRECONDITION, message: "not now" }));
      const before = driver.bodies(grantRpc).length;
      await assert.rejects(access.create(inputs({ logicalName: "once" })), /FAILED_PRECONDITION/);
      assert.equal(driver.bodies(grantRpc).length, before + 1);
    });

    it("fails a grant that met ALREADY_EXISTS after a lost reply, and keeps the entry", async () => {
      driver.on(paths.grant, (_, earlier) =>
        earlier === 0 ? { code: status.UNAVAILABLE } : { code: status.ALREADY_EXISTS, message: "taken" },
      );
      const failed = await failedResource(access.create(inputs()));
      assert.match(failed.message, /ALREADY_EXISTS: taken.*may be alive/s);
    });
  });

  describe("credentials", () => {
    it(`of a Key grant that are missing make one revoke and an error; of an IAM grant a warning ${ids("[GRPC-048]", "[DEP-045]")}`, async () => {
      driver.on(paths.grant, () => hex("0a0175"));
      await assert.rejects(access.create(inputs()), (error: unknown) => {
        assert.ok(error instanceof Error && !("properties" in error));
        assert.match(
          error.message,
          credentialsAreFree
            ? /returned nothing usable: the driver issued no credentials.* Its account was revoked/
            : /returned nothing usable: .*the driver gave: none\. Its account was revoked/,
        );
        return true;
      });
      assert.deepEqual(
        revokes().map(({ bucketId, accountId }) => [bucketId, accountId]),
        [["b1", "u"]],
      );

      const iam = inputs({ authenticationType: "IAM", logicalName: "role" });
      let outputs: Properties = {};
      const lines = await printed(async () => ({ outputs } = await access.create(iam)));
      assert.equal(outputs["accountId"], "u");
      assert.equal(credential(outputs, "accessKeyID"), null);
      assert.match(lines.join("\n"), /^warning: access role-\w+: the driver gave no credentials/m);
      assert.equal(revokes().length, 1);
    });

    it("that cannot be used keep the account in the state if it cannot be revoked, and the next up revokes it first", async () => {
      driver
        .on(paths.grant, (_, earlier) => (earlier === 0 ? hex("0a0175") : answers.granted("v")))
        .on(paths.revoke, (_, earlier) =>
          earlier === 0 ? { code: status.PERMISSION_DENIED, message: "not yours" } : answers.revoked(),
        );
      const failed = await failedResource(access.create(inputs()));
      assert.match(failed.message, /Its account u could not be revoked: .*PERMISSION_DENIED: not yours/);
      assert.equal(failed.properties["accountId"], "u");
      const kept = wire(failed.properties);
      assert.equal((await access.diff(kept, (await access.check(kept, inputs())).inputs)).changes, true);
      assert.equal((await access.update(kept, inputs()))["accountId"], "v");
      assert.deepEqual(driver.paths().slice(-2), [revokeRpc, grantRpc]);
      assert.equal(revokes().at(-1)?.accountId, "u");
    });

    if (!credentialsAreFree) {
      it("are read in any spelling, filled in from elsewhere, or missed with their names [GRPC-125] [CASE-C07]", async () => {
        const answer = (secrets: Record<string, string>) => {
          driver.on(paths.grant, () => answers.granted("u", secrets));
        };
        const keys = { accessKeyId: "AK1234", ACCESSSECRETKEY: secretKey, extra: "kept" };

        answer(keys);
        const full = await access.create(inputs({ defaultEndpoint: "https://s3", defaultRegion: "eu-2" }));
        assert.deepEqual(full.outputs["credentials"], {
          protocol: "S3",
          accessKeyId: "AK1234",
          accessSecretKey: secretKey,
          endpoint: "https://s3",
          region: "eu-2",
          accessToken: null,
          expiry: null,
        });
        assert.deepEqual(full.outputs["granted"], { protocol: "S3", secrets: keys });
        const bucketInfo = { protocol: "S3", region: "eu-info", signatureVersion: "S3V4" };
        const ofBucket = await access.create(inputs({ defaultEndpoint: "https://s3", bucketInfo }));
        assert.equal(ofBucket.outputs["region"], "eu-info");

        let bare: Properties = {};
        const lines = await printed(
          async () => ({ outputs: bare } = await access.create(inputs({ logicalName: "bare" }))),
        );
        assert.deepEqual([bare["endpoint"], bare["region"]], [null, null]);
        assert.equal(lines.length, 1);
        assert.match(lines[0] ?? "", /^warning: access bare-\w+: .*does not report the endpoint and region/);
        const layout = {
          accessUid: "u",
          bucketName: "b",
          bucketId: "b1",
          authenticationType: "Key",
        } as const;
        assert.throws(
          () => awsEnvironment({ ...layout, credentials: bare["credentials"] as Credentials }),
          /needs a region/,
        );

        for (const [secrets, missing] of [
          [{ accessKeyID: "AK1234", endpoint: "http://s3" }, "accessSecretKey"],
          [{ accessSecretKey: secretKey }, "accessKeyID"],
          [{ accessKeyID: "", accessSecretKey: secretKey }, "accessKeyID"],
        ] as const) {
          answer(secrets);
          beginRun();
          const before = revokes().length;
          await assert.rejects(access.create(inputs({ logicalName: "half" })), (error: unknown) => {
            assert.ok(error instanceof Error);
            assert.match(error.message, new RegExp(`the driver left out ${missing}; its keys: `));
            assert.ok(!error.message.includes(secretKey));
            return true;
          });
          assert.equal(revokes().length, before + 1);
        }
      });
    }

    if (!credentialsAreFree) {
      it("of several protocols are taken by the one that is asked for", async () => {
        const both = new Map([
          ["s3", { secrets: new Map(Object.entries(s3Secrets())) }],
          ["azure", { secrets: new Map([["accessToken", secretKey]]) }],
        ]);
        driver.on(paths.grant, () =>
          DriverGrantBucketAccessResponse.encode({ accountId: "u", credentials: both }).finish(),
        );
        const { outputs } = await access.create(inputs({ protocol: "Azure" }));
        assert.equal(outputs["accessToken"], secretKey);
        assert.equal(outputs["accessKeyId"], null);
        await assert.rejects(
          access.create(inputs({ protocol: "GCS" })),
          /no credentials for GCS.*"s3", "azure"/,
        );
        await assert.rejects(access.create(inputs()), /exactly one of the entries.*"s3", "azure"/);
      });
    }

    it("stay out of errors, warnings and the trace of calls", async () => {
      driver.on(paths.revoke, () => ({ code: status.NOT_FOUND, message: `no key ${secretKey}` }));
      const before = process.env["PULUMI_COSI_TRACE"];
      process.env["PULUMI_COSI_TRACE"] = "1";
      const texts: string[] = [];
      try {
        const lines = await printed(async () => {
          const { outputs } = await access.create(
            inputs({ logicalName: "traced", revokeNotFound: "ignore" }),
          );
          beginRun();
          await access.delete(outputs);
          await access.delete({ ...outputs, revokeNotFound: "fail" }).catch((error: unknown) => {
            texts.push(String(error));
          });
        });
        texts.push(...lines);
      } finally {
        if (before === undefined) delete process.env["PULUMI_COSI_TRACE"];
        else process.env["PULUMI_COSI_TRACE"] = before;
      }
      assert.match(texts[0] ?? "", /NOT_FOUND: no key \[secret\]/);
      const traced = texts.filter((text) => text.startsWith("rpc "));
      assert.match(traced.join("\n"), say(/DriverGrantBucketAccess OK \d+ ms .*"credentials":"\[secret\]"/));
      assert.equal(traced.length, 4);
      for (const text of texts) {
        assert.ok(!text.includes(secretKey), text);
        assert.ok(!text.includes("AKEXAMPLE"), text);
      }
    });
  });

  describe("read", () => {
    it("sends nothing, and leaves an unchanged program without a change", async () => {
      const news = inputs({ parameters: { k: "v" }, bucketInfo: { protocol: "Azure", storageAccount: "a" } });
      const { outputs } = await access.create(news);
      const calls = driver.calls.length;
      const read = await access.read(outputs);
      assert.deepEqual(read.outputs, outputs);
      assert.deepEqual(read.inputs, (await access.check({}, news)).inputs);
      const { inputs: checked } = await access.check(read.inputs, news);
      assert.deepEqual(await access.diff(read.outputs, checked), { changes: false, replaces: [] });
      assert.equal(driver.calls.length, calls);
    });
  });

  describe("diff", () => {
    it("takes an unknown id of a bucket with an equal name for the same bucket [CASE-U09]", async () => {
      const { outputs } = await access.create(inputs());
      const preview = await access.check(outputs, inputs({ bucketId: unknown, bucketInfo: unknown }));
      assert.deepEqual(await access.diff(outputs, preview.inputs), { changes: false, replaces: [] });
    });

    it("takes an unknown name of the bucket for a replacement, as the old account goes with the old bucket", async () => {
      const { outputs } = await access.create(inputs());
      const preview = await access.check(outputs, inputs({ bucketName: unknown, bucketId: unknown }));
      const { replaces, deleteBeforeReplace } = await access.diff(outputs, preview.inputs);
      assert.deepEqual(replaces, ["bucketName"]);
      assert.equal(deleteBeforeReplace, true);
    });

    for (const [what, changes, replaces] of [
      ["another bucket", { bucketName: "photos-2", bucketId: "b2" }, ["bucketName"]],
      ["another id under the same name", { bucketId: "b2" }, ["bucketId"]],
      ["another name", { name: "other" }, ["name"]],
      ["another authentication type", { authenticationType: "IAM" }, ["authenticationType"]],
      ["other parameters", { parameters: { k: "w" } }, ["parameters"]],
      ["another protocol", { protocol: "S3" }, ["protocol"]],
    ] as const) {
      it(`plans a replacement, the old one first, for ${what}`, async () => {
        const { outputs } = await access.create(inputs({ parameters: { k: "v" } }));
        const { inputs: news } = await access.check(outputs, inputs({ parameters: { k: "v" }, ...changes }));
        const expected = { changes: true, replaces: [...replaces], deleteBeforeReplace: true };
        assert.deepEqual(await access.diff(outputs, news), expected);
      });
    }

    it("plans a replacement for another driver, and an update for another endpoint of the same one", async () => {
      const { outputs } = await access.create(inputs());
      const other = driverReference(driver.endpoint, { driverName: "other.example.com", seed: "other" });
      const replaced = (await access.check(outputs, inputs({ driver: other }))).inputs;
      assert.deepEqual((await access.diff(outputs, replaced)).replaces, ["driver"]);
      const moved = driverReference("unix:///elsewhere.sock");
      const updated = (await access.check(outputs, inputs({ driver: moved }))).inputs;
      assert.deepEqual(await access.diff(outputs, updated), { changes: true, replaces: [] });
    });

    it("takes any other unknown value for a possible change", async () => {
      const { outputs } = await access.create(inputs());
      for (const changes of [
        { parameters: unknown },
        { authenticationType: unknown },
        { defaultRegion: unknown },
      ]) {
        const { inputs: news } = await access.check(outputs, inputs(changes));
        assert.deepEqual(await access.diff(outputs, news), { changes: true, replaces: [] });
      }
    });
  });

  if (!credentialsAreFree) {
    describe("update", () => {
      it("takes over endpoint and region without a call", async () => {
        driver.on(paths.grant, () =>
          answers.granted("u", { accessKeyID: "AK1", accessSecretKey: secretKey }),
        );
        const { outputs } = await access.create(
          inputs({ defaultEndpoint: "http://old", defaultRegion: "r" }),
        );
        const calls = driver.calls.length;
        const updated = await access.update(
          outputs,
          inputs({ defaultEndpoint: "http://new", defaultRegion: "r" }),
        );
        assert.equal(updated["endpoint"], "http://new");
        assert.equal(updated["accessSecretKey"], secretKey);
        assert.equal(driver.calls.length, calls);
      });
    });
  }

  describe("delete", () => {
    it("sends the recorded ids and the parameters of the grant", async () => {
      driver.on(paths.grant, () => answers.granted("account/1"));
      const { outputs } = await access.create(inputs({ parameters: { k: "v" } }));
      beginRun();
      await access.delete(outputs);
      const [request] = revokes();
      assert.deepEqual([request?.bucketId, request?.accountId], ["b1", "account/1"]);
      assert.deepEqual(Object.fromEntries(request?.revokeAccessContext ?? []), { k: "v" });
    });

    it("of a grant without a known outcome repeats it, then revokes", async () => {
      driver.on(paths.grant, (_, earlier) =>
        earlier < 3 ? { code: status.UNKNOWN } : answers.granted("u-9"),
      );
      const failed = await failedResource(access.create(inputs()));
      beginRun();
      await access.delete(wire(failed.properties));
      assert.deepEqual(driver.paths().slice(-2), [grantRpc, revokeRpc]);
      assert.equal(revokes()[0]?.accountId, "u-9");
      assert.equal(new Set(driver.bodies(grantRpc)).size, 1);
    });

    it("of a grant that is then refused as such ends without a revoke; another failure keeps the entry", async () => {
      driver.on(paths.grant, (_, earlier) =>
        earlier < 3 ? { code: status.UNKNOWN } : { code: status.INVALID_ARGUMENT, message: "never made" },
      );
      const failed = await failedResource(access.create(inputs()));
      beginRun();
      await access.delete(wire(failed.properties));
      assert.ok(!driver.paths().includes(revokeRpc));
      driver.on(paths.grant, () => ({ code: status.PERMISSION_DENIED, message: "not now" }));
      await assert.rejects(
        access.delete(wire(failed.properties)),
        /may have a live credential.*PERMISSION_DENIED: not now.*pulumi state delete/s,
      );
    });

    it(`fails on NOT_FOUND until the program or the environment says to ignore it ${ids("[GRPC-075]", "[DEP-064]")}`, async () => {
      driver.on(paths.revoke, () => ({ code: status.NOT_FOUND, message: "no such user" }));
      const { outputs } = await access.create(inputs({ logicalName: "gone" }));
      beginRun();
      await assert.rejects(access.delete(outputs), (error: unknown) => {
        assert.match(
          String(error),
          /NOT_FOUND: no such user.*revokeNotFound.*PULUMI_COSI_REVOKE_NOT_FOUND=ignore/s,
        );
        assert.match(String(error), say(/access gone-\w+ to bucket photos-1/));
        return true;
      });
      assert.equal(revokes().length, 1);

      const byProgram = await printed(() => access.delete({ ...outputs, revokeNotFound: "ignore" }));
      assert.match(byProgram.join("\n"), /^warning: access gone-\w+: the driver says NOT_FOUND/);
      process.env["PULUMI_COSI_REVOKE_NOT_FOUND"] = "ignore";
      try {
        const other = await access.create(inputs({ logicalName: "gone-too" }));
        beginRun();
        const byEnvironment = await printed(() => access.delete(other.outputs));
        assert.match(byEnvironment.join("\n"), /^warning: access gone-too-\w+: the driver says NOT_FOUND/);
      } finally {
        delete process.env["PULUMI_COSI_REVOKE_NOT_FOUND"];
      }
    });

    it("reads NOT_FOUND after a revoke without an answer as its own success", async () => {
      driver.on(paths.revoke, (_, earlier) =>
        earlier === 0 ? { code: status.UNAVAILABLE } : { code: status.NOT_FOUND },
      );
      const { outputs } = await access.create(inputs());
      beginRun();
      await access.delete(outputs);
      assert.equal(revokes().length, 2);
    });

    it("drops only the entry when another resource of the run has the account now", async () => {
      const fixed = { name: "fixed" };
      const { outputs } = await access.create(inputs(fixed));
      beginRun();
      await access.create(inputs({ ...fixed, logicalName: "renamed" }));
      const lines = await printed(() => access.delete(outputs));
      assert.match(lines.join("\n"), /^warning: access fixed: another resource of this run has the account/);
      assert.ok(!driver.paths().includes(revokeRpc));
    });

    it("of an entry without a known outcome leaves the account to the resource that was granted it since", async () => {
      driver.on(paths.grant, (_, earlier) =>
        earlier < 3 ? { code: status.UNKNOWN } : answers.granted("account-1"),
      );
      const failed = await failedResource(access.create(inputs({ name: "shared" })));
      beginRun();
      await access.create(inputs({ name: "shared", logicalName: "renamed" }));
      const calls = driver.calls.length;
      await printed(() => access.delete(wire(failed.properties)));
      assert.equal(driver.calls.length, calls);
    });

    it("revokes what a refresh of the same run has compared before", async () => {
      const { outputs } = await access.create(inputs());
      beginRun();
      const read = await access.read(outputs);
      await access.diff(read.outputs, read.inputs);
      await access.delete(read.outputs);
      assert.equal(revokes().length, 1);
    });

    it("sends nothing to a driver of another name", async () => {
      const { outputs } = await access.create(inputs());
      beginRun();
      const other = await obligingDriver("other.example.com").start();
      try {
        const moved = { ...outputs, driver: driverReference(other.endpoint) };
        await assert.rejects(
          access.delete(moved),
          /"fake\.example\.com".*"other\.example\.com".*driverName/s,
        );
        assert.deepEqual(other.paths(), ["DriverGetInfo"]);
      } finally {
        other.stop();
      }
    });
  });
});

function hex(text: string): Buffer {
  return Buffer.from(text, "hex");
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, "0");
}

/** Fails if a secret stands in the raw properties anywhere but inside Pulumi's wrapper of secrets. */
function assertSecretsMarked(properties: Readonly<Record<string, unknown>>): void {
  const open = JSON.stringify(properties, (_, value: unknown) =>
    typeof value === "object" && value !== null && pulumi.runtime.specialSigKey in value ? "[secret]" : value,
  );
  assert.ok(open.includes("[secret]"));
  for (const secret of [secretKey, "AKEXAMPLE"]) assert.ok(!open.includes(secret), `${secret} is not marked`);
}
