import assert from "node:assert/strict";
import {
  DriverCreateBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { secretKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import {
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { wholeProgram } from "../../support/components/program";
import { otherId, replyingDriver, type BucketCall } from "../../support/components/replies";
import { obligingDriver, s3Secrets } from "../../support/cosi-v1alpha1";
import { Cluster } from "../../support/end-to-end/cluster";
import { diagnostics, errors } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import type { FakeDriver } from "../../support/fake-driver";
import { Stack } from "../../support/stack";

const namespace = "shop";
const { accessKeyID, accessSecretKey, endpoint, region } = s3Secrets();

/** What a driver found at the API server while it was called. */
interface Sight extends BucketCall {
  /** `spec.parameters` of the Bucket object; `undefined` without one. */
  readonly parameters: unknown;
}

interface BucketInfoDocument {
  readonly spec: {
    readonly bucketName: string;
    readonly bucketID: string;
    readonly authenticationType: string;
    readonly secretS3: Readonly<Record<string, string>> | null;
    readonly secretAzure: { readonly expiryTimeStamp: string | null } | null;
    readonly protocols: readonly string[];
  };
}

describe("the components of objectstorage.k8s.io/v1alpha1, on a real API server", function () {
  this.timeout(600_000);
  const refused = new Set(["identity"]);
  const sights: Sight[] = [];
  let cluster: Cluster;
  let driver: FakeDriver;
  let other: FakeDriver;
  let stack: Stack;
  let foreign: unknown;
  /** Output of the first `up`, in which some accesses fail. */
  let up: string;

  const spec = async (kind: KubernetesKind, name: string, within?: string): Promise<unknown> =>
    (await cluster.get(kind, name, within))["spec"];
  const uidOf = async (kind: KubernetesKind, name: string): Promise<string> =>
    (await cluster.get(kind, name, namespace)).metadata.uid ?? "";
  const bucketOf = async (claim: string): Promise<string> => `bucket-${await uidOf(bucketClaimKind, claim)}`;
  const accountOf = async (access: string): Promise<string> => `ba-${await uidOf(bucketAccessKind, access)}`;
  const keysOf = async (kind: KubernetesKind, name: string): Promise<string[]> =>
    Object.keys(await cluster.get(kind, name)).sort();

  const creates = () => driver.bodies("DriverCreateBucket").map(decodeWith(DriverCreateBucketRequest));
  const grants = () =>
    driver.bodies("DriverGrantBucketAccess").map(decodeWith(DriverGrantBucketAccessRequest));
  const revokes = () =>
    driver.bodies("DriverRevokeBucketAccess").map(decodeWith(DriverRevokeBucketAccessRequest));
  const grantOf = async (access: string) => {
    const account = await accountOf(access);
    const [found, ...others] = grants().filter(({ name }) => name === account);
    assert.ok(found !== undefined && others.length === 0, `grants of ${access}`);
    return found;
  };

  const infoOf = async (access: string): Promise<BucketInfoDocument["spec"]> => {
    const { data } = await cluster.get(secretKind, `${access}-creds`, namespace);
    const { BucketInfo = "" } = data as { BucketInfo?: string };
    return (JSON.parse(Buffer.from(BucketInfo, "base64").toString()) as BucketInfoDocument).spec;
  };
  const hasSecret = async (access: string): Promise<boolean> =>
    (await cluster.client.get(secretKind, { namespace, name: `${access}-creds` })) !== undefined;

  const warnings = (text: string): string[] => [
    ...new Set([...diagnostics(text).matchAll(/warning: (.*)$/gm)].map(([, line = ""]) => line.trimEnd())),
  ];
  const warningsOf = async (access: string): Promise<string[]> => {
    const names = [`access ${await accountOf(access)}: `, `BucketAccess ${namespace}/${access}: `];
    return warnings(up).filter((line) => names.some((name) => line.startsWith(name)));
  };
  /** Some real drivers read the Bucket object that has the bucket's id as its name. */
  const look = async (call: BucketCall): Promise<void> => {
    const found = await cluster.client.get(bucketKind, { name: call.bucket });
    const { parameters } = (found?.["spec"] ?? {}) as { parameters?: unknown };
    sights.push({ ...call, parameters });
  };
  const commands = (tier: string, more: Record<string, string> = {}): Record<string, string> => ({
    TIER: tier,
    ...more,
  });

  before(async () => {
    cluster = await Cluster.start({ controllerManager: false });
    for (const name of [namespace, "base"]) await cluster.createNamespace(name);
    await cluster.installDefinitions();
    foreign = await cluster.client.create(bucketKind, {
      metadata: { name: "taken" },
      spec: { driverName: "x", bucketClassName: "", bucketClaim: {}, protocols: ["S3"] },
    });
    driver = replyingDriver(refused, look);
    other = obligingDriver("other.example.com");
    await Promise.all([driver.start(), other.start()]);
    stack = await Stack.create(
      { source: wholeProgram },
      {
        ...cluster.variables,
        ...quickProgram,
        STORE_ENDPOINT: driver.endpoint,
        OTHER_ENDPOINT: other.endpoint,
      },
    );
    up = await stack.fail(
      ["up", "--yes", "--skip-preview", "--continue-on-error"],
      commands("hot", { FAILING: "yes" }),
    );
  });
  after(async () => {
    await stack.remove();
    driver.stop();
    other.stop();
    await cluster.stop();
  });

  describe("writes a class", () => {
    it("of buckets with the policy Retain where the program names none [OS1-008]", async () => {
      assert.equal((await cluster.get(bucketClassKind, "gold"))["deletionPolicy"], "Retain");
      assert.equal((await cluster.get(bucketClassKind, "azure"))["deletionPolicy"], "Delete");
    });

    it("with the parameters of the program, or none, and so its Buckets and calls [OS1-010]", async () => {
      const bare = ["apiVersion", "driverName", "kind", "metadata"];
      assert.deepEqual(await keysOf(bucketClassKind, "gold"), [...bare, "deletionPolicy"].sort());
      assert.deepEqual(await keysOf(bucketAccessClassKind, "keys"), [...bare, "authenticationType"].sort());
      for (const bucket of [await bucketOf("photos"), "old"]) {
        assert.equal("parameters" in ((await spec(bucketKind, bucket)) as object), false, bucket);
      }
      const photos = await bucketOf("photos");
      assert.equal(creates().find(({ name }) => name === photos)?.parameters.size, 0);
      assert.equal((await grantOf("photos-a")).parameters.size, 0);

      const given = { reply: "other-id", tier: "hot" };
      const films = await bucketOf("films");
      assert.deepEqual((await cluster.get(bucketClassKind, "other-id"))["parameters"], given);
      assert.deepEqual(((await spec(bucketKind, films)) as { parameters: unknown }).parameters, given);
      const sent = creates().find(({ name }) => name === films)?.parameters ?? [];
      assert.deepEqual(Object.fromEntries(sent), given);
    });

    it("with KEY as Key, sent as 1, and warns where it is set [OS1-013] [CASE-C30]", async () => {
      assert.equal((await cluster.get(bucketAccessClassKind, "keys"))["authenticationType"], "Key");
      assert.equal((await grantOf("photos-a")).authenticationType, 1);
      assert.deepEqual(
        warnings(up).filter((line) => line.startsWith("BucketAccessClass ")),
        ['BucketAccessClass keys: authenticationType "KEY" is written as "Key"'],
      );
    });
  });

  describe("writes a claim and its Bucket", () => {
    it("with s3 as S3 and GCS as GCP, and says so [OS1-017] [CASE-C30]", async () => {
      assert.deepEqual(await spec(bucketClaimKind, "photos", namespace), {
        bucketClassName: "gold",
        protocols: ["S3"],
      });
      const { protocols } = (await spec(bucketClaimKind, "lake", namespace)) as { protocols: unknown };
      assert.deepEqual(protocols, ["GCP"]);
      for (const line of [
        'BucketClaim shop/photos: protocols "s3" is written as "S3"',
        'BucketClaim shop/lake: protocols "GCS" is written as "GCP"',
      ]) {
        assert.ok(warnings(up).includes(line), warnings(up).join("\n"));
      }
    });

    it("with every field of the API, of a bucket that is made and of one that was there [OS1-020]", async () => {
      const films = await bucketOf("films");
      const made = await cluster.get(bucketKind, films);
      assert.deepEqual(made["spec"], {
        driverName: "fake.example.com",
        bucketClassName: "other-id",
        bucketClaim: { namespace, name: "films", uid: await uidOf(bucketClaimKind, "films") },
        protocols: ["S3"],
        deletionPolicy: "Delete",
        parameters: { reply: "other-id", tier: "hot" },
      });
      assert.deepEqual(made["status"], { bucketReady: true, bucketID: otherId(films) });
      const old = await cluster.get(bucketKind, "old");
      assert.deepEqual(old["spec"], {
        driverName: "fake.example.com",
        bucketClassName: "gold",
        bucketClaim: {},
        protocols: ["S3"],
        deletionPolicy: "Retain",
        existingBucketID: "old-2019",
      });
      assert.deepEqual(old["status"], { bucketReady: true, bucketID: "old-2019" });
    });

    it("and tells what the driver says of the bucket, with a warning where the claim has other protocols [OS1-023]", () => {
      const lines = warnings(up).filter((line) => line.includes("the driver describes the bucket"));
      assert.deepEqual(lines.sort(), [
        'BucketClaim shop/lake: the driver describes the bucket for "S3", which is not among the protocols "GCP": ' +
          "clients may not reach it as the program says",
        'BucketClaim shop/strange: the driver describes the bucket for "Azure", which is not among the protocols "S3": ' +
          "clients may not reach it as the program says",
      ]);
    });
  });

  describe("writes an access", () => {
    it("with every field of the API [OS1-025]", async () => {
      assert.deepEqual(await spec(bucketAccessKind, "photos-a", namespace), {
        bucketClaimName: "photos",
        bucketAccessClassName: "keys",
        credentialsSecretName: "photos-a-creds",
      });
      assert.deepEqual(await spec(bucketAccessKind, "photos-iam", namespace), {
        bucketClaimName: "photos",
        bucketAccessClassName: "identity",
        credentialsSecretName: "photos-iam-creds",
        protocol: "S3",
        serviceAccountName: "web",
      });
      assert.deepEqual((await cluster.get(bucketAccessKind, "photos-a", namespace))["status"], {
        accessGranted: true,
        accountID: `account-of-${await accountOf("photos-a")}`,
      });
    });

    it("of its own for each of three, with a Secret each [OS1-029]", async () => {
      const names = ["photos-a", "photos-b", "photos-c"];
      const sent = await Promise.all(names.map(grantOf));
      assert.equal(new Set(sent.map(({ name }) => name)).size, 3);
      assert.deepEqual([...new Set(sent.map(({ bucketId }) => bucketId))], [await bucketOf("photos")]);
      for (const name of names) assert.ok(await hasSecret(name), name);
    });

    it("for the protocol of the driver's credentials where it names none, and never for none [OS1-027] [OS1-045]", async () => {
      assert.deepEqual((await infoOf("photos-a")).protocols, ["S3"]);
      assert.deepEqual((await infoOf("azure-rfc")).protocols, ["Azure"]);
      assert.deepEqual((await infoOf("both-azure")).protocols, ["Azure"]);
    });

    it("with the Bucket object's name and the backend's id, and warns where they differ [OS1-040]", async () => {
      const films = await bucketOf("films");
      const names = async (access: string) => {
        const { bucketName, bucketID } = await infoOf(access);
        return [bucketName, bucketID];
      };
      assert.deepEqual(await names("films-object"), [films, otherId(films)]);
      assert.deepEqual(await names("films-id"), [otherId(films), otherId(films)]);
      const [warning = "", ...others] = await warningsOf("films-object");
      assert.deepEqual(others, []);
      assert.ok(warning.includes(`clients need the backend's bucket name "${otherId(films)}"`), warning);
      assert.deepEqual(await warningsOf("films-id"), []);
      assert.deepEqual(await warningsOf("photos-a"), []);
    });

    it("with keys in any spelling, and none that BucketInfo does not have [OS1-042]", async () => {
      assert.deepEqual((await infoOf("spelled")).secretS3, {
        endpoint,
        region,
        accessKeyID,
        accessSecretKey,
      });
    });

    it("with endpoint and region of the program where the driver is silent, else empty with a warning [OS1-043]", async () => {
      const own = { accessKeyID, accessSecretKey };
      assert.deepEqual((await infoOf("filled")).secretS3, {
        endpoint: "https://s3.example.com",
        region: "eu-7",
        ...own,
      });
      assert.deepEqual(await warningsOf("filled"), []);
      assert.deepEqual((await infoOf("silent")).secretS3, { endpoint: "", region: "", ...own });
      const [warning = "", ...others] = await warningsOf("silent");
      assert.deepEqual(others, []);
      assert.match(warning, /the driver does not report the endpoint and region/);
    });

    it("with the end of an Azure token as Go or RFC 3339 write it, else null with a warning [OS1-044]", async () => {
      const unreadable = /the driver's expiryTs is not a readable time/;
      const cases: readonly [string, string | null, RegExp | undefined][] = [
        ["azure-go", "2027-01-01T21:34:05Z", undefined],
        ["azure-rfc", "2027-01-02T03:04:05Z", undefined],
        ["azure-absent", null, /the driver does not tell when the token expires/],
        ["azure-unreadable", null, unreadable],
        ["azure-zero", null, unreadable],
      ];
      for (const [access, expiry, warning] of cases) {
        assert.equal((await infoOf(access)).secretAzure?.expiryTimeStamp, expiry, access);
        const said = await warningsOf(access);
        if (warning === undefined) assert.deepEqual(said, [], access);
        else assert.match(said.join("\n"), warning, access);
      }
    });
  });

  describe("refuses at up", () => {
    /** The one error about an access; its account is revoked once, and there is no Secret. */
    const refusedGrant = async (access: string): Promise<string> => {
      const account = await accountOf(access);
      const [error = "", ...more] = errors(up).filter((text) => text.includes(account));
      assert.deepEqual(more, []);
      assert.equal(
        revokes().filter(({ accountId }) => accountId === `account-of-${account}`).length,
        1,
        access,
      );
      assert.equal(await hasSecret(access), false, access);
      for (const secret of Object.values(s3Secrets())) assert.ok(!error.includes(secret), error);
      return error;
    };

    it("credentials of which none fits, by the entries found, and revokes their account [OS1-041]", async () => {
      assert.match(await refusedGrant("none"), /of the entries s3, azure, gcs .* the driver gave: none\./);
      assert.match(await refusedGrant("both"), /of the entries s3, azure, gcs .* gave: "s3", "azure"\./);
      assert.match(
        await refusedGrant("gcs"),
        /takes credentials of S3 and Azure, not of GCS; the driver gave: "gcs"\./,
      );
      assert.equal((await infoOf("both-azure")).secretS3, null);
    });

    it("credentials without a key, by its name, and revokes their account [OS1-043]", async () => {
      assert.match(
        await refusedGrant("no-key"),
        /the driver left out accessKeyID; its keys: accessSecretKey,/,
      );
      assert.match(
        await refusedGrant("no-secret"),
        /the driver left out accessSecretKey; its keys: accessKeyID,/,
      );
    });

    it("a static bucket that the driver does not know, by its existingBucketID [OS1-059]", () => {
      const [error = "", ...more] = errors(up).filter((text) => text.includes("no such bucket"));
      assert.deepEqual(more, []);
      assert.match(
        error,
        /NOT_FOUND: no such bucket .* to bucket old-2019 \(existingBucketID of Bucket old\)/,
      );
    });

    it("a mirror whose name somebody else's Bucket has, which stays as it is", async () => {
      assert.match(errors(up).join("\n"), /Bucket taken exists and was not made by pulumi-cosi/);
      assert.deepEqual(await cluster.get(bucketKind, "taken"), foreign);
    });
  });

  describe("refuses in a preview, and nothing is called or written,", () => {
    let problems: string;

    before(async () => {
      const objects = await cluster.snapshot();
      const calls = driver.calls.length;
      const callsOfOther = other.calls.length;
      const text = await stack.fail(["preview"], commands("hot", { FAILING: "yes", BAD: "yes" }));
      problems = errors(text).join("\n");
      assert.deepEqual([driver.calls.length, other.calls.length], [calls, callsOfOther]);
      assert.deepEqual(await cluster.snapshot(), objects);
    });

    const cases: readonly [string, RegExp][] = [
      [
        "a policy in another spelling [OS1-008]",
        /BucketClass bad-policy: deletionPolicy is "delete": give "Retain", "Delete"/,
      ],
      ["a claim without a protocol [OS1-017]", /BucketClaim no-protocol: protocols is \[\]/],
      ["a claim of an unknown protocol [OS1-017]", /BucketClaim bad-protocol: protocols has "NFS"/],
      ...["namespace", "bucketClaim", "bucketAccessClass", "credentialsSecretName"].map(
        (key): [string, RegExp] => [
          `an access without ${key} [OS1-025]`,
          new RegExp(`BucketAccess no-${key}: ${key} is missing`),
        ],
      ),
      [
        "an access in another namespace than its claim [OS1-026]",
        /BucketAccess elsewhere: namespace is "base", and the claim is in "shop"/,
      ],
      [
        "a protocol that the claim does not have [OS1-027]",
        /BucketAccess bad-access-protocol: protocol is "Azure", and the claim has "S3"/,
      ],
      ["IAM without a ServiceAccount [OS1-028]", /BucketAccess nobody: serviceAccountName is missing/],
      [
        "a class of another driver than the bucket's [OS1-014]",
        /BucketAccess foreign: the bucketAccessClass is for the driver "other\.example\.com", and the bucket belongs to "fake\.example\.com"/,
      ],
    ];
    for (const [what, text] of cases) {
      it(what, () => {
        assert.match(problems, text);
      });
    }
  });

  describe("with what failed taken out", () => {
    let second: string;

    before(async () => {
      refused.clear();
      sights.length = 0;
      driver.calls.length = 0;
      second = await stack.succeed(["up", "--yes", "--skip-preview"], commands("cold"));
    });

    it("grants what was refused before, and warns of the ServiceAccount in that run [OS1-028]", async () => {
      const iam = await grantOf("photos-iam");
      assert.deepEqual(iam, {
        bucketId: await bucketOf("photos"),
        name: await accountOf("photos-iam"),
        authenticationType: 2,
        parameters: new Map([["reply", "identity"]]),
      });
      const [body = ""] = driver
        .bodies("DriverGrantBucketAccess")
        .filter((bytes) => Buffer.from(bytes, "hex").includes(iam.name));
      assert.equal(body, Buffer.from(DriverGrantBucketAccessRequest.encode(iam).finish()).toString("hex"));
      assert.deepEqual(
        warnings(second).filter((line) => line.startsWith("BucketAccess shop/photos-iam: ")),
        [
          "BucketAccess shop/photos-iam: the driver cannot see the ServiceAccount web: the grant has no field for it, so " +
            "the parameters of the BucketAccessClass have to carry what it needs",
        ],
      );
    });

    it("gives the bucket's data of each driver as an output [OS1-023]", async () => {
      assert.deepEqual((await stack.outputs())["infos"], {
        photos: { protocol: "S3", region: "eu-1", signatureVersion: "S3V4" },
        blobs: { protocol: "Azure", storageAccount: "store" },
        quiet: null,
      });
    });

    it("shows a driver the mirror of a bucket without a claim, as it was, until its calls are answered [GRPC-127]", () => {
      const old = { tier: "hot" };
      const now = { tier: "cold" };
      assert.deepEqual(
        sights.filter(({ bucket }) => bucket === "made-prod"),
        [
          { rpc: "revoke", bucket: "made-prod", parameters: old },
          { rpc: "delete", bucket: "made-prod", parameters: old },
          { rpc: "create", bucket: "made-prod", parameters: now },
          { rpc: "grant", bucket: "made-prod", parameters: now },
        ],
      );
      assert.deepEqual(
        sights.filter(({ bucket }) => bucket === "kept-2019"),
        [
          { rpc: "revoke", bucket: "kept-2019", parameters: old },
          { rpc: "grant", bucket: "kept-2019", parameters: now },
        ],
      );
    });

    it("and has nothing to change afterwards", async () => {
      await stack.succeed(["preview", "--refresh", "--expect-no-changes"], commands("cold"));
    });
  });

  describe("and destroy", () => {
    before(async () => {
      sights.length = 0;
      await stack.destroy(commands("cold"));
    });

    it("shows a driver the mirrors until their buckets are revoked and deleted [GRPC-127]", () => {
      const parameters = { tier: "cold" };
      assert.deepEqual(
        sights.filter(({ bucket }) => ["made-prod", "kept-2019"].includes(bucket)).sort(byBucket),
        [
          { rpc: "revoke", bucket: "kept-2019", parameters },
          { rpc: "revoke", bucket: "made-prod", parameters },
          { rpc: "delete", bucket: "made-prod", parameters },
        ],
      );
    });

    it("leaves nothing but what is somebody else's", async () => {
      assert.deepEqual(await cluster.objects(namespace), ["Bucket taken"]);
      assert.deepEqual(await cluster.get(bucketKind, "taken"), foreign);
    });
  });
});

function decodeWith<Message>({ decode }: { decode: (bytes: Buffer) => Message }): (hex: string) => Message {
  return (hex) => decode(Buffer.from(hex, "hex"));
}

function byBucket(left: Sight, right: Sight): number {
  return left.bucket.localeCompare(right.bucket);
}
