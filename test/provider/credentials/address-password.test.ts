import assert from "node:assert/strict";
import { secretsWithin } from "../../../provider/credentials/address-password";

describe("what opens the door within an address", () => {
  const cases: readonly (readonly [text: string, secrets: readonly string[]])[] = [
    ["postgres://app:S3cr3t@db.example.com:5432/x", ["S3cr3t"]],
    ["postgres://app:a%2Fb@db/x?sslmode=require", ["a%2Fb", "a/b"]],
    ["postgres://app:%zz@db/x", ["%zz"]],
    ["jdbc:postgresql://db/x?user=app&password=S3cr3t", ["S3cr3t"]],
    ["https://account.blob.core.windows.net/c?sv=2024&sp=rw&sig=abc%3D", ["abc="]],
    ["https://s3/b?X-Amz-Credential=a&X-Amz-Signature=abc&X-Amz-Expires=9", ["abc"]],
    ["app:S3cr3t@s3.example.com:9000", ["S3cr3t"]],
    ["store.example.com/c?sv=2024&sig=abc", ["abc"]],
    ["host=db user=app password=S3cr3t dbname=x", ["S3cr3t"]],
    ["host=db password='with \\\\ and \\' in it' dbname=x", ["with \\ and ' in it"]],
    ["Server=db;User Id=app;Password=S3cr3t;Database=x", ["S3cr3t"]],
    ["DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc+/d==;EndpointSuffix=core", ["abc+/d=="]],
    ["https://s3.eu-central-1.amazonaws.com", []],
    ["db.example.com:5432", []],
    ["[::1]:9000", []],
    ["app@project.iam.gserviceaccount.com", []],
    ['{"a":"app:S3cr3t@b"}', []],
    ["S3cr3t", []],
    ["", []],
  ];
  for (const [text, secrets] of cases) {
    it(`is ${secrets.length === 0 ? "nothing" : secrets.join(" and ")} in ${JSON.stringify(text)} [GRPC-084]`, () => {
      assert.deepEqual(secretsWithin(text), secrets);
    });
  }
});
