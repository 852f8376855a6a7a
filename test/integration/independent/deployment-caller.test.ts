import assert from "node:assert/strict";
import { BinaryReader, BinaryWriter } from "google-protobuf";
import { provider as accessProvider } from "../../../provider/deployment-access/provider";
import { provider as deploymentProvider } from "../../../provider/deployment/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { quickSettings } from "../../support/settings";

/** Fields of a message by their numbers, as the published .proto has them. */
type Fields = Readonly<Record<number, readonly [name: string, type: "string" | "enum" | "map"]>>;

const context = (number: number, name: string): Fields => ({ [number]: [name, "map"] });

/** Requests of the published forms: the first has no contexts in delete and revoke. */
const requestsOf = (contexts: boolean): Readonly<Record<string, Fields>> => ({
  DriverGetInfo: {},
  DriverCreateDeployment: { 1: ["name", "string"], 2: ["parameters", "map"] },
  DriverGrantDeploymentAccess: {
    1: ["deployment_id", "string"],
    2: ["name", "string"],
    3: ["authentication_type", "enum"],
    4: ["parameters", "map"],
  },
  DriverRevokeDeploymentAccess: {
    1: ["deployment_id", "string"],
    2: ["account_id", "string"],
    ...(contexts ? context(3, "revoke_access_context") : {}),
  },
  DriverDeleteDeployment: {
    1: ["deployment_id", "string"],
    ...(contexts ? context(2, "delete_context") : {}),
  },
});

/** Reads a message with Google's library, which the product does not encode with. */
function decoded(bytes: Uint8Array, fields: Fields): { known: Properties; unknown: number[] } {
  const known: Properties = {};
  const unknown: number[] = [];
  const reader = new BinaryReader(bytes);
  while (reader.nextField() && !reader.isEndGroup()) {
    const number = reader.getFieldNumber();
    const [name, type] = fields[number] ?? [];
    if (name === undefined) {
      unknown.push(number);
      reader.skipField();
    } else if (type === "string") known[name] = reader.readString();
    else if (type === "enum") known[name] = reader.readEnum();
    else {
      const entry = decoded(reader.readBytes(), {
        1: ["key", "string"],
        2: ["value", "string"],
      });
      const { key = "", value = "" } = entry.known;
      known[name] = { ...(known[name] as Properties | undefined), [String(key)]: value };
    }
  }
  return { known, unknown };
}

const written = (write: (writer: BinaryWriter) => void): Uint8Array => {
  const writer = new BinaryWriter();
  write(writer);
  return writer.getResultBuffer();
};

const parameters = { " k ": " x ", json: '{"a":1}', ü: "漢" };
const accessParameters = { mode: "ro" };
const service = "/deployment.v1alpha1";

describe("a driver of deployments that shares no code with ours", () => {
  let driver: FakeDriver;

  beforeEach(beginRun);
  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  /** A driver by the published numbers alone. */
  function published(): FakeDriver {
    const text = (value: string) => (writer: BinaryWriter) => {
      writer.writeString(1, value);
    };
    const entry = (key: string, value: Uint8Array): Uint8Array =>
      written((writer) => {
        writer.writeString(1, key);
        writer.writeBytes(2, value);
      });
    const secrets = written((writer) => {
      writer.writeBytes(1, entry("DB_USER", Buffer.from("u")));
    });
    return new FakeDriver()
      .on(`${service}.Identity/DriverGetInfo`, () => written(text("fake.example.com")))
      .on(`${service}.Provisioner/DriverCreateDeployment`, () => written(text("d1")))
      .on(`${service}.Provisioner/DriverGrantDeploymentAccess`, () =>
        written((writer) => {
          writer.writeString(1, "u1");
          writer.writeBytes(2, entry("cred", secrets));
        }),
      )
      .on(`${service}.Provisioner/DriverRevokeDeploymentAccess`, () => new Uint8Array())
      .on(`${service}.Provisioner/DriverDeleteDeployment`, () => new Uint8Array());
  }

  /** One life through our providers. */
  async function live(endpoint: string): Promise<{ deployment: string; account: string }> {
    const [drivers, deployments, accesses] = [driverProvider, deploymentProvider, accessProvider].map(
      (provider) => new Lifecycle(provider),
    ) as [Lifecycle, Lifecycle, Lifecycle];
    const settings = quickSettings(endpoint, "deployment.v1alpha1");
    const made = (await drivers.create({ ...settings, logicalName: "store" })).outputs;
    const reference = { ...settings, driverName: made["driverName"], seed: made["seed"] };
    const given = { driver: reference, logicalName: "orders", parameters, deletionPolicy: "Delete" };
    const deployment = (await deployments.create(given)).outputs;
    const ofIt = { deploymentName: deployment["name"], deploymentId: deployment["deploymentId"] };
    const access = (
      await accesses.create({
        driver: reference,
        logicalName: "orders-rw",
        ...ofIt,
        parameters: accessParameters,
      })
    ).outputs;
    assert.deepEqual(access["credentials"], { cred: { DB_USER: "u" } });
    beginRun();
    await accesses.delete(access);
    await deployments.delete(deployment);
    return { deployment: String(deployment["name"]), account: String(access["name"]) };
  }

  for (const [form, contexts] of [
    ["first", false],
    ["second", true],
  ] as const) {
    it(`reads every field of ours by the numbers of the ${form} published form [DEP-002] [DEP-033]`, async () => {
      driver = await published().start();
      const { deployment, account } = await live(driver.endpoint);
      const requests = requestsOf(contexts);
      assert.deepEqual(driver.paths(), Object.keys(requests));
      const read = driver.calls.map(({ path, body }) =>
        decoded(body, requests[path.split("/")[2] ?? ""] ?? {}),
      );
      assert.deepEqual(
        read.map(({ known }) => known),
        [
          {},
          { name: deployment, parameters },
          { deployment_id: "d1", name: account, authentication_type: 1, parameters: accessParameters },
          {
            deployment_id: "d1",
            account_id: "u1",
            ...(contexts ? { revoke_access_context: accessParameters } : {}),
          },
          { deployment_id: "d1", ...(contexts ? { delete_context: parameters } : {}) },
        ],
      );
      // What the first form does not know stands in fields of their own, one per entry, and hurts nobody.
      assert.deepEqual(
        read.map(({ unknown }) => unknown),
        contexts ? [[], [], [], [], []] : [[], [], [], [3], [2, 2, 2]],
      );
      assert.ok(driver.calls.every(({ authority }) => authority === "localhost"));
    });
  }
});
