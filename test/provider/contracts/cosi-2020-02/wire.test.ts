import assert from "node:assert/strict";
import type {
  AccessMode,
  CallTarget,
  CreatedBucket,
  GrantedAccess,
  IssuedCredential,
  Protocol,
} from "../../../../provider/contracts/contract";
import { Connection } from "../../../../provider/driver/connection";
import {
  handlerSettings,
  obligingHandlers,
  paths,
  provisioner,
  replies,
} from "../../../support/cosi-2020-02";
import type { FakeDriver } from "../../../support/fake-driver";
import { message } from "../../../support/protobuf";

const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName: provisioner };

/** The numbers of the members in the oneofs: of both replies, of a delete, and of grant and revoke. */
const members = {
  Azure: { reply: 1, delete: 4, access: 3 },
  GCS: { reply: 2, delete: 5, access: 4 },
  S3: { reply: 3, delete: 6, access: 5 },
} as const;

/** What drivers of each protocol tell and are told back, by hand. */
const protocols = [
  {
    protocol: "S3",
    number: 3,
    authentication: message([1, "AK1"], [2, "february-key"], [3, "february-sts"], [4, "u1"], [5, 2]),
    created: (authentication: Buffer) =>
      message([1, "B1"], [2, "eu-2"], [3, "https://s3.example.com"], [4, authentication]),
    bucket: { bucketName: "B1", region: "eu-2", endpoint: "https://s3.example.com" },
    account: {
      accessKeyId: "AK1",
      secretKey: "february-key",
      stsToken: "february-sts",
      userName: "u1",
      signatureVersion: "V4",
    },
    accountId: "u1",
    named: message([1, "B1"], [2, "eu-2"], [3, "https://s3.example.com"], [4, "AK1"], [5, "u1"], [6, 2]),
    identifier: {
      bucketName: "B1",
      region: "eu-2",
      endpoint: "https://s3.example.com",
      accessKeyId: "AK0",
      userName: "u0",
      signatureVersion: "V2",
    },
    identified: message([1, "B1"], [2, "eu-2"], [3, "https://s3.example.com"], [4, "AK0"], [5, "u0"], [6, 1]),
  },
  {
    protocol: "GCS",
    number: 2,
    authentication: message([1, "sa@p-1"], [2, "k1"], [3, "february-pem"]),
    created: (authentication: Buffer) => message([1, "B1"], [2, "p-1"], [3, authentication]),
    bucket: { bucketName: "B1", projectId: "p-1" },
    account: { serviceAccountName: "sa@p-1", privateKeyName: "k1", privateKey: "february-pem" },
    accountId: "sa@p-1",
    named: message([1, "B1"], [2, "p-1"], [3, "k1"], [4, "sa@p-1"]),
    identifier: { bucketName: "B1", projectId: "p-1", serviceAccount: "sa0@p-1" },
    identified: message([1, "B1"], [2, "p-1"], [3, "sa0@p-1"]),
  },
  {
    protocol: "Azure",
    number: 1,
    authentication: message([1, "store1"], [2, "february-key"], [3, "february-sas"]),
    created: (authentication: Buffer) => message([1, "B1"], [2, authentication]),
    bucket: { containerName: "B1" },
    account: { storageAccountName: "store1", accountKey: "february-key", sasToken: "february-sas" },
    accountId: "store1",
    named: message([1, "B1"], [2, "store1"]),
    identifier: { containerName: "B1", storageAccountName: "store0" },
    identified: message([1, "B1"], [2, "store0"]),
  },
] as const;

describe("the wire of cosi-2020-02", () => {
  let driver: FakeDriver;
  let connection: Connection;

  beforeEach(async () => {
    driver = await obligingHandlers().start();
    connection = new Connection(handlerSettings(driver.endpoint));
  });

  afterEach(async () => {
    await connection.close();
    driver.stop();
  });

  const sent = (): string[] => driver.calls.map(({ path, body }) => `${path} ${body.toString("hex")}`);
  const due = (path: string, body: Buffer): string => `${path} ${body.toString("hex")}`;

  const parameters = { tier: "gold", "cosi.io/x": " v ", empty: "" };

  async function create(
    reply: Buffer,
    protocol: Protocol = "S3",
    accessMode?: AccessMode,
  ): Promise<CreatedBucket> {
    driver.on(paths.create, () => reply);
    const request = { name: "b1", parameters, protocol, ...(accessMode && { accessMode }) };
    return (await connection.client.createBucket(request, target)).reply;
  }

  async function grant(
    reply: Buffer,
    protocol: Protocol = "S3",
    changes: { identifier?: Record<string, string>; accessMode?: AccessMode } = {},
  ): Promise<GrantedAccess> {
    driver.on(paths.grant, () => reply);
    const request = {
      bucketId: "B1",
      name: "a1",
      authenticationType: "Key",
      parameters,
      protocol,
      ...changes,
    } as const;
    return (await connection.client.grantAccess(request, target)).reply;
  }

  for (const { protocol, number, authentication, created, ...known } of protocols) {
    const { bucket, account, accountId, named, identifier, identified } = known;
    const { reply, delete: deleted, access } = members[protocol];
    const kind = protocol.toLowerCase();

    it(`has every field of a bucket of ${protocol} with its account, byte for byte [K02-100] [K02-103] [K02-105] [K02-107]`, async () => {
      const made = await create(message([reply, created(authentication)]), protocol, "wo");
      const { bucketId, issued } = made;
      assert.deepEqual(made, {
        bucketId: "B1",
        bucketInfo: null,
        issued: { kind, values: { ...bucket, ...account } },
      });
      assert.ok(issued !== undefined);
      const later = { bucketId, context: parameters, issued, protocol, accessMode: "wo" } as const;
      await connection.client.revokeAccess({ ...later, accountId }, target);
      await connection.client.deleteBucket(later, target);
      assert.deepEqual(sent(), [
        due(paths.create, message([1, "b1"], [2, number], [3, parameters], [4, 2])),
        due(paths.revoke, message([1, parameters], [2, 2], [access, named])),
        due(paths.delete, message([1, 1], [2, parameters], [3, 2], [deleted, named])),
      ]);
    });

    it(`has every field of an account of ${protocol} for a bucket that is there, byte for byte [K02-075] [K02-078] [K02-106] [K02-107]`, async () => {
      const granted = await grant(message([reply, authentication]), protocol, {
        identifier,
        accessMode: "ro",
      });
      const [issued] = granted.issued ?? [];
      const values = { ...bucket, ...account };
      assert.deepEqual(granted, {
        accountId,
        issued: [{ kind, values }],
        credentials: new Map([[kind, new Map(Object.entries(values))]]),
      });
      assert.ok(issued !== undefined);
      const revoke = { bucketId: "B1", accountId, context: parameters, protocol, issued } as const;
      await connection.client.revokeAccess({ ...revoke, accessMode: "ro" }, target);
      assert.deepEqual(sent(), [
        due(paths.grant, message([1, parameters], [2, 1], [access, identified])),
        due(paths.revoke, message([1, parameters], [2, 1], [access, named])),
      ]);
    });

    it(`has no byte for what is not known of a bucket of ${protocol}, but for its name`, async () => {
      const { client } = connection;
      await grant(replies.empty(), protocol);
      await client.revokeAccess({ bucketId: "B1", accountId: "a1", context: {}, protocol }, target);
      await client.deleteBucket({ bucketId: "B1", context: {}, protocol }, target);
      const name = message([1, "B1"]);
      assert.deepEqual(sent(), [
        due(paths.grant, message([1, parameters], [2, 3], [access, name])),
        due(paths.revoke, message([2, 3], [access, name])),
        due(paths.delete, message([1, 1], [3, 3], [deleted, name])),
      ]);
    });

    it(`has the requested name for a bucket of ${protocol} whose driver tells none, and finds fault without credentials [K02-104]`, async () => {
      const key = protocol === "Azure" ? "containerName" : "bucketName";
      assert.deepEqual(await create(message([reply, message()]), protocol), {
        bucketId: "b1",
        bucketInfo: null,
        issued: { kind, values: { [key]: "b1" } },
        problem: "the driver answered OK without any credential",
      });
    });

    it(`finds fault with a reply that is not of ${protocol}, and says with what [K02-104] [K02-106]`, async () => {
      const key = protocol === "Azure" ? "containerName" : "bucketName";
      for (const other of ["S3", "GCS", "Azure", undefined] as const) {
        if (other === protocol) continue;
        const wrong =
          other === undefined ? replies.empty() : message([members[other].reply, message([1, "X"])]);
        const problem = `${protocol} was asked for, but the driver's reply is for protocol ${other ?? "none"}`;
        const values = (name: string): IssuedCredential["values"] => ({ [key]: name });
        assert.deepEqual(await create(wrong, protocol), {
          bucketId: "b1",
          bucketInfo: null,
          issued: { kind, values: values("b1") },
          problem,
        });
        assert.deepEqual(await grant(wrong, protocol), {
          accountId: "B1",
          issued: [{ kind, values: values("B1") }],
          credentials: new Map(),
          problem,
        });
      }
    });
  }

  for (const [mode, number] of [
    [undefined, 3],
    ["ro", 1],
    ["wo", 2],
    ["rw", 3],
  ] as const) {
    it(`has the access mode ${mode ?? "that is not given"} as ${number} in every call [K02-052]`, async () => {
      const rest = { context: {}, ...(mode && { accessMode: mode }) };
      await create(replies.created("b1"), "S3", mode);
      await grant(replies.granted(), "S3", mode && { accessMode: mode });
      await connection.client.revokeAccess({ bucketId: "b1", accountId: "a1", ...rest }, target);
      await connection.client.deleteBucket({ bucketId: "b1", ...rest }, target);
      const field = [4, 2, 2, 3].map((at) => message([at, number]).toString("hex"));
      for (const [index, bytes] of field.entries()) assert.ok(sent()[index]?.includes(bytes), sent()[index]);
    });
  }

  it("is of S3 where the protocol is not given", async () => {
    driver.on(paths.create, () => replies.created("b1"));
    await connection.client.createBucket({ name: "b1", parameters: {} }, target);
    assert.deepEqual(sent(), [due(paths.create, message([1, "b1"], [2, 3], [4, 3]))]);
  });

  it("has no field for provisioner secrets, and none is sent [K02-085]", async () => {
    const { client } = connection;
    const secrets = { AccessKeyId: "february-admin" };
    const common = { bucketId: "b1", secrets };
    await client.createBucket({ name: "b1", parameters: {}, secrets }, target);
    await client.grantAccess({ ...common, name: "a1", authenticationType: "Key", parameters: {} }, target);
    await client.revokeAccess({ ...common, accountId: "a1", context: {} }, target);
    await client.deleteBucket({ ...common, context: {} }, target);
    assert.equal(driver.calls.length, 4);
    assert.ok(driver.calls.every(({ body }) => !body.includes("february-admin")));
  });

  describe("an account", () => {
    const s3 = (...fields: readonly (readonly [number, string])[]): Buffer =>
      message([3, message(...fields)]);

    for (const [what, fields, accountId] of [
      [
        "the user",
        [
          [1, "AK1"],
          [4, "u1"],
        ],
        "u1",
      ],
      ["the key, where no user is told", [[1, "AK1"]], "AK1"],
      ["the bucket, where nothing is told", [], "B1"],
    ] as const) {
      it(`is called after ${what}`, async () => {
        const identifier = { accessKeyId: "AK0", userName: "u0" };
        assert.equal((await grant(s3(...fields), "S3", { identifier })).accountId, accountId);
      });
    }

    it("is called after the key's name at GCS, where no service account is told", async () => {
      assert.equal((await grant(message([2, message([2, "k1"])]), "GCS")).accountId, "k1");
    });

    it("keeps of what the program knows what its driver does not tell [K02-075]", async () => {
      const identifier = { region: "eu-1", userName: "u0", signatureVersion: "V2", other: "x" };
      const { issued } = await grant(s3([1, "AK1"], [2, "february-key"]), "S3", { identifier });
      assert.deepEqual(issued, [
        {
          kind: "s3",
          values: {
            bucketName: "B1",
            region: "eu-1",
            userName: "u0",
            signatureVersion: "V2",
            accessKeyId: "AK1",
            secretKey: "february-key",
          },
        },
      ]);
    });
  });

  it("is read as what is known of it, where a later release has more fields and numbers", async () => {
    const account = message([1, "AK1"], [2, "february-key"], [5, 9], [9, "x"]);
    const { issued, problem } = await create(
      message([3, message([1, "B1"], [4, account], [8, "y"])], [7, "z"]),
    );
    assert.equal(problem, undefined);
    assert.deepEqual(issued?.values, {
      bucketName: "B1",
      accessKeyId: "AK1",
      secretKey: "february-key",
    });
  });
});
