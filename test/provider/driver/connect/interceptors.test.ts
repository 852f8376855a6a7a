import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { status } from "@grpc/grpc-js";
import { Connection } from "../../../../provider/driver/connection";
import { DriverError } from "../../../../provider/driver/call/driver-error";
import { loadInterceptors } from "../../../../provider/driver/connect/interceptors";
import { driverName, obligingDriver, paths } from "../../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../../support/fake-driver";
import { quickSettings } from "../../../support/settings";

const variable = "PULUMI_COSI_INTERCEPTORS";
const example = path.join(__dirname, "..", "..", "..", "support", "tracing-interceptor.cjs");

describe("the user's interceptors", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "interceptors-"));
  let driver: FakeDriver;

  beforeEach(async () => {
    driver = await obligingDriver().start();
  });

  afterEach(() => {
    Reflect.deleteProperty(process.env, variable);
    driver.stop();
  });

  after(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const module = (name: string, text: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  };

  /** One call of each method, the delete being refused; the path and body of each as the driver saw it. */
  const callAll = async (): Promise<string[]> => {
    driver.calls.length = 0;
    const connection = new Connection(quickSettings(driver.endpoint));
    const target = { bucket: "b1", subject: "bucket b1", driverName };
    const { client } = connection;
    const parameters = { k: "v" };
    try {
      await client.createBucket({ name: "b1", parameters }, target);
      const authenticationType = "Key";
      await client.grantAccess({ bucketId: "b1", name: "a", authenticationType, parameters }, target);
      await client.revokeAccess({ bucketId: "b1", accountId: "a", context: parameters }, target);
      await assert.rejects(client.deleteBucket({ bucketId: "b1", context: parameters }, target), DriverError);
    } finally {
      await connection.close();
    }
    return driver.calls.map((call) => `${call.path} ${call.body.toString("hex")} ${call.authority}`);
  };

  it("see all five methods and their status, and no byte of a request changes [GRPC-116]", async () => {
    driver.on(paths.delete, () => ({ code: status.FAILED_PRECONDITION }));
    const without = await callAll();
    process.env[variable] = example;
    const withInterceptor = await callAll();
    assert.deepEqual(withInterceptor, without);
    const { seen } = (await import(example)) as { seen: string[] };
    assert.deepEqual(seen, [
      `${paths.getInfo} 0`,
      `${paths.create} 0`,
      `${paths.grant} 0`,
      `${paths.revoke} 0`,
      `${paths.delete} 9`,
    ]);
  });

  it("come from CommonJS, compiled and ECMAScript modules, one or several each, in the order given", async () => {
    const modules = [
      module("one.cjs", "module.exports = function one() {};"),
      module("compiled.cjs", "exports.__esModule = true; exports.default = function compiled() {};"),
      module("several.mjs", "export default [function first() {}, function second() {}];"),
    ];
    process.env[variable] = modules.join(path.delimiter);
    const names = (await loadInterceptors()).map((interceptor) => interceptor.name);
    assert.deepEqual(names, ["one", "compiled", "first", "second"]);
  });

  it("are none where the variable is unset or empty", async () => {
    assert.deepEqual(await loadInterceptors(), []);
    process.env[variable] = "";
    assert.deepEqual(await loadInterceptors(), []);
  });

  for (const [what, entry, text] of [
    ["does not exist", () => path.join(folder, "absent.js"), /absent\.js" cannot be loaded: .*Cannot find/],
    ["fails", () => module("bad.cjs", "throw new Error('on load')"), /bad\.cjs" cannot be loaded: on load/],
    ["exports something else", () => module("none.cjs", "exports.a = 1"), /none\.cjs" has no interceptor/],
    ["is named by a relative path", () => "tracing.js", /"tracing\.js" is not named by an absolute path/],
  ] as const) {
    it(`that come from a module which ${what} are an error before any call, with the variable to correct`, async () => {
      process.env[variable] = entry();
      await assert.rejects(callAll(), (error: unknown) => {
        assert.ok(error instanceof DriverError);
        assert.match(error.message, text);
        assert.match(error.message, /Next: correct or unset PULUMI_COSI_INTERCEPTORS/);
        return true;
      });
      assert.deepEqual(driver.calls, []);
    });
  }
});
