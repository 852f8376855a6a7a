import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { Calls } from "../../../drivers/common/calls/calls";
import { createLog } from "../../../drivers/common/log";
import { type DriverServer, startServer } from "../../../drivers/common/server/driver-server";
import { deploymentV1alpha1 } from "../../../drivers/postgres/contracts/deployment-v1alpha1/services";
import { createDriver } from "../../../drivers/postgres/core/driver";
import { toDriverError } from "../../../drivers/postgres/core/server-error";
import {
  AuthenticationType,
  DriverGrantDeploymentAccessRequest,
} from "../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import { refusal } from "../common/calls";
import { makeFolders } from "../common/folders";
import { RawClient } from "../common/raw-client";
import { DriverClient } from "./support/driver-client";
import { type FakeServer, startFakeServer } from "./support/fake-server";
import { SECRET, fakeServerConfig } from "./support/fake-server-config";

describe("deployment.v1alpha1 of the PostgreSQL driver, at a fake server", () => {
  const folders = makeFolders();
  const logLines: string[] = [];
  let server: FakeServer;
  let driverServer: DriverServer;
  let client: DriverClient;
  let raw: RawClient;

  before(async () => {
    server = await startFakeServer();
    const log = createLog("debug", (line) => logLines.push(line));
    const driver = createDriver("postgres.test.dev", fakeServerConfig(server.port), log);
    driverServer = await startServer(
      { path: folders.socket, mode: 0o600, variable: "Deployment_ENDPOINT" },
      deploymentV1alpha1(driver, new Calls(log, toDriverError)),
    );
    client = new DriverClient(folders.socket);
    raw = new RawClient(folders.socket);
  });

  after(async () => {
    client.close();
    raw.close();
    await driverServer.stop(Promise.resolve());
    await server.stop();
    folders.remove();
  });

  beforeEach(() => {
    server.answer = { code: "XX000", message: "not expected here" };
  });

  it("tells the name it was given", async () => {
    assert.deepEqual(await client.getInfo(), { name: "postgres.test.dev" });
  });

  it("serves the five methods of the contract and the status of the extension, under their paths [DEP-001] [DEP-083]", async () => {
    const { Identity, Provisioner } = {
      Identity: ["DriverGetInfo"],
      Provisioner: [
        "DriverCreateDeployment",
        "DriverDeleteDeployment",
        "DriverGrantDeploymentAccess",
        "DriverRevokeDeploymentAccess",
        "DriverGetDeploymentStatus",
      ],
    };
    for (const method of Identity) await raw.call(`/deployment.v1alpha1.Identity/${method}`, "");
    for (const method of Provisioner) {
      await refusal(raw.call(`/deployment.v1alpha1.Provisioner/${method}`, ""), status.INVALID_ARGUMENT);
    }
    await refusal(
      raw.call("/deployment.v1alpha1.Provisioner/DriverUpdateDeployment", ""),
      status.UNIMPLEMENTED,
    );
    await refusal(raw.call("/deployment.v1alpha1.Identity/Odd", ""), status.UNIMPLEMENTED);
  });

  it("reads the bytes of the published numbers [DEP-001]", async () => {
    server.answer = { code: "42501", message: "seen" };
    const at = "/deployment.v1alpha1.Provisioner";
    for (const [method, bytes, named] of [
      ["DriverCreateDeployment", "0a026231", /"b1"/],
      ["DriverGrantDeploymentAccess", "0a0262311201611801", /"a".*"b1"/],
      ["DriverRevokeDeploymentAccess", "0a026231120175", /"u".*"b1"/],
      ["DriverDeleteDeployment", "0a026231", /"b1"/],
      ["DriverGetDeploymentStatus", "0a026231", /"b1"/],
    ] as const) {
      const { details } = await refusal(raw.call(`${at}/${method}`, bytes), status.PERMISSION_DENIED);
      assert.match(details, named);
    }
    // Parameters, k=v: no key of this driver.
    for (const [method, bytes] of [
      ["DriverCreateDeployment", "0a02623112060a016b120176"],
      ["DriverGrantDeploymentAccess", "0a026231120161180122060a016b120176"],
    ] as const) {
      const { details } = await refusal(raw.call(`${at}/${method}`, bytes), status.INVALID_ARGUMENT);
      assert.match(details, /parameters: key "k"/);
    }
  });

  const { Key, IAM, UnknownAuthenticationType } = AuthenticationType;
  for (const [field, call] of [
    ["name", () => client.create("")],
    ["deployment_id", () => client.delete("")],
    ["deployment_id", () => client.grant("", "a")],
    ["name", () => client.grant("b", "")],
    ["authentication_type", () => client.grant("b", "a", {}, UnknownAuthenticationType)],
    ["deployment_id", () => client.revoke("", "u")],
    ["account_id", () => client.revoke("b", "")],
    ["deployment_id", () => client.status("")],
  ] as const) {
    it(`refuses a call without ${field} by that name: ${call.toString().slice(13)} [DEP-043]`, async () => {
      const before = server.connections;
      const { details } = await refusal(call(), status.INVALID_ARGUMENT);
      assert.match(details, new RegExp(`\\b${field} is required`));
      assert.equal(server.connections, before);
    });
  }

  it("refuses an authentication type that is unset, unknown or not offered, and asks the server nothing [DEP-006]", async () => {
    const before = server.connections;
    // As it comes from the wire: no value of the generated enum.
    const three = DriverGrantDeploymentAccessRequest.decode(Buffer.from("1803", "hex")).authenticationType;
    for (const type of [UnknownAuthenticationType, three, IAM]) {
      const { details } = await refusal(client.grant("orders", "reader", {}, type), status.INVALID_ARGUMENT);
      assert.match(details, /authentication_type/);
      assert.match(details, /"reader".*"orders"/);
    }
    assert.equal(server.connections, before);
  });

  // 4097 bytes.
  const wide = { ["k".repeat(39)]: "é".repeat(2029) };
  for (const [field, call] of [
    ["name", () => client.create("b".repeat(129))],
    ["name", () => client.create("b".repeat(64))],
    ["name", () => client.create("é".repeat(32))],
    ["parameters", () => client.create("b", wide)],
    ["deployment_id", () => client.delete("b".repeat(129))],
    ["delete_context", () => client.delete("b", wide)],
    ["deployment_id", () => client.grant("b".repeat(129), "a")],
    ["name", () => client.grant("b", "é".repeat(32))],
    ["parameters", () => client.grant("b", "a", wide, Key)],
    ["account_id", () => client.revoke("b", "u".repeat(129))],
    ["revoke_access_context", () => client.revoke("b", "u", wide)],
    ["deployment_id", () => client.status("b".repeat(129))],
  ] as const) {
    it(`refuses a field over its limit by that name: ${call.toString().slice(13)} [DEP-041]`, async () => {
      const before = server.connections;
      const { details } = await refusal(call(), status.INVALID_ARGUMENT);
      assert.match(details, new RegExp(`\\b${field} has \\d+ (bytes|characters)`));
      assert.equal(server.connections, before);
    });
  }

  for (const name of ["postgres", "template0", "template1", "maintenance", "pg_x", "a\nb", "a\u0000b"]) {
    it(`refuses ${JSON.stringify(name)} as the name of a deployment, with its reason [DEP-056]`, async () => {
      const before = server.connections;
      const { details } = await refusal(client.create(name), status.INVALID_ARGUMENT);
      assert.match(details, /name (is reserved|has a control character)/);
      assert.equal(server.connections, before);
    });
  }

  for (const name of ["public", "none", "pg_read_all_data", "a\tb"]) {
    it(`refuses ${JSON.stringify(name)} as the name of an account, with its reason [DEP-056]`, async () => {
      const { details } = await refusal(client.grant("orders", name), status.INVALID_ARGUMENT);
      assert.match(details, /name (is a name that PostgreSQL keeps|has a control character)/);
    });
  }

  for (const [what, call, wrong] of [
    [
      "create",
      (map: Record<string, string>) => client.create("orders", map),
      ["nope", "onDelete", "connectionLimit", "encoding", "locale", "icuLocale", "extensions", "mode"],
    ],
    [
      "delete",
      (map: Record<string, string>) => client.delete("orders", map),
      ["nope", "onDelete", "connectionLimit", "extensions", "mode"],
    ],
    [
      "grant",
      (map: Record<string, string>) => client.grant("orders", "a", map),
      ["nope", "mode", "onRevoke", "connectionLimit", "onDelete"],
    ],
    [
      "revoke",
      (map: Record<string, string>) => client.revoke("orders", "a", map),
      ["nope", "mode", "onRevoke", "connectionLimit", "onDelete"],
    ],
  ] as const) {
    it(`refuses unknown keys and bad values on ${what} and asks the server nothing [DEP-032]`, async () => {
      const before = server.connections;
      for (const key of wrong) {
        const { details } = await refusal(call({ [key]: "'; none" }), status.INVALID_ARGUMENT);
        assert.match(details, new RegExp(`"orders".*key "${key}": `));
      }
      assert.equal(server.connections, before);
    });
  }

  it("answers OUT_OF_RANGE to a number beyond its limits and INVALID_ARGUMENT to letters [DEP-056]", async () => {
    for (const limit of ["0", "-1", "10001", "99999999999999999999"]) {
      const { details } = await refusal(client.create("b", { connectionLimit: limit }), status.OUT_OF_RANGE);
      assert.match(details, new RegExp(`key "connectionLimit": ${limit} is not from 1 to 10000`));
      await refusal(client.grant("b", "a", { connectionLimit: limit }), status.OUT_OF_RANGE);
    }
    for (const limit of ["ten", "1e3", "", "0x10", " 5"]) {
      await refusal(client.create("b", { connectionLimit: limit }), status.INVALID_ARGUMENT);
      await refusal(client.grant("b", "a", { connectionLimit: limit }), status.INVALID_ARGUMENT);
    }
  });

  const everyCall = (): [string, () => Promise<unknown>][] => [
    ["orders", () => client.create("orders")],
    ["orders", () => client.delete("orders")],
    ["orders", () => client.grant("orders", "reader")],
    ["reader", () => client.revoke("orders", "reader")],
    ["orders", () => client.status("orders")],
  ];

  for (const [code, grpc] of [
    ["28P01", status.UNAUTHENTICATED],
    ["28000", status.UNAUTHENTICATED],
    ["42501", status.PERMISSION_DENIED],
    ["53300", status.RESOURCE_EXHAUSTED],
    ["53100", status.RESOURCE_EXHAUSTED],
    ["57P03", status.UNAVAILABLE],
    ["57P01", status.UNAVAILABLE],
    ["57014", status.UNAVAILABLE],
    ["08006", status.UNAVAILABLE],
    ["55P03", status.ABORTED],
    ["40P01", status.ABORTED],
    ["55006", status.ABORTED],
    ["55000", status.FAILED_PRECONDITION],
    ["3D000", status.FAILED_PRECONDITION],
    ["2BP01", status.FAILED_PRECONDITION],
    ["25006", status.FAILED_PRECONDITION],
    ["42710", status.ALREADY_EXISTS],
    ["42939", status.INVALID_ARGUMENT],
    ["XX000", status.INTERNAL],
    ["ZZZZZ", status.INTERNAL],
  ] as const) {
    it(`answers ${status[grpc]} when the server says ${code} [DEP-052] [DEP-060]`, async () => {
      server.answer = { code, message: `${code} said the server` };
      for (const [object, call] of everyCall()) {
        const { details, metadata } = await refusal(call(), grpc);
        assert.match(details, new RegExp(`"${object}".*${code}: ${code} said the server`));
        assert.deepEqual(metadata.get("grpc-status-details-bin"), []);
      }
    });
  }

  it("answers UNAVAILABLE to a connection that is cut [DEP-052]", async () => {
    server.answer = undefined;
    for (const [object, call] of everyCall()) {
      const { details } = await refusal(call(), status.UNAVAILABLE);
      assert.match(details, new RegExp(`"${object}".*cannot be reached`));
    }
  });

  it("answers UNAVAILABLE when nobody listens at the server's address [DEP-052]", async () => {
    const gone = await startFakeServer();
    await gone.stop();
    const second = makeFolders();
    const log = createLog("error", () => undefined);
    const running = await startServer(
      { path: second.socket, mode: 0o600, variable: "Deployment_ENDPOINT" },
      deploymentV1alpha1(
        createDriver("postgres.test.dev", fakeServerConfig(gone.port), log),
        new Calls(log, toDriverError),
      ),
    );
    const caller = new DriverClient(second.socket);
    const { details } = await refusal(caller.create("orders"), status.UNAVAILABLE);
    assert.match(details, /"orders".*ECONNREFUSED/);
    caller.close();
    await running.stop(Promise.resolve());
    second.remove();
  });

  it("survives a name of a megabyte, and a text of two halves of a character", async () => {
    await refusal(client.create("b".repeat(1 << 20)), status.INVALID_ARGUMENT);
    await refusal(client.create("😀".repeat(1 << 10)), status.INVALID_ARGUMENT);
    assert.deepEqual(await client.getInfo(), { name: "postgres.test.dev" });
  });

  for (const key of ["onDelete", "connectionLimit", "encoding", "locale", "icuLocale", "extensions"]) {
    it(`survives a value of ${key} that cannot be repeated but in part, between characters [DEP-052]`, async () => {
      for (const value of ["😀".repeat(500), `a${"😀".repeat(500)}`]) {
        const { details } = await refusal(client.create("orders", { [key]: value }), status.INVALID_ARGUMENT);
        assert.match(details, new RegExp(`"orders".*key "${key}": `));
      }
      assert.deepEqual(await client.getInfo(), { name: "postgres.test.dev" });
    });
  }

  it("logs one line per call, with names and codes and no secret [DEP-081]", async () => {
    server.answer = { code: "42501", message: "no" };
    logLines.length = 0;
    await refusal(client.grant("orders", "reader", { mode: "readonly" }), status.PERMISSION_DENIED);
    await refusal(client.create("orders", { token: "s3cr3t-parameter" }), status.INVALID_ARGUMENT);
    const text = logLines.join("");
    assert.equal(logLines.filter((line) => line.includes('"call failed"')).length, 2);
    assert.match(text, /"rpc":"DriverGrantDeploymentAccess".*orders.*reader.*"code":"PERMISSION_DENIED"/);
    assert.ok(!text.includes(SECRET) && !text.includes("s3cr3t-parameter"), text);
  });
});
