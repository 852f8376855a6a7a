import assert from "node:assert/strict";
import type {
  BucketInfo,
  CallTarget,
  IssuedCredential,
  Protocol,
  ProviderContext,
} from "../../../../provider/contracts/contract";
import { Connection } from "../../../../provider/driver/connection";
import {
  controllerSettings,
  obligingController,
  paths,
  provisioner,
  replies,
} from "../../../support/cosi-2020-07";
import type { FakeDriver } from "../../../support/fake-driver";
import { message } from "../../../support/protobuf";

const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName: provisioner };

/** The context on the wire, by its number in the table. */
const contexts = {
  s3: (location?: string) => message([1, location === undefined ? message() : message([1, location])]),
  gcs: (location: string, project: string) => message([2, message([1, location], [2, project])]),
  azure: () => message([3, message()]),
  generic: (data: Record<string, string>) => message([4, message([1, data])]),
};

describe("the wire of cosi-2020-07", () => {
  let driver: FakeDriver;
  let connection: Connection;

  beforeEach(async () => {
    driver = await obligingController().start();
    connection = new Connection(controllerSettings(driver.endpoint));
  });

  afterEach(async () => {
    await connection.close();
    driver.stop();
  });

  const sent = (): string[] => driver.calls.map(({ path, body }) => `${path} ${body.toString("hex")}`);
  const due = (path: string, body: Buffer): string => `${path} ${body.toString("hex")}`;

  /** A life of one bucket and one access with all fields; the create's reply is `bucket`. */
  async function life(
    protocol: Protocol,
    parameters: Record<string, string>,
    bucket: Buffer,
    credential: Buffer,
  ): Promise<{ bucketInfo: BucketInfo | null; issued: readonly IssuedCredential[] }> {
    driver.on(paths.create, () => message([1, bucket])).on(paths.grant, () => message([1, credential]));
    const secrets = { AccessKeyId: "july-admin", SecretKey: "july-admin-secret" };
    const { client } = connection;
    const made = await client.createBucket(
      { name: "b1", parameters, protocol, anonymousAccess: "rw", secrets },
      target,
    );
    const { bucketId, bucketInfo } = made.reply;
    const policyActions = { allow: ["read", "list"], deny: ["*"] };
    const terms = { bucketInfo, secrets, policyActions };
    const granted = await client.grantAccess(
      { bucketId, name: "a1", authenticationType: "Key", parameters: { tier: "gold" }, ...terms },
      target,
    );
    const { accountId, issued = [] } = granted.reply;
    for (const one of issued) {
      const revoke = { bucketId, accountId, context: { tier: "gold" }, issued: one, ...terms };
      await client.revokeAccess(revoke, target);
    }
    await client.deleteBucket({ bucketId, context: parameters, bucketInfo, secrets }, target);
    return { bucketInfo, issued };
  }

  const secrets = { AccessKeyId: "july-admin", SecretKey: "july-admin-secret" };
  const permissions = {
    tier: "gold",
    allow: "read,list",
    deny: "*",
    "cosi.io/bucket-access": "a1",
  };

  /** What a life has to send, with the number of the protocol, by hand. */
  function lifeOnTheWire(
    protocol: number,
    parameters: Record<string, string>,
    asked: Buffer,
    told: Buffer,
    credential: Buffer,
  ): string[] {
    const grant = [
      [1, "B1"],
      [2, protocol],
      [3, permissions],
      [4, told],
      [5, secrets],
    ] as const;
    return [
      due(paths.create, message([1, "b1"], [2, protocol], [3, asked], [4, parameters], [5, 3], [6, secrets])),
      due(paths.grant, message(...grant)),
      due(paths.revoke, message(...grant, [6, credential])),
      due(paths.delete, message([1, "B1"], [2, protocol], [3, told], [4, parameters], [5, secrets])),
    ];
  }

  for (const [what, protocol, number, parameters, asked, told, credential, known, issued] of [
    [
      "S3",
      "S3",
      3,
      { location: "eu-1", tier: "cold" },
      contexts.s3("eu-1"),
      contexts.s3("eu-2"),
      message([1, message([1, "id-1"], [2, "JULY_CONTROL"], [3, "july-owner"])]),
      {
        protocol: "S3",
        region: "eu-2",
        signatureVersion: null,
        providerContext: { kind: "s3", location: "eu-2" },
      },
      { kind: "s3", values: { id: "id-1", permission: "JULY_CONTROL", owner: "july-owner" } },
    ],
    [
      "GCS",
      "GCS",
      2,
      { region: "eu", projectId: "p-1" },
      contexts.gcs("eu", "p-1"),
      contexts.gcs("europe-west1", "p-2"),
      message([2, message([1, "july-user"], [2, "JULY_WRITER"], [3, "july-domain"], [4, "p-2"])]),
      {
        protocol: "GCS",
        privateKeyName: "",
        projectId: "p-2",
        serviceAccount: "",
        providerContext: { kind: "gcs", location: "europe-west1", project: "p-2" },
      },
      {
        kind: "gcs",
        values: { entity: "july-user", role: "JULY_WRITER", domain: "july-domain", project: "p-2" },
      },
    ],
    [
      "Azure",
      "Azure",
      1,
      { storageAccount: "sa-1" },
      contexts.azure(),
      contexts.azure(),
      message([3, message([1, "id-2"], [2, "rwd"])]),
      { protocol: "Azure", storageAccount: "sa-1", providerContext: { kind: "azure" } },
      { kind: "azure", values: { id: "id-2", permission: "rwd" } },
    ],
    [
      "a driver with contexts and credentials of its own",
      "GCS",
      2,
      { location: "x" },
      message([2, message([1, "x"])]),
      contexts.generic({ projectId: "p-3", serviceAccount: "sa", privateKeyName: "k", more: "m" }),
      message([4, message([1, { token: "t-1", url: "july://x" }])]),
      {
        protocol: "GCS",
        privateKeyName: "k",
        projectId: "p-3",
        serviceAccount: "sa",
        providerContext: {
          kind: "generic",
          bucketData: { projectId: "p-3", serviceAccount: "sa", privateKeyName: "k", more: "m" },
        },
      },
      { kind: "generic", values: { token: "t-1", url: "july://x" } },
    ],
  ] as const) {
    it(`has every field of a life at ${what}, byte for byte [K07-123] [K07-126] [K07-127]`, async () => {
      const bucket = message([1, "B1"], [2, told], [3, provisioner], [4, 3]);
      const seen = await life(protocol, parameters, bucket, credential);
      assert.deepEqual(sent(), lifeOnTheWire(number, parameters, asked, told, credential));
      assert.deepEqual(seen.bucketInfo, known);
      assert.deepEqual(seen.issued, [issued]);
    });
  }

  it("has no byte for what is not given, but for the context of the protocol", async () => {
    const { client } = connection;
    await client.createBucket({ name: "b1", parameters: {} }, target);
    await client.grantAccess(
      { bucketId: "b1", name: "a1", authenticationType: "Key", parameters: {} },
      target,
    );
    await client.revokeAccess({ bucketId: "b1", accountId: "a1", context: {} }, target);
    await client.deleteBucket({ bucketId: "b1", context: {} }, target);
    const access = { "cosi.io/bucket-access": "a1" };
    const bare = contexts.s3();
    assert.deepEqual(sent(), [
      due(paths.create, message([1, "b1"], [2, 3], [3, bare])),
      due(paths.grant, message([1, "b1"], [2, 3], [3, access], [4, bare])),
      due(paths.revoke, message([1, "b1"], [2, 3], [3, access], [4, bare])),
      due(paths.delete, message([1, "b1"], [2, 3], [3, bare])),
    ]);
  });

  for (const [mode, number] of [
    ["private", 0],
    ["ro", 1],
    ["wo", 2],
    ["rw", 3],
  ] as const) {
    it(`has the anonymous access mode ${mode} as ${number} in a create`, async () => {
      await connection.client.createBucket({ name: "b1", parameters: {}, anonymousAccess: mode }, target);
      const fields = number === 0 ? [] : ([[5, number]] as const);
      assert.deepEqual(sent(), [
        due(paths.create, message([1, "b1"], [2, 3], [3, contexts.s3()], ...fields)),
      ]);
    });
  }

  it("keeps what steers the orchestrator from the driver, and leaves every other parameter as it is [K07-128]", async () => {
    const { client } = connection;
    const plain = { "cosi.io": "1", "x.cosi.io/k": " v ", empty: "" };
    const parameters = {
      "cosi.io/provisioner-secret-name": "foo",
      "cosi.io/provisioner-secret-namespace": "bar",
      ...plain,
    };
    await client.createBucket({ name: "b1", parameters }, target);
    const grant = { bucketId: "b1", name: "a1", authenticationType: "Key", parameters } as const;
    await client.grantAccess(grant, target);
    await client.revokeAccess({ bucketId: "b1", accountId: "a1", context: parameters }, target);
    await client.deleteBucket({ bucketId: "b1", context: parameters }, target);
    const bare = contexts.s3();
    const permitted = { ...plain, "cosi.io/bucket-access": "a1" };
    assert.deepEqual(sent(), [
      due(paths.create, message([1, "b1"], [2, 3], [3, bare], [4, plain])),
      due(paths.grant, message([1, "b1"], [2, 3], [3, permitted], [4, bare])),
      due(paths.revoke, message([1, "b1"], [2, 3], [3, permitted], [4, bare])),
      due(paths.delete, message([1, "b1"], [2, 3], [3, bare], [4, plain])),
    ]);
  });

  describe("permissions", () => {
    const grant = (changes: object): Promise<unknown> =>
      connection.client.grantAccess(
        { bucketId: "b1", name: "a1", authenticationType: "IAM", parameters: { tier: "gold" }, ...changes },
        target,
      );

    it("say who gets access and what may be done, the same in a retry [K07-130]", async () => {
      driver.on(paths.grant, (_, earlier) => (earlier === 0 ? { code: 14 } : replies.empty()));
      await grant({
        policyActions: { allow: ["s3:GetObject", "*"], deny: [] },
        serviceAccount: { namespace: "team-a", name: "web" },
      });
      const permitted = {
        tier: "gold",
        allow: "s3:GetObject,*",
        "cosi.io/bucket-access": "a1",
        "cosi.io/service-account": "team-a/web",
      };
      const once = due(paths.grant, message([1, "b1"], [2, 3], [3, permitted], [4, contexts.s3()]));
      assert.deepEqual(sent(), [once, once]);
    });

    for (const [what, changes, text] of [
      ["an action with a comma", { policyActions: { deny: ["a", "b,c"] } }, /"b,c" has a comma/],
      ["a parameter called allow", { parameters: { allow: "x" } }, /parameter "allow"/],
      ["a parameter called deny", { parameters: { deny: "x" } }, /parameter "deny"/],
    ] as const) {
      it(`have no place for ${what}, and nothing is sent [K07-130]`, async () => {
        await assert.rejects(grant(changes), text);
        assert.deepEqual(driver.calls, []);
      });
    }
  });

  describe("the reply to a create", () => {
    const create = async (reply: Buffer) => {
      driver.on(paths.create, () => reply);
      const request = { name: "b1", parameters: { region: "eu-9" }, anonymousAccess: "ro" } as const;
      return (await connection.client.createBucket(request, target)).reply;
    };

    it("without a bucket, or without its name, means the name that was asked for [K07-129]", async () => {
      const bucketInfo = { protocol: "S3", region: "eu-9", signatureVersion: null };
      assert.deepEqual(await create(replies.empty()), { bucketId: "b1", bucketInfo });
      assert.deepEqual(await create(message([1, message([4, 1])])), { bucketId: "b1", bucketInfo });
    });

    it("with another access mode or provisioner is taken, and said [K07-129]", async () => {
      const { notices } = await create(message([1, message([1, "b1"], [3, "x/y"], [4, 3])]));
      assert.deepEqual(notices, [
        "the driver answered with access mode rw, but ro was asked for: check what it lets callers without credentials do",
        `the driver answered with provisioner "x/y", but it is called ${provisioner} here`,
      ]);
      assert.equal((await create(message([1, message([3, provisioner], [4, 1])]))).notices, undefined);
    });

    it("with fields and numbers of a later release is read as what is known of it", async () => {
      const later = message([1, message([1, "B1"], [2, message([9, "?"])], [4, 9], [99, "x"])], [7, "x"]);
      const { bucketId, bucketInfo, notices } = await create(later);
      assert.equal(bucketId, "B1");
      assert.equal(bucketInfo?.providerContext, undefined);
      assert.match(notices?.join() ?? "", /access mode number 9/);
    });
  });

  describe("the reply to a grant", () => {
    const generic = (values: Record<string, string>): Buffer => message([4, message([1, values])]);
    const grant = async (...creds: readonly Buffer[]) => {
      driver.on(paths.grant, () => message(...creds.map((credential) => [1, credential] as const)));
      const { reply } = await connection.client.grantAccess(
        { bucketId: "b1", name: "a1", authenticationType: "Key", parameters: {}, protocol: "Azure" },
        target,
      );
      const entries = [...reply.credentials].map(([entry, values]) => [entry, Object.fromEntries(values)]);
      assert.equal(reply.accountId, "a1");
      return { ...reply, credentials: Object.fromEntries(entries) as unknown };
    };

    it("may be empty", async () => {
      assert.deepEqual(await grant(), { accountId: "a1", credentials: {}, issued: [] });
      assert.deepEqual((await grant(message(), message([9, "x"]))).issued, []);
    });

    it("leaves out fields without a value, and has generic credentials under the bucket's protocol", async () => {
      assert.deepEqual((await grant(message([3, message([1, "i"])]))).credentials, { azure: { id: "i" } });
      assert.deepEqual((await grant(generic({ k: "", "": "v" }))).credentials, { azure: { k: "", "": "v" } });
    });

    it("tells several credentials apart by their number", async () => {
      const { credentials, issued } = await grant(
        generic({ k: "1" }),
        message([1, message([1, "i"])]),
        generic({ k: "2" }),
      );
      assert.deepEqual(credentials, { azure: { "0.k": "1", "2.k": "2" }, s3: { "1.id": "i" } });
      assert.deepEqual(
        issued?.map(({ kind }) => kind),
        ["generic", "s3", "generic"],
      );
    });
  });

  it("sends back for a bucket that was there before what its owner says of it [K07-127]", async () => {
    const infos: readonly [BucketInfo, Record<string, string>, number, Buffer][] = [
      [{ protocol: "S3", region: "eu-3", signatureVersion: null }, {}, 3, contexts.s3("eu-3")],
      [
        { protocol: "GCS", privateKeyName: "", projectId: "p-9", serviceAccount: "" },
        { location: "us" },
        2,
        contexts.gcs("us", "p-9"),
      ],
      [{ protocol: "Azure", storageAccount: "s" }, {}, 1, contexts.azure()],
    ];
    for (const [bucketInfo, context, number, wire] of infos) {
      driver.calls.length = 0;
      await connection.client.revokeAccess({ bucketId: "b1", accountId: "a1", context, bucketInfo }, target);
      const permitted = { ...context, "cosi.io/bucket-access": "a1" };
      assert.deepEqual(sent(), [
        due(paths.revoke, message([1, "b1"], [2, number], [3, permitted], [4, wire])),
      ]);
    }
  });

  it("keeps a context through JSON, as a state or an annotation would", async () => {
    const kinds: readonly ProviderContext[] = [
      { kind: "s3", location: "" },
      { kind: "gcs", location: "l", project: "" },
      { kind: "azure" },
      { kind: "generic", bucketData: {} },
    ];
    const wires = [contexts.s3(), message([2, message([1, "l"])]), contexts.azure(), contexts.generic({})];
    for (const [index, providerContext] of kinds.entries()) {
      driver.calls.length = 0;
      const info: BucketInfo = { protocol: "Azure", storageAccount: "", providerContext };
      const bucketInfo = JSON.parse(JSON.stringify(info)) as BucketInfo;
      await connection.client.deleteBucket({ bucketId: "b1", context: {}, bucketInfo }, target);
      const wire = wires[index] ?? assert.fail("no such context");
      assert.deepEqual(sent(), [due(paths.delete, message([1, "b1"], [2, 1], [3, wire]))]);
    }
  });
});
