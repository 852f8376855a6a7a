import assert from "node:assert/strict";
import { policyPartition } from "../../../drivers/s3/aws-partition";
import { accessPolicy } from "../../../drivers/s3/core/access-policy";
import { DriverError, type ErrorKind } from "../../../drivers/common/driver-error";
import {
  accessIdentity,
  bucketIdentity,
  checkContext,
  checkParameters,
  formatParameters,
  parseParameters,
} from "../../../drivers/s3/core/parameters";
import { bucketSettings } from "../../../drivers/s3/core/settings/bucket-settings";
import { kindOf, toDriverError } from "../../../drivers/s3/core/store-error";
import { userIn, withUser } from "../../../drivers/s3/core/tags";
import { shorten } from "../../../drivers/common/text";
import { accountUserName, intentUserName } from "../../../drivers/s3/core/user-names";
import { createLog } from "../../../drivers/common/log";

describe("parameters", () => {
  it("have one line for equal parameters whatever their order", () => {
    const a = new Map([
      ["versioning", "true"],
      ["region", "eu-1"],
    ]);
    assert.equal(formatParameters(a), "region=eu-1 versioning=true");
    assert.equal(formatParameters(new Map([...a].reverse())), formatParameters(a));
    assert.deepEqual(parseParameters(formatParameters(a)), new Map([...a].reverse()));
    assert.equal(formatParameters(new Map()), "");
  });

  const rule = { Status: "Enabled", Filter: {}, Expiration: { Days: 1 } };
  const lifecycle = (...rules: unknown[]) => ({ bucketLifecycle: JSON.stringify({ Rules: rules }) });

  for (const [map, reason] of [
    [
      { nope: "s3cr3t" },
      /^f: key "nope": .*knows region, versioning, emptyOnDelete, bucketPolicy,.*accessMode/,
    ],
    [{ constructor: "1" }, /^f: key "constructor"/],
    [{ region: "not a region!" }, /key "region": "not a region!"/],
    [{ region: "r".repeat(33) }, /key "region"/],
    [{ versioning: "yes" }, /key "versioning": "yes" is not one of true, false/],
    [{ emptyOnDelete: "" }, /key "emptyOnDelete"/],
    [{ accessMode: "admin" }, /key "accessMode": "admin" is not one of rw, ro, wo/],
    [{ bucketPolicy: "[]" }, /key "bucketPolicy": is not a JSON object/],
    [{ bucketPolicy: "{" }, /key "bucketPolicy": is not a JSON object/],
    [{ bucketOwner: "a b" }, /key "bucketOwner": "a b" is not the name of an IAM user/],
    [{ maxSize: "big" }, /key "maxSize": "big" is not a size/],
    [{ maxSize: "0" }, /key "maxSize": is 0, and a quota cannot be 0/],
    [{ bucketMaxSize: "16Ei" }, /key "bucketMaxSize": "16Ei" is not a size below 2\^63 bytes/],
    [{ maxObjects: "10" }, /key "maxObjects": this driver's API \(S3 and IAM\) has no quota of objects/],
    [{ bucketMaxObjects: "10" }, /key "bucketMaxObjects": this driver's API \(S3 and IAM\)/],
    [{ bucketLifecycle: "Rules" }, /key "bucketLifecycle": is not a JSON object/],
    [{ bucketLifecycle: "{}" }, /has no list "Rules"/],
    [{ bucketLifecycle: '{"Rules":[],"X":1}' }, /has "X" beside "Rules"/],
    [lifecycle(), /has an empty list "Rules"/],
    [lifecycle("x"), /has a Rules\[0\] that is not an object/],
    [lifecycle(rule, { ...rule, Status: "On" }), /no Status Enabled or Disabled in Rules\[1\]/],
    [lifecycle({ ...rule, Expiration: undefined }), /has no action in Rules\[0\]: give one of Expiration/],
    [lifecycle({ ...rule, Filter: undefined }), /needs one of Filter and Prefix in Rules\[0\]/],
    [
      lifecycle({ ...rule, Filtre: {} }),
      /has Rules\[0\]\.Filtre, which is not known: Rules\[0\] may have ID,/,
    ],
    [lifecycle({ ...rule, Filter: { prefix: "a" } }), /has Rules\[0\]\.Filter\.prefix, which is not known/],
    [lifecycle({ ...rule, Filter: { Prefix: "a", Tag: { Key: "a", Value: "b" } } }), /more than one member/],
    [
      lifecycle({ ...rule, Expiration: { Days: "1" } }),
      /Rules\[0\]\.Expiration\.Days that is not a whole number/,
    ],
    [lifecycle({ ...rule, Expiration: { Date: "soon" } }), /Rules\[0\]\.Expiration\.Date that is not a date/],
    [lifecycle({ ...rule, Transitions: {} }), /Rules\[0\]\.Transitions that is not a list/],
  ] as const) {
    it(`are refused when wrong, by key and reason: ${JSON.stringify(map).slice(0, 90)} [GRPC-033]`, () => {
      assert.throws(
        () => {
          checkParameters("f", new Map(Object.entries(map)));
        },
        (error) => {
          assert.ok(error instanceof DriverError);
          assert.equal(error.kind, "invalid-argument");
          assert.match(error.message, reason);
          assert.ok(!error.message.includes("s3cr3t"));
          return true;
        },
      );
    });
  }

  it("are the same for a create and a grant, with what a claim's class has, and each records its own", () => {
    const all = {
      region: "eu-1",
      accessMode: "ro",
      objectStoreName: "store",
      objectStoreNamespace: "rook ceph",
      objectStore: "store",
      endpoint: "https://s3.example.org",
      bucketName: "photos",
      bucketID: "photos",
      bucketPolicy: '{"Version":"2012-10-17","Statement":[]}',
      maxSize: "2G",
      maxObjects: "",
      ...lifecycle(rule, {
        ID: "old",
        Status: "Disabled",
        Prefix: "",
        Expiration: { Date: "2030-01-31T00:00:00Z" },
      }),
    };
    const parameters = new Map(Object.entries(all));
    checkParameters("f", parameters);
    assert.equal(formatParameters(bucketIdentity(parameters)), "region=eu-1");
    assert.equal(formatParameters(accessIdentity(parameters)), "accessMode=ro");
  });

  it("of a context are judged but for settings, which have no effect there", () => {
    checkContext("f", new Map(Object.entries({ ...lifecycle(), maxObjects: "10", bucketOwner: "a b" })));
    for (const map of [{ nope: "1" }, { versioning: "yes" }, { accessMode: "admin" }]) {
      assert.throws(() => {
        checkContext("f", new Map(Object.entries(map)));
      }, DriverError);
    }
  });

  for (const [map, quota] of [
    [{ maxSize: "4Ki" }, { key: "maxSize", bytes: 4096n }],
    [
      { maxSize: "2G", bucketMaxSize: "1k" },
      { key: "bucketMaxSize", bytes: 1000n },
    ],
    [
      { maxSize: "", bucketMaxSize: "1k" },
      { key: "bucketMaxSize", bytes: 1000n },
    ],
    [{ maxSize: "" }, { key: "maxSize", bytes: 0n }],
    [{}, undefined],
  ] as const) {
    it(`ask for the lower quota of two, and for none where none is said: ${JSON.stringify(map)}`, () => {
      assert.deepEqual(bucketSettings(new Map(Object.entries(map))).quota, quota);
    });
  }

  it("fit into the tag that records them, however long their values", () => {
    const longest = new Map([
      ["region", "r".repeat(32)],
      ["versioning", "false"],
      ["emptyOnDelete", "false"],
      ["bucketPolicy", JSON.stringify({ Statement: ["{}".repeat(200)] })],
    ]);
    checkParameters("f", longest);
    const line = formatParameters(bucketIdentity(longest));
    assert.ok(line.length <= 256);
    assert.match(line, /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u);
  });

  it("name a user in a tag that a bucket may have", () => {
    const tags = withUser({ "cosi-driver": "d" }, "a,b@c+=._-");
    assert.match(Object.values(tags).join(""), /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u);
    assert.equal(userIn(tags), "a,b@c+=._-");
    assert.deepEqual(withUser(tags, undefined), { "cosi-driver": "d" });
  });
});

describe("errors of the store", () => {
  const reply = (name: string, httpStatusCode: number) =>
    Object.assign(new Error("why"), { name, $metadata: { httpStatusCode } });

  for (const [name, status, kind] of [
    ["SlowDown", 503, "resource-exhausted"],
    ["SomethingElse", 429, "resource-exhausted"],
    ["InternalError", 500, "unavailable"],
    ["UnknownError", 502, "unavailable"],
    ["OperationAborted", 409, "aborted"],
    ["BucketAlreadyExists", 409, "already-exists"],
    ["InvalidBucketName", 400, "invalid-argument"],
    ["BucketNotEmpty", 409, "failed-precondition"],
    ["NotImplemented", 501, "failed-precondition"],
    ["AccessDenied", 403, "permission-denied"],
    ["Forbidden", 403, "permission-denied"],
    ["InvalidAccessKeyId", 403, "unauthenticated"],
    ["SignatureDoesNotMatch", 403, "unauthenticated"],
    ["InvalidClientTokenId", 403, "unauthenticated"],
    ["IllegalLocationConstraintException", 400, "out-of-range"],
    ["MalformedXML", 400, "internal"],
    ["DeleteConflictException", 409, "failed-precondition"],
  ] satisfies [string, number, ErrorKind][]) {
    it(`${name} with status ${status} is ${kind}`, () => {
      assert.equal(kindOf(reply(name, status)), kind);
    });
  }

  it("have the same kind under the name that the SDK gives them", () => {
    assert.equal(kindOf(reply("NoSuchEntityException", 404)), "not-found");
    assert.equal(kindOf(reply("EntityAlreadyExistsException", 409)), "already-exists");
    assert.equal(kindOf(reply("ThrottlingException", 400)), "resource-exhausted");
  });

  it("are unavailable when no reply came, or no keys from their source, and internal when the driver itself is at fault", () => {
    assert.equal(kindOf(Object.assign(new Error("connect"), { code: "ECONNREFUSED" })), "unavailable");
    assert.equal(
      kindOf(Object.assign(new Error("c"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" })),
      "unavailable",
    );
    assert.equal(
      kindOf(Object.assign(new Error("c"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" })),
      "unavailable",
    );
    const unread = Object.assign(new Error("Could not load credentials from any providers"), {
      name: "CredentialsProviderError",
    });
    assert.equal(kindOf(unread), "unavailable");
    assert.equal(kindOf(Object.assign(new TypeError("u"), { code: "ERR_INVALID_URL" })), "internal");
    assert.equal(kindOf(new TypeError("x is undefined")), "internal");
    assert.equal(kindOf("text"), "internal");
  });

  it("are told with attempt, code and reason in one short line", () => {
    const long = Object.assign(reply("AccessDenied", 403), { message: `no\n${"x".repeat(1000)}` });
    const { message } = toDriverError(long, 'create bucket "b"');
    assert.match(message, /^cannot create bucket "b": the store answered 403 AccessDenied: no x+…$/);
    assert.ok(message.length < 400);
    assert.equal(
      toDriverError(new DriverError("not-found", "it is gone"), 'delete bucket "b"').message,
      'cannot delete bucket "b": it is gone',
    );
  });

  it("are cut between characters, never inside one", () => {
    assert.equal(shorten("a😀😀", 2), "a😀…");
    assert.equal(shorten("a😀", 2), "a😀");
  });
});

describe("names of users", () => {
  it("are deterministic, fit into IAM, and differ by driver, account and purpose", () => {
    const names = [
      accountUserName("d1", "a"),
      accountUserName("d2", "a"),
      accountUserName("d1", "A"),
      accountUserName("d1", "a".repeat(62)),
      accountUserName("d1", "a".repeat(63)),
      intentUserName("d1", "a"),
      intentUserName("d2", "a"),
    ];
    assert.equal(new Set(names).size, names.length);
    assert.equal(accountUserName("d1", "a"), accountUserName("d1", "a"));
    for (const name of names) {
      assert.match(name, /^[\w+=,.@-]{1,64}$/);
    }
  });
});

describe("the policy of an access", () => {
  it("names one bucket and no action on the bucket's settings", () => {
    for (const mode of ["rw", "ro", "wo"] as const) {
      const text = accessPolicy("photos", mode, "aws");
      const resources = [...text.matchAll(/arn:[^"]*/g)].map(([arn]) => arn);
      const objects = "arn:aws:s3:::photos/*";
      assert.deepEqual(resources, mode === "wo" ? [objects] : ["arn:aws:s3:::photos", objects]);
      assert.doesNotMatch(text, /Tagging|BucketPolicy|BucketAcl|s3:\*|CreateBucket|DeleteBucket/);
      assert.equal(text.includes('"s3:GetObjectAcl"'), mode !== "wo", mode);
      assert.equal(text.includes('"s3:PutObjectAcl"'), mode === "rw", mode);
    }
  });

  for (const [region, iamEndpoint, partition] of [
    ["eu-1", undefined, "aws"],
    ["cn-north-1", undefined, "aws-cn"],
    ["us-gov-west-1", undefined, "aws-us-gov"],
    ["eusc-de-east-1", undefined, "aws-eusc"],
    ["cn-north-1", "https://iam.cn-north-1.amazonaws.com.cn", "aws-cn"],
    ["us-gov-west-1", "https://iam.global.api.aws", "aws-us-gov"],
    ["cn-north-1", "https://store.example.org", "aws"],
    ["us-gov-west-1", "https://amazonaws.com.example.org", "aws"],
  ] as const) {
    it(`is for ${partition} in region ${region} at ${iamEndpoint ?? "AWS"}`, () => {
      assert.equal(policyPartition({ region, iamEndpoint }), partition);
      assert.match(accessPolicy("b", "ro", partition), new RegExp(`"arn:${partition}:s3:::b/\\*"`));
    });
  }
});

describe("the log", () => {
  it("writes one JSON object per line, from its level upwards", () => {
    const lines: string[] = [];
    const log = createLog("info", (line) => lines.push(line));
    log.debug("quiet");
    log.info("call", { rpc: "DriverGetInfo", ms: 1 });
    log.error("call failed", { reason: "two\nlines" });
    assert.equal(lines.length, 2);
    assert.ok(lines.every((line) => line.indexOf("\n") === line.length - 1));
    const [first, second] = lines.map((line): unknown => JSON.parse(line));
    assert.ok(typeof first === "object" && typeof second === "object");
    assert.deepEqual(
      { ...first, time: "" },
      { time: "", level: "info", message: "call", rpc: "DriverGetInfo", ms: 1 },
    );
    assert.deepEqual(
      { ...second, time: "" },
      { time: "", level: "error", message: "call failed", reason: "two\nlines" },
    );
  });
});
