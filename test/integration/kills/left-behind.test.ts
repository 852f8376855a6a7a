import assert from "node:assert/strict";
import * as fs from "node:fs";
import { OwnTemporaryFolder } from "../../support/end-to-end/leftovers";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { KillableCommand } from "../../support/kills/killable-command";
import { OwnStore } from "../../support/kills/own-store";
import { Stack } from "../../support/stack";

const program = `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", {
  command: ["cosi-driver-s3"],
  environment: Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(AWS|S3_DRIVER)_/.test(name))),
});
const photos = new cosi.Bucket("photos", { driver, deletionPolicy: "Delete" });
new cosi.BucketAccess("photos-rw", { bucket: photos });
`;

describe("a machine where the driver of a killed run is still there", function () {
  this.timeout(300_000);
  let store: OwnStore;
  let temporary: OwnTemporaryFolder;
  let stack: Stack;
  /** Folders of sockets, and drivers, that the killed run has left. */
  let left: { folders: string[]; drivers: number[] };

  const drivers = (): number[] =>
    temporary
      .processes()
      .filter(({ isDriver }) => isDriver)
      .map(({ pid }) => pid);

  before(async () => {
    [store, temporary] = await Promise.all([OwnStore.start(), OwnTemporaryFolder.create()]);
    const variables = {
      ...temporary.variables,
      ...quickProgram,
      ...s3DriverEnvironment(store.access),
    };
    stack = await Stack.create({ source: program }, variables);
    const command = new KillableCommand(stack, ["up", "--yes", "--skip-preview"], temporary);
    const run = { over: false };
    const ended = command.ended.finally(() => (run.over = true));
    while (!run.over && (await store.buckets()).length === 0) await pause();
    assert.ok(!run.over, "the run was not killed");
    // The host and the supervisor, either of which would end the driver.
    command.killAll(({ isDriver }) => isDriver);
    await ended;
    left = { folders: temporary.socketFolders(), drivers: drivers() };
    await stack.run(["cancel", "--yes"]);
  });

  after(async () => {
    for (const pid of drivers()) process.kill(pid, "SIGKILL");
    await stack.remove();
    await store.stop();
    await temporary.remove();
  });

  it("has that driver, and the folder of its socket", () => {
    assert.equal(left.drivers.length, 1);
    assert.equal(left.folders.length, 1);
    const [folder = ""] = left.folders;
    assert.deepEqual(fs.readdirSync(`${temporary.path}/${folder}`), ["driver.sock"]);
  });

  it("lets the next up start a driver of its own, and end as if nothing had been", async () => {
    await stack.up();
    assert.equal((await store.buckets()).length, 1);
    const users = await store.users();
    assert.equal(users.length, 1);
    assert.equal((await store.keysOf(users[0] ?? "")).length, 1);
  });

  it("keeps what it does not know, and nothing else", async () => {
    await stack.destroy();
    assert.deepEqual([await store.buckets(), await store.users()], [[], []]);
    // The supervisor ends the driver, and then takes its folder away.
    while (drivers().length > left.drivers.length) await pause();
    while (temporary.socketFolders().length > left.folders.length) await pause();
    assert.deepEqual(drivers(), left.drivers);
    assert.deepEqual(temporary.socketFolders(), left.folders);
  });
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
