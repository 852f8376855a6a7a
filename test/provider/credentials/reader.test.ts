import assert from "node:assert/strict";
import {
  pickCredentials,
  readCredentials,
  UnusableCredentialsError,
} from "../../../provider/credentials/reader";
import type { CredentialProtocol } from "../../../provider/credentials/credentials";

const value = "never-in-a-text";

function granted(entries: Record<string, Record<string, string>>): Map<string, Map<string, string>> {
  return new Map(Object.entries(entries).map(([name, secrets]) => [name, new Map(Object.entries(secrets))]));
}

function textOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof UnusableCredentialsError);
    assert.ok(!error.message.includes(value));
    return error.message;
  }
  throw new Error("nothing was refused");
}

describe("pickCredentials", () => {
  const s3 = { accessKeyID: value };
  const azure = { accessToken: value };

  it("takes the entry of the wanted protocol among several", () => {
    const both = granted({ s3, azure });
    assert.deepEqual(pickCredentials(both, "S3"), { protocol: "S3", secrets: s3 });
    assert.deepEqual(pickCredentials(both, "Azure"), { protocol: "Azure", secrets: azure });
  });

  it("takes the only known entry where no protocol is wanted, beside foreign ones", () => {
    assert.deepEqual(pickCredentials(granted({ azure }), undefined).protocol, "Azure");
    assert.deepEqual(pickCredentials(granted({ gcs: { k: value }, foo: s3 }), undefined).protocol, "GCS");
  });

  it("refuses the only entry where there is no place for it, and does not choose by that", () => {
    const text = (entries: Record<string, Record<string, string>>) =>
      textOf(() => pickCredentials(granted(entries), undefined, ["S3", "Azure"]));
    assert.match(text({ gcs: { k: value } }), /takes credentials of S3 and Azure, not of GCS.*gave: "gcs"$/);
    assert.match(text({ gcs: { k: value }, s3 }), /exactly one of the entries.*gave: "gcs", "s3"$/);
  });

  it("keeps keys that no layout knows, whatever is in them", () => {
    const odd = { "a b": value, __proto: "1", "": "2" };
    assert.deepEqual(pickCredentials(granted({ s3: odd }), "S3").secrets, odd);
  });

  it("names the entries found where none fits, and no value", () => {
    const cases: readonly [Record<string, Record<string, string>>, CredentialProtocol | undefined, RegExp][] =
      [
        [{ s3, azure }, "GCS", /no credentials for GCS; its entries: "s3", "azure"$/],
        [{ foo: { "a b": value } }, "S3", /no credentials for S3; its entries: "foo"$/],
        [{ foo: s3 }, undefined, /exactly one of the entries s3, azure, gcs.*gave: "foo"$/],
        [{ s3, azure }, undefined, /exactly one of the entries s3, azure, gcs.*gave: "s3", "azure"$/],
        [{ azure }, "S3", /its entries: "azure"$/],
        [{ S3: s3 }, "S3", /its entries: "S3"$/],
        [{}, "S3", /its entries: none$/],
        [{}, undefined, /gave: none$/],
      ];
    for (const [entries, wanted, text] of cases) {
      assert.match(
        textOf(() => pickCredentials(granted(entries), wanted)),
        text,
      );
    }
  });
});

describe("readCredentials", () => {
  const keys = { accessKeyID: "AK", accessSecretKey: value };
  const s3 = (secrets: Record<string, string>) => ({ protocol: "S3", secrets }) as const;

  it("prefers what the driver says to the bucket's data, and these to the program's", () => {
    const bucketInfo = { protocol: "S3", region: "info", signatureVersion: null } as const;
    const all = { endpoint: "http://program", region: "program", bucketInfo };
    const told = { ...keys, endpoint: "http://driver", region: "driver" };
    const read = (secrets: Record<string, string>, defaults: Parameters<typeof readCredentials>[2]) => {
      const { endpoint, region } = readCredentials(s3(secrets), "Key", defaults);
      return [endpoint, region];
    };
    assert.deepEqual(read(told, all), ["http://driver", "driver"]);
    assert.deepEqual(read(keys, all), ["http://program", "info"]);
    const silent = { ...all, bucketInfo: { ...bucketInfo, region: "" } };
    assert.deepEqual(read({ ...keys, endpoint: "", region: "" }, silent), ["http://program", "program"]);
    assert.deepEqual(read(keys, { ...all, bucketInfo: { protocol: "Azure", storageAccount: "info" } }), [
      "http://program",
      "program",
    ]);
    assert.deepEqual(read(keys, {}), [null, null]);
  });

  it("names all keys that are missing, and those that are there", () => {
    const text = (secrets: Record<string, string>) => textOf(() => readCredentials(s3(secrets), "Key", {}));
    assert.match(text({ "a b": value }), /left out accessKeyID and accessSecretKey; its keys: a b$/);
    assert.match(text({ accessSecretKey: value }), /left out accessKeyID; its keys: accessSecretKey$/);
    assert.match(text({}), /its keys: none$/);
    const azure = { protocol: "Azure", secrets: { expiryTs: value } } as const;
    assert.match(
      textOf(() => readCredentials(azure, "Key", {})),
      /left out accessToken; its keys: expiryTs$/,
    );
  });

  it("prefers the spelling of the contract to others", () => {
    const both = { accessKeyID: "AK", accesskeyid: "other", accessSecretKey: value };
    assert.equal(readCredentials(s3(both), "Key", {}).accessKeyId, "AK");
  });

  it("asks for no keys of an identity of the platform", () => {
    assert.equal(readCredentials(s3({}), "IAM", {}).accessKeyId, null);
  });

  it("reads when an Azure token ends, and null for what is no time", () => {
    const expiry = (expiryTs?: string) =>
      readCredentials(
        {
          protocol: "Azure",
          secrets: { accessToken: value, ...(expiryTs === undefined ? {} : { expiryTs }) },
        },
        "Key",
        {},
      ).expiry;
    const cases: readonly [string | undefined, string | null][] = [
      [undefined, null],
      ["", null],
      ["2027-01-02T03:04:05Z", "2027-01-02T03:04:05Z"],
      ["2027-01-02T03:04:05.678+02:00", "2027-01-02T01:04:05.678Z"],
      ["2027-01-02 03:04:05 +0000 UTC", "2027-01-02T03:04:05Z"],
      ["2027-01-02 03:04:05.999999999 +0530 IST", "2027-01-01T21:34:05.999Z"],
      ["2027-01-02 03:04:05 -0300 -03 m=+0.012", "2027-01-02T06:04:05Z"],
      ["0001-01-01 00:00:00 +0000 UTC", null],
      ["0001-01-01T00:00:00Z", null],
      ["2027-02-30T03:04:05Z", null],
      ["1798858800", null],
      ["2027-13-02T03:04:05Z", null],
      ["next week", null],
      ["2027-01-02", null],
    ];
    for (const [text, expected] of cases) assert.equal(expiry(text), expected, String(text));
  });
});
