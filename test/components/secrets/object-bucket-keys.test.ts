import assert from "node:assert/strict";
import {
  configMapKeys,
  extraConfigMapKeys,
  extraKeysProblem,
  extraSecretKeys,
  keySetProblem,
  keySets,
  secretKeys,
  type KeySet,
} from "../../../components/secrets/object-bucket-keys";
import { endpointOf } from "../../../provider/models/objectbucket/endpoint";

const keys = { accessKeyId: "AKIA", secretAccessKey: "s3cr3t" };
const connection = {
  endpoint: endpointOf("https://s3.example.com:8443"),
  bucketName: "photos-7",
  region: "eu-1",
  subRegion: "a",
};
const choices: readonly KeySet[][] = [["rook"], ["seed"], ["rook", "seed"]];

const ofRook = { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "s3cr3t" };
const ofSeed = { ACCESS_KEY_ID: "AKIA", SECRET_ACCESS_KEY: "s3cr3t" };
const rookMap = {
  BUCKET_HOST: "s3.example.com",
  BUCKET_PORT: "8443",
  BUCKET_NAME: "photos-7",
  BUCKET_REGION: "eu-1",
  BUCKET_SUBREGION: "a",
};
const seedMap = {
  S3_BUCKET_HOST: "s3.example.com",
  S3_BUCKET_PORT: "8443",
  S3_BUCKET_NAME: "photos-7",
  S3_BUCKET_SSL: "yes",
  S3_BUCKET_REGION: "eu-1",
};

describe("the keys of a claim's Secret", () => {
  it("are exactly those of the chosen sets, with equal values in both [OBC-041]", () => {
    assert.deepEqual(secretKeys(["rook"], keys), ofRook);
    assert.deepEqual(secretKeys(["seed"], keys), ofSeed);
    assert.deepEqual(secretKeys(keySets, keys), { ...ofRook, ...ofSeed });
    assert.deepEqual(secretKeys(["seed", "rook", "rook"], keys), { ...ofRook, ...ofSeed });
  });

  it("are of one set or more, and of no other [OBC-041]", () => {
    for (const sets of choices) assert.equal(keySetProblem(sets), undefined);
    for (const value of [[], ["aws"], ["rook", 1], "rook", null, undefined, {}]) {
      assert.equal(
        keySetProblem(value),
        `is ${JSON.stringify(value)}: give a list of "rook", "seed" or both, or leave it out for both`,
      );
    }
  });
});

describe("the keys of a claim's ConfigMap", () => {
  it("are exactly those of the chosen sets, ten of both [OBC-047]", () => {
    assert.deepEqual(configMapKeys(["rook"], connection), rookMap);
    assert.deepEqual(configMapKeys(["seed"], connection), seedMap);
    assert.deepEqual(configMapKeys(keySets, connection), { ...rookMap, ...seedMap });
    assert.equal(Object.keys(configMapKeys(keySets, connection)).length, 10);
  });

  it("are there where they are empty, and all of them are texts [OBC-047] [OBC-048]", () => {
    const bare = { endpoint: endpointOf("h"), bucketName: "b", region: "", subRegion: "" };
    const map = configMapKeys(keySets, bare);
    assert.deepEqual(map, {
      BUCKET_HOST: "h",
      BUCKET_PORT: "80",
      BUCKET_NAME: "b",
      BUCKET_REGION: "",
      BUCKET_SUBREGION: "",
      S3_BUCKET_HOST: "h",
      S3_BUCKET_PORT: "80",
      S3_BUCKET_NAME: "b",
      S3_BUCKET_SSL: "no",
      S3_BUCKET_REGION: "",
    });
    for (const [key, value] of Object.entries(map)) assert.equal(typeof value, "string", key);
  });

  const endpoints: [endpoint: string, host: string, port: string, ssl: string][] = [
    ["http://h:8333/", "h", "8333", "no"],
    ["https://h", "h", "443", "yes"],
    ["h", "h", "80", "no"],
    ["h:443", "h", "443", "yes"],
    ["https://h:8443", "h", "8443", "yes"],
    ["[::1]:9000", "[::1]", "9000", "no"],
  ];
  for (const [endpoint, host, port, ssl] of endpoints) {
    it(`say ${host}, ${port} and ${ssl} for ${endpoint} [OBC-049]`, () => {
      const map = configMapKeys(keySets, { ...connection, endpoint: endpointOf(endpoint) });
      for (const [key, value] of [
        ["BUCKET_HOST", host],
        ["S3_BUCKET_HOST", host],
        ["BUCKET_PORT", port],
        ["S3_BUCKET_PORT", port],
        ["S3_BUCKET_SSL", ssl],
      ] as const) {
        assert.equal(map[key], value, key);
      }
    });
  }
});

describe("the keys of a claim for envFrom", () => {
  it("are names of environment variables, whatever is chosen [OBC-068]", () => {
    const form = /^[A-Za-z_][A-Za-z0-9_]*$/;
    const extra = { AWS_REGION: "region", _Extra1: "accessKeyId" } as const;
    assert.equal(extraKeysProblem(keySets, extra, "secret"), undefined);
    for (const map of [
      secretKeys(keySets, keys),
      configMapKeys(keySets, connection),
      extraSecretKeys(extra, keys, connection),
    ]) {
      for (const key of Object.keys(map)) assert.match(key, form);
    }
    for (const key of ["1A", "A-B", "a.b", "", "Ä", "A B", "A\n"]) {
      for (const where of ["secret", "configMap"] as const) {
        assert.match(
          extraKeysProblem(keySets, { [key]: "region" }, where) ?? "",
          /^has the key ".*", which cannot name an environment variable/,
          JSON.stringify(key),
        );
      }
    }
  });
});

describe("further keys of a claim", () => {
  it("hold named outputs in the Secret or the ConfigMap [OBC-046]", () => {
    const ofBucket = {
      AWS_ENDPOINT_URL: "endpointUrl",
      AWS_REGION: "region",
      NAME: "bucketName",
      HOST: "host",
      PORT: "port",
    } as const;
    const values = {
      AWS_ENDPOINT_URL: "https://s3.example.com:8443",
      AWS_REGION: "eu-1",
      NAME: "photos-7",
      HOST: "s3.example.com",
      PORT: "8443",
    };
    const ofAccount = { USER: "accessKeyId", PASSWORD: "secretAccessKey" } as const;
    assert.equal(extraKeysProblem(keySets, ofBucket, "configMap"), undefined);
    assert.deepEqual(extraConfigMapKeys(ofBucket, connection), values);
    assert.equal(extraKeysProblem(keySets, { ...ofBucket, ...ofAccount }, "secret"), undefined);
    assert.deepEqual(extraSecretKeys({ ...ofBucket, ...ofAccount }, keys, connection), {
      ...values,
      USER: "AKIA",
      PASSWORD: "s3cr3t",
    });
    assert.deepEqual(extraSecretKeys(undefined, keys, connection), {});
    assert.deepEqual(extraConfigMapKeys(undefined, connection), {});
    for (const nothing of [undefined, null, {}]) {
      assert.equal(extraKeysProblem(keySets, nothing, "secret"), undefined);
    }
  });

  it("have no name of a key that is there already [OBC-046]", () => {
    const clash = /^has the key "(.*)", which keySets defines: give another key, or leave it out$/;
    for (const key of Object.keys({ ...ofRook, ...ofSeed })) {
      assert.match(extraKeysProblem(keySets, { [key]: "region" }, "secret") ?? "", clash, key);
    }
    for (const key of Object.keys({ ...rookMap, ...seedMap })) {
      assert.match(extraKeysProblem(keySets, { [key]: "region" }, "configMap") ?? "", clash, key);
    }
    // One of a set that is not chosen, and one of the other object.
    assert.equal(extraKeysProblem(["rook"], { ACCESS_KEY_ID: "accessKeyId" }, "secret"), undefined);
    assert.equal(extraKeysProblem(keySets, { BUCKET_NAME: "bucketName" }, "secret"), undefined);
  });

  it("hold no other outputs, and none that is secret in a ConfigMap [OBC-046]", () => {
    for (const output of ["endpoint", "", 1, null, "toString"]) {
      assert.match(
        extraKeysProblem(keySets, { A: output }, "secret") ?? "",
        /^has the key "A" for .*: give one of "endpointUrl", "region", .*"secretAccessKey"$/,
        JSON.stringify(output),
      );
    }
    for (const output of ["accessKeyId", "secretAccessKey"]) {
      assert.equal(
        extraKeysProblem(keySets, { A: output }, "configMap"),
        `has the key "A" for ${output}, which is secret: give it in extraKeys.secret`,
      );
    }
    for (const extra of ["AWS_REGION", ["AWS_REGION"], 1]) {
      assert.match(extraKeysProblem(keySets, extra, "secret") ?? "", /^is not a map: give names of outputs/);
    }
  });
});
