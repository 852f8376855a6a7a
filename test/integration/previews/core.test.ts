import { quickProgram } from "../../support/end-to-end/program";
import { describePreviews, type PreviewPlace } from "../../support/previews/golden-previews";
import { Stack } from "../../support/stack";
import { StoringDriver } from "../../support/workflows/storing-driver";

/** A driver, and no cluster. */
class DriverAlone implements PreviewPlace {
  readonly names = {};
  readonly #stacks: Stack[] = [];

  private constructor(readonly driver: StoringDriver) {}

  static async start(): Promise<DriverAlone> {
    return new DriverAlone(await new StoringDriver().start());
  }

  async stack(source: string): Promise<Stack> {
    const stack = await Stack.create({ source }, quickProgram);
    this.#stacks.push(stack);
    return stack;
  }

  calls(): readonly string[] {
    return this.driver.fake.paths();
  }

  forget(): void {
    this.driver.forget();
  }

  async stop(): Promise<void> {
    for (const stack of this.#stacks) await stack.remove();
    this.driver.fake.stop();
  }
}

const head = (endpoint: string): string => `
import * as cosi from "pulumi-cosi";
const endpoint = ${JSON.stringify(endpoint)};
const driver = new cosi.Driver("store", { endpoint });
`;

const parts = `
const bucket = (name: string, more: object = {}, opts: object = {}) =>
  new cosi.Bucket(name, { driver, deletionPolicy: "Delete", ...more }, opts);
const access = (name: string, more: object = {}, opts: object = {}) =>
  new cosi.BucketAccess(name, { bucket: photos, ...more }, opts);
const photos = bucket("photos");
`;

const created = `
const photos = new cosi.Bucket("photos", { driver, deletionPolicy: "Delete" });
new cosi.BucketAccess("photos-rw", { bucket: photos });
`;

const before = `${parts}
const moved = new cosi.Driver("driver-moved", { endpoint });
bucket("of-a-moved-driver", { driver: moved });
bucket("retain-to-delete", { deletionPolicy: "Retain" });
bucket("delete-to-retain");
bucket("unprotected");
const changed = bucket("parameters", { protectData: false, parameters: { tier: "hot" } });
access("follows-its-bucket", { bucket: changed });
bucket("another-name", { protectData: false, name: "old-name" });
bucket("removed");
bucket("renamed");
access("access-mode", { parameters: { accessMode: "ro" } });
access("rotation");
access("address");
access("access-removed");
`;

const after = `${parts}
const moved = new cosi.Driver("driver-moved", { endpoint, callTimeoutSeconds: 90 });
bucket("of-a-moved-driver", { driver: moved });
bucket("retain-to-delete");
bucket("delete-to-retain", { deletionPolicy: "Retain" });
bucket("unprotected", { protectData: false });
const changed = bucket("parameters", { protectData: false, parameters: { tier: "cold" } });
access("follows-its-bucket", { bucket: changed });
bucket("another-name", { protectData: false, name: "new-name" });
bucket("renamed-now", {}, { aliases: [{ name: "renamed" }] });
access("access-mode", { parameters: { accessMode: "rw" } });
access("rotation", { rotation: { trigger: "2026-11" } });
access("address", { endpoint: "https://s3.example.com", region: "eu-1" });
`;

describePreviews(
  "core",
  () => DriverAlone.start(),
  ({ driver }) => {
    const begin = head(driver.fake.endpoint);
    return { created: begin + created, before: begin + before, after: begin + after };
  },
  ["photos", "renamed", "renamed-now"],
);
