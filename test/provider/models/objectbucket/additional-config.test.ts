import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import {
  additionalConfigProblem,
  createParameters,
  defaultAllowedConfig,
  knownConfigKeys,
  ownerQuotaProblem,
  sameConfig,
} from "../../../../provider/models/objectbucket/additional-config";

const unknown: unknown = pulumi.runtime.unknownValue;

/** What is wrong with a config under a class. */
const problemOf = (
  config: unknown,
  parameters: Record<string, string> = {},
  allowed: readonly string[] = knownConfigKeys,
) => additionalConfigProblem(config, { allowed, parameters });

describe("the additionalConfig of a claim", () => {
  it("is a map of texts, or nothing", () => {
    for (const config of [undefined, null, {}, { maxObjects: "10" }]) {
      assert.equal(problemOf(config), undefined);
    }
    for (const value of [10, true, null, {}, ["10"]]) {
      assert.match(
        problemOf({ maxObjects: value }) ?? "",
        /^has a value that is not a string at the key "maxObjects": put it in quotes/,
        JSON.stringify(value),
      );
    }
    for (const config of ["maxObjects", ["a"], 3]) {
      assert.equal(problemOf(config), "is not a map: give strings by their keys");
    }
  });

  it("is not judged where a preview does not know it", () => {
    assert.equal(problemOf(unknown), undefined);
    assert.equal(problemOf({ maxSize: unknown }), undefined);
    assert.match(problemOf({ maxSize: unknown, maxObjects: "x" }) ?? "", /"maxObjects" that is "x"/);
  });

  it("says nothing of what the class says, unless it says the same [OBC-006]", () => {
    const parameters = { objectStoreName: "a", objectStoreNamespace: "n", tier: "hot", maxSize: "1Ki" };
    for (const config of [
      { objectStoreName: "b" },
      { objectStore: "b" },
      { objectStoreNamespace: "m" },
      { tier: "cold" },
      { tier: "" },
      { maxSize: "1k" },
      { bucketName: "other" },
      { bucketID: "other" },
      { reclaimPolicy: "Delete" },
      { provisioner: "ceph.rook.io/bucket" },
    ]) {
      const [key = ""] = Object.keys(config);
      const problem = problemOf(config, parameters, [...knownConfigKeys, key]);
      assert.equal(
        problem,
        `has ${JSON.stringify(key)}, which only the class may set, and it does not set it so: leave it out, or use a class that does`,
      );
    }
    for (const config of [
      { objectStoreName: "a" },
      { objectStore: "a" },
      { objectStoreNamespace: "n" },
      { tier: "hot" },
      { maxSize: "1024" },
    ]) {
      assert.equal(problemOf(config, parameters, []), undefined, JSON.stringify(config));
    }
  });

  it("has quotas by itself, and other keys only where its class allows them [OBC-079]", () => {
    const values: Record<string, string> = {
      maxObjects: "1000",
      maxSize: "2G",
      bucketMaxObjects: "1000",
      bucketMaxSize: "2G",
      bucketPolicy: '{"Statement":[]}',
      bucketLifecycle: '{"Rules":[{"ID":"a"}]}',
      bucketOwner: "alice",
      storageClass: "cold",
    };
    assert.deepEqual(knownConfigKeys, Object.keys(values).slice(0, 7));
    for (const [key, value] of Object.entries(values)) {
      const config = { [key]: value };
      const expected = ["maxObjects", "maxSize"].includes(key)
        ? undefined
        : `has ${JSON.stringify(key)}, which the class does not allow (it allows "maxObjects", "maxSize"): ` +
          "leave it out, or give it in allowedAdditionalConfig of the class";
      assert.equal(problemOf(config, {}, defaultAllowedConfig), expected);
      assert.equal(problemOf(config, {}, [key]), undefined, key);
      assert.match(problemOf(config, {}, []) ?? "", /\(it allows none\)/, key);
    }
  });

  it("has quantities where it has quotas [OBC-080]", () => {
    for (const key of ["maxObjects", "maxSize", "bucketMaxObjects", "bucketMaxSize"]) {
      for (const value of ["1000", "2G", "4Ki", "0", ""])
        assert.equal(problemOf({ [key]: value }), undefined);
      for (const value of ["2 GB", "many", "-1", "2KiB"]) {
        assert.equal(
          problemOf({ [key]: value }),
          `has "${key}" that is "${value}": give a quantity such as "1000", "2G" or "4Ki"`,
        );
      }
    }
  });

  it("has JSON where it has a policy or rules, and rules that are not empty [OBC-080]", () => {
    const object = "is no object in JSON";
    const cases: [key: string, value: string, problem?: string][] = [
      ["bucketPolicy", '{"Statement":[]}'],
      ["bucketPolicy", ""],
      ["bucketPolicy", '{"Statement":[],}', object],
      ["bucketPolicy", "[]", object],
      ["bucketPolicy", "null", object],
      ["bucketLifecycle", '{ "Rules": [ { "ID": "a" } ] }'],
      ["bucketLifecycle", ""],
      ["bucketLifecycle", '{"Rules":[]}', 'has an empty list "Rules"'],
      ["bucketLifecycle", "{}", 'has no list "Rules"'],
      ["bucketLifecycle", '{"Rules":{"ID":"a"}}', 'has no list "Rules"'],
      ["bucketLifecycle", '{"Rules":["a"]}', 'has an entry in "Rules" that is no object'],
      ["bucketLifecycle", "Rules: []", object],
    ];
    for (const [key, value, problem] of cases) {
      const found = problemOf({ [key]: value });
      if (problem === undefined) assert.equal(found, undefined, value);
      else assert.ok(found?.startsWith(`has "${key}" that ${problem}: give one such as {`), found);
    }
  });

  it("changes no quota of an owner, nor does its class [OBC-119]", () => {
    const owner = { bucketOwner: "alice" };
    const cases: [config: object | null, parameters: Record<string, string>, quotas?: string][] = [
      [{ ...owner, maxSize: "2G" }, {}, "maxSize"],
      [{ ...owner, maxObjects: "", maxSize: "2G" }, {}, "maxObjects and maxSize"],
      [{ maxObjects: "5" }, owner, "maxObjects"],
      [owner, { maxSize: "2G" }, "maxSize"],
      [null, { ...owner, maxSize: "2G" }, "maxSize"],
      [{ ...owner, bucketMaxSize: "2G" }, {}],
      [{ bucketOwner: "", maxSize: "2G" }, {}],
      [{ maxSize: "2G" }, { bucketOwner: "" }],
      [owner, {}],
    ];
    for (const [config, parameters, quotas] of cases) {
      const found = problemOf(config, parameters);
      if (quotas === undefined) assert.equal(found, undefined);
      else {
        assert.ok(
          found?.startsWith(
            `with the parameters of the class has bucketOwner beside ${quotas}, which would change`,
          ),
          found,
        );
      }
    }
    assert.match(
      ownerQuotaProblem({ ...owner, maxObjects: "5", maxSize: "2G" }) ?? "",
      /^has bucketOwner beside .*: give bucketMaxObjects and bucketMaxSize instead/,
    );
  });

  it("is sent beside the parameters of the class, which stay as they are [OBC-033]", () => {
    const parameters = { objectStore: "a", tier: "hot", empty: "" };
    assert.deepEqual(createParameters(parameters, undefined), parameters);
    assert.deepEqual(createParameters(parameters, null), parameters);
    assert.deepEqual(createParameters(parameters, { maxSize: "2G", bucketPolicy: "" }), {
      ...parameters,
      maxSize: "2G",
      bucketPolicy: "",
    });
    assert.deepEqual(createParameters({ maxSize: "1Ki" }, { maxSize: "1024" }), { maxSize: "1Ki" });
  });
});

describe("two additionalConfigs", () => {
  const policy = (text: string) => ({ bucketPolicy: text });
  const lifecycle = (text: string) => ({ bucketLifecycle: text });

  it("mean the same where they are written otherwise [OBC-080]", () => {
    const pairs: [Record<string, string> | null | undefined, Record<string, string> | null | undefined][] = [
      [undefined, null],
      [null, {}],
      [
        { maxObjects: "1000", maxSize: "2Gi" },
        { maxSize: "2048Mi", maxObjects: "1k" },
      ],
      [policy('{"Version":"1","Statement":[]}'), policy('{ "Statement" : [],\n "Version": "1" }')],
      [
        policy('{"Statement":[{"Action":"s3:GetObject","Effect":"Allow"}]}'),
        policy('{"Statement":[{"Effect":"Allow","Action":["s3:GetObject"]}]}'),
      ],
      [
        lifecycle('{"Rules":[{"ID":"a","Days":1},{"ID":"b","Days":2}]}'),
        lifecycle('{"Rules":[{"Days":2,"ID":"b"},{"ID":"a","Days":1}]}'),
      ],
    ];
    for (const [left, right] of pairs) {
      assert.ok(sameConfig(left, right), JSON.stringify([left, right]));
      assert.ok(sameConfig(right, left), JSON.stringify([right, left]));
    }
  });

  it("mean different things where a value differs, or is empty [OBC-080]", () => {
    const pairs: [Record<string, string> | null | undefined, Record<string, string>][] = [
      [null, policy("")],
      [policy("{}"), policy("")],
      [{ maxSize: "2G" }, { maxSize: "2Gi" }],
      [{ maxSize: "0" }, { maxSize: "" }],
      [{ maxSize: "1000" }, { maxObjects: "1000" }],
      [{ bucketOwner: "1000" }, { bucketOwner: "1k" }],
      // Values of a key of which nothing is known are texts.
      [{ rules: '{"a":1}' }, { rules: '{ "a": 1 }' }],
      [policy('{"Statement":[{"Action":["a","b"]}]}'), policy('{"Statement":[{"Action":["b","a"]}]}')],
      [policy('{"Statement":[{"Action":"a"}]}'), policy('{"Statement":[{"Action":["a","b"]}]}')],
      [lifecycle('{"Rules":[{"ID":"a","Days":1}]}'), lifecycle('{"Rules":[{"ID":"a","Days":2}]}')],
      [lifecycle('{"Rules":[{"ID":"a"}]}'), lifecycle('{"Rules":[{"ID":"a"},{"ID":"b"}]}')],
      [policy("no JSON"), policy("no  JSON")],
    ];
    for (const [left, right] of pairs) {
      assert.ok(!sameConfig(left, right), JSON.stringify([left, right]));
      assert.ok(!sameConfig(right, left), JSON.stringify([right, left]));
    }
  });
});
