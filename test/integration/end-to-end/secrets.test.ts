import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { status } from "@grpc/grpc-js";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { secretKey } from "../../support/cosi-v1alpha1";
import { OwnTemporaryFolder } from "../../support/end-to-end/leftovers";
import { quickProgram } from "../../support/end-to-end/program";
import { SecretScanner } from "../../support/end-to-end/secret-scanner";
import { withoutAnswersOfEngine } from "../../support/end-to-end/secret-watch";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

const parameter = "p4rameter/that+is=secret";
const laterParameter = "an0ther/parameter+that=is";

/** All that Pulumi can be made to print. */
const loud = ["--debug", "--logtostderr", "-v=11"];
const refusedUp = "an up that the driver refuses with the secrets in its text";

const program = (endpoint: string, ofAccess: string): string => `
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)} });
const bucket = new cosi.Bucket("photos", {
  driver, deletionPolicy: "Delete", parameters: { color: "gold", password: pulumi.secret("${parameter}") },
});
const access = new cosi.BucketAccess("photos-rw", { bucket, parameters: { password: pulumi.secret("${ofAccess}") } });
export const { accessKeyId, accessSecretKey, credentials } = access;
`;

describe("secrets in a program without a cluster", function () {
  this.timeout(600_000);
  const scanner = new SecretScanner({
    parameter,
    laterParameter,
    accessSecretKey: secretKey,
    accessKeyId: "AKEXAMPLE",
  });
  const printed: Record<string, string> = {};
  let driver: WatchedDriver;
  let temporary: OwnTemporaryFolder;
  let stack: Stack;

  const run = async (
    name: string,
    args: readonly string[],
    ends: "succeed" | "fail" = "succeed",
  ): Promise<void> => {
    const text = await stack[ends](args, { PULUMI_COSI_TRACE: "1", PULUMI_DEBUG_COMMANDS: "true" });
    printed[name] = withoutAnswersOfEngine(text);
  };

  before(async () => {
    driver = await new WatchedDriver().start();
    temporary = await OwnTemporaryFolder.create();
    stack = await Stack.create(
      { source: program(driver.fake.endpoint, parameter) },
      { ...temporary.variables, ...quickProgram },
    );
    // The run in which it would be granted is refused, so no state ever holds it.
    stack.know("the later parameter", laterParameter);
  });
  after(async () => {
    await stack.remove();
    await temporary.remove();
    driver.fake.stop();
  });

  it("stand encrypted in the state, and nowhere in what is printed, traced or left in files [GRPC-084] [CASE-P28] [CASE-U05]", async () => {
    await run("the first preview", ["preview", "--diff"]);
    await run("up at the highest verbosity", ["up", "--yes", "--diff", ...loud]);
    const { resources, text: state } = await stack.state();
    await run("the preview as JSON", ["preview", "--json"]);

    stack.write(program(driver.fake.endpoint, laterParameter));
    await run("the preview of a changed secret", ["preview", "--diff"]);
    driver.meanwhile = ({ rpc }) =>
      Promise.resolve(
        rpc === "grant"
          ? { code: status.INVALID_ARGUMENT, message: `no access with ${laterParameter} beside ${secretKey}` }
          : undefined,
      );
    await run(refusedUp, ["up", "--yes", "--diff"], "fail");
    await run("destroy", [
      "destroy",
      "--yes",
      "--diff",
      "--event-log",
      path.join(temporary.path, "events.json"),
    ]);

    assert.match(printed[refusedUp] ?? "", /DriverGrantBucketAccess: INVALID_ARGUMENT: no access with /);
    const providers = resources.map(({ inputs }) => String(inputs?.["__provider"])).join("\n");
    assert.match(printed["up at the highest verbosity"] ?? "", /"level":"INFO"/);
    const files = temporary.files();
    assert.ok(Object.keys(files).some((file) => file.endsWith("/events.json")));
    const texts = { state, providers, ...printed, ...files, ...backendFiles(stack) };
    assert.deepEqual(scanner.find(texts), []);
  });

  it("reach the driver as they are, at create and at delete [GRPC-083]", () => {
    const expected = new Map([
      ["color", "gold"],
      ["password", parameter],
    ]);
    const [created] = driver.fake.calls.filter((call) => call.path.endsWith("/DriverCreateBucket"));
    const [deleted] = driver.fake.calls.filter((call) => call.path.endsWith("/DriverDeleteBucket"));
    assert.ok(created !== undefined && deleted !== undefined);
    assert.deepEqual(DriverCreateBucketRequest.decode(created.body).parameters, expected);
    assert.deepEqual(DriverDeleteBucketRequest.decode(deleted.body).deleteContext, expected);
  });
});

/** What Pulumi has written to its backend: the state, its history and its backups. */
function backendFiles({ environment }: Stack): Record<string, string> {
  const folder = environment.backend;
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  assert.ok(files.length > 0, "the backend has no files");
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [name, fs.readFileSync(path.join(parentPath, name), "utf8")]),
  );
}
