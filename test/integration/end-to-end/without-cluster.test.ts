import assert from "node:assert/strict";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { OwnTemporaryFolder, type FoundProcess } from "../../support/end-to-end/leftovers";
import { quickProgram } from "../../support/end-to-end/program";
import { hasStackTrace, tracedRpcs } from "../../support/end-to-end/output";
import { recorded } from "../../support/end-to-end/recorded";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { SecretScanner } from "../../support/end-to-end/secret-scanner";
import { Stack } from "../../support/stack";
import { eventually } from "../../support/stub-driver";

const traced = { PULUMI_COSI_TRACE: "1" };

/** What the example exports. */
interface Outputs {
  readonly bucket: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly accessSecretKey: string;
}

describe("the example without-cluster, on a real store", function () {
  this.timeout(300_000);
  let store: Store;
  let admin: StoreAdmin;
  let temporary: OwnTemporaryFolder;
  let stack: Stack;
  /** What every command printed, by its name. */
  const printed: Record<string, string> = {};

  before(async () => {
    [store, temporary] = await Promise.all([startStore(), OwnTemporaryFolder.create()]);
    admin = new StoreAdmin(store);
    stack = await Stack.create(
      { example: "without-cluster" },
      { ...s3DriverEnvironment(store), ...temporary.variables, ...quickProgram },
    );
  });
  after(async () => {
    await stack.remove();
    await admin.cleanUp();
    await store.stop();
    await temporary.remove();
  });

  describe("in its first preview", () => {
    let seen: FoundProcess[];

    before(async () => {
      const unusable = { S3_DRIVER_S3_ENDPOINT: "nowhere", AWS_REGION: "" };
      const watched = await temporary.watch(() => stack.succeed(["preview"], { ...traced, ...unusable }));
      printed["the first preview"] = watched.result;
      seen = watched.seen;
    });

    it("shows what will be made", () => {
      assert.match(printed["the first preview"] ?? "", /\+ 4 to create/);
    });

    it("starts no driver and sends nothing", () => {
      assert.ok(seen.length > 0, "the preview itself was not seen");
      assert.deepEqual(
        seen.filter(({ isDriver }) => isDriver),
        [],
      );
      assert.deepEqual(tracedRpcs(printed["the first preview"] ?? ""), []);
    });
  });

  describe("after up", () => {
    let outputs: Outputs;
    let accountId: string;
    let state: Awaited<ReturnType<Stack["state"]>>;

    before(async () => {
      const { result, seen } = await temporary.watch(() => stack.up(traced));
      printed["up"] = result;
      assert.ok(
        seen.some(({ isDriver }) => isDriver),
        "no driver was seen",
      );
      outputs = outputsOf(await stack.outputs());
      state = await stack.state();
      const access = state.resources.find(({ type }) => type.endsWith(":BucketAccess"));
      accountId = String(access?.outputs?.["accountId"]);
    });

    it("has asked the driver for its name, a bucket and an access, in this order", () => {
      assert.deepEqual(tracedRpcs(printed["up"] ?? ""), [
        "DriverGetInfo",
        "DriverCreateBucket",
        "DriverGrantBucketAccess",
      ]);
    });

    it("gives credentials in its outputs that write, read and delete in the bucket", async () => {
      const { endpoint, region, bucket } = outputs;
      assert.deepEqual({ endpoint, region }, { endpoint: store.endpoint, region: store.region });
      const user = new StoreAdmin({ ...store, ...keysOf(outputs) });
      await user.put(bucket, "cat", "meow");
      assert.equal(await user.get(bucket, "cat"), "meow");
      assert.equal(await admin.get(bucket, "cat"), "meow");
      await user.remove(bucket, "cat");
    });

    it("gives credentials that are refused on another bucket", async () => {
      const other = admin.name();
      await admin.makeBucket(other);
      await admin.put(other, "dog", "woof");
      const user = new StoreAdmin({ ...store, ...keysOf(outputs) });
      await assert.rejects(user.get(other, "dog"), { name: "AccessDenied" });
      await assert.rejects(user.put(other, "cat"), { name: "AccessDenied" });
      await assert.rejects(user.countContents(other), { name: "AccessDenied" });
      assert.equal(await admin.get(other, "dog"), "woof");
    });

    it("leaves no driver, no supervisor and no socket folder behind", async () => {
      await eventually("no process of the run is left", () => temporary.processes().length === 0);
      assert.deepEqual(temporary.socketFolders(), []);
    });

    it("has an empty preview, before and after a refresh, without a call to the driver", async () => {
      printed["the second preview"] = await stack.succeed(
        ["preview", "--diff", "--expect-no-changes"],
        traced,
      );
      printed["refresh"] = await stack.succeed(["refresh", "--yes", "--skip-preview", "--diff"], traced);
      printed["the preview after refresh"] = await stack.succeed(
        ["preview", "--json", "--expect-no-changes"],
        traced,
      );
      for (const command of ["the second preview", "refresh", "the preview after refresh"]) {
        assert.deepEqual(tracedRpcs(printed[command] ?? ""), [], command);
      }
    });

    it("keeps the state as it is in a refresh", async () => {
      const after = await stack.state();
      assert.deepEqual(recorded(after), recorded(state));
    });

    it("keeps every secret out of the state, the previews, the output of all commands and temporary files", () => {
      const scanner = new SecretScanner({
        accessKeyId: outputs.accessKeyId,
        accessSecretKey: outputs.accessSecretKey,
        administrator: store.secretAccessKey,
      });
      assert.deepEqual(scanner.find({ state: state.text, ...printed, ...temporary.files() }), []);
    });

    it("prints no stack trace", () => {
      assert.deepEqual(
        Object.keys(printed).filter((command) => hasStackTrace(printed[command] ?? "")),
        [],
      );
    });

    describe("and destroy", () => {
      before(async () => {
        assert.equal(await admin.bucketsNamed(outputs.bucket), 1);
        assert.ok((await admin.users()).includes(accountId), `the store has no user ${accountId}`);
        const command = ["destroy", "--run-program", "--yes", "--skip-preview"];
        printed["destroy"] = await stack.succeed(command, traced);
      });

      it("has revoked the access before it deleted the bucket", () => {
        assert.deepEqual(tracedRpcs(printed["destroy"] ?? ""), [
          "DriverGetInfo",
          "DriverRevokeBucketAccess",
          "DriverDeleteBucket",
        ]);
      });

      it("leaves no bucket and no user in the store, and nothing in the state", async () => {
        assert.equal(await admin.bucketsNamed(outputs.bucket), 0);
        assert.ok(!(await admin.users()).includes(accountId), `the user ${accountId} is left`);
        assert.deepEqual((await stack.state()).resources, []);
      });

      it("leaves no process and no socket folder", async () => {
        await eventually("no process of the run is left", () => temporary.processes().length === 0);
        assert.deepEqual(temporary.socketFolders(), []);
      });
    });
  });
});

function outputsOf(found: Readonly<Record<string, unknown>>): Outputs {
  const text = (name: keyof Outputs): string => {
    const value = found[name];
    assert.ok(typeof value === "string" && value !== "", `output ${name} is ${JSON.stringify(value)}`);
    return value;
  };
  return {
    bucket: text("bucket"),
    endpoint: text("endpoint"),
    region: text("region"),
    accessKeyId: text("accessKeyId"),
    accessSecretKey: text("accessSecretKey"),
  };
}

function keysOf({ accessKeyId, accessSecretKey }: Outputs): { accessKeyId: string; secretAccessKey: string } {
  return { accessKeyId, secretAccessKey: accessSecretKey };
}
