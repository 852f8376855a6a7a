import { ListUsersCommand } from "@aws-sdk/client-iam";
import { HeadBucketCommand } from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { createLog } from "../../../drivers/common/log";
import { readConfig } from "../../../drivers/s3/config";
import { connectStore } from "../../../drivers/s3/core/store";

const ENV = {
  COSI_ENDPOINT: "unix:///run/cosi/driver.sock",
  AWS_REGION: "eu-west-1",
  AWS_ACCESS_KEY_ID: "admin",
  AWS_SECRET_ACCESS_KEY: "secret-of-admin",
};

/** A request as it would go out. */
interface Sent {
  readonly hostname: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where requests to S3 and to IAM would be sent, and for which region and service they are signed; none is sent. */
async function destinations(env: Readonly<Record<string, string>>): Promise<readonly [string, string]> {
  const store = connectStore(
    readConfig({ ...ENV, ...env }).store,
    createLog("error", () => undefined),
  );
  const seen: string[] = [];
  const stop = ({ request }: { request: unknown }): Promise<never> => {
    const { hostname, headers } = request as Sent;
    const scope = /Credential=[^/]*\/\d*\/([^/]*\/[^/]*)/.exec(headers["authorization"] ?? "")?.[1];
    seen.push(`${hostname} ${scope ?? "unsigned"}`);
    return Promise.reject(Object.assign(new Error("not sent"), { name: "NotSent" }));
  };
  store.once.s3.middlewareStack.add(() => stop, { step: "finalizeRequest", priority: "low" });
  store.once.iam.middlewareStack.add(() => stop, { step: "finalizeRequest", priority: "low" });
  await assert.rejects(store.once.s3.send(new HeadBucketCommand({ Bucket: "photos" })), { name: "NotSent" });
  await assert.rejects(store.once.iam.send(new ListUsersCommand({})), { name: "NotSent" });
  const [s3 = "", iam = ""] = seen;
  return [s3, iam];
}

describe("clients of the store", () => {
  const VARIABLES = {
    AWS_ENDPOINT_URL: "http://127.0.0.1:1",
    AWS_ENDPOINT_URL_S3: "http://127.0.0.1:2",
    AWS_ENDPOINT_URL_IAM: "http://127.0.0.1:3",
    AWS_USE_FIPS_ENDPOINT: "true",
    AWS_USE_DUALSTACK_ENDPOINT: "true",
  };
  for (const [name, value] of Object.entries(VARIABLES)) {
    it(`are not moved by ${name}, as their users would not be [GRPC-104]`, async () => {
      const before = process.env[name];
      process.env[name] = value;
      try {
        assert.deepEqual(await destinations({}), [
          "photos.s3.eu-west-1.amazonaws.com eu-west-1/s3",
          "iam.amazonaws.com us-east-1/iam",
        ]);
      } finally {
        if (before === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = before;
      }
    });
  }

  for (const [region, env, iam] of [
    [
      "eu-west-1",
      { S3_DRIVER_S3_ENDPOINT: "https://s3-fips.eu-west-1.amazonaws.com" },
      "iam.amazonaws.com us-east-1/iam",
    ],
    ["eu-west-1", { S3_DRIVER_IAM_ENDPOINT: "https://iam.amazonaws.com" }, "iam.amazonaws.com us-east-1/iam"],
    [
      "cn-northwest-1",
      { S3_DRIVER_S3_ENDPOINT: "https://s3.cn-northwest-1.amazonaws.com.cn" },
      "iam.cn-north-1.amazonaws.com.cn cn-north-1/iam",
    ],
    [
      "us-gov-east-1",
      { S3_DRIVER_IAM_ENDPOINT: "https://iam.us-gov.amazonaws.com" },
      "iam.us-gov.amazonaws.com us-gov-west-1/iam",
    ],
    ["eu-west-1", { S3_DRIVER_S3_ENDPOINT: "https://store.example.org" }, "store.example.org eu-west-1/iam"],
    ["cn-1", { S3_DRIVER_S3_ENDPOINT: "https://store.example.org" }, "store.example.org cn-1/iam"],
  ] as const) {
    it(`reach ${iam} from ${region} with ${Object.entries(env).join().replace(",", " ")}`, async () => {
      const [, found] = await destinations({ ...env, AWS_REGION: region });
      assert.equal(found, iam);
    });
  }
});
