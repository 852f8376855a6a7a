import { S3Client } from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../drivers/s3/config";
import { ConfigError } from "../../../drivers/common/config-error";

const FOLDER = join(__dirname, "../../../drivers/s3");

/** What it shares with other drivers. */
const COMMON = join(__dirname, "../../../drivers/common");

const COMPLETE = {
  COSI_ENDPOINT: "unix:///run/cosi/driver.sock",
  AWS_REGION: "eu-test-1",
  AWS_ACCESS_KEY_ID: "admin",
  AWS_SECRET_ACCESS_KEY: "secret-of-admin",
};

function describeEnv(env: Record<string, string | undefined>): string {
  return Object.entries(env)
    .map(([key, value]) => (value === undefined ? `no ${key}` : `${key}="${value.slice(0, 40)}"`))
    .join(" ");
}

function refused(env: Record<string, string | undefined>, variable: string, reason: RegExp): void {
  assert.throws(
    () => readConfig({ ...COMPLETE, ...env }),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.variable, variable);
      assert.ok(error.message.startsWith(`${variable}: `), error.message);
      assert.match(error.message, reason);
      assert.ok(!error.message.includes("\n"));
      return true;
    },
  );
}

describe("configuration of the S3 driver", () => {
  it("serves Amazon S3 with nothing but endpoint, region and keys", () => {
    assert.deepEqual(readConfig(COMPLETE), {
      socket: { path: "/run/cosi/driver.sock", mode: 0o600, variable: "COSI_ENDPOINT" },
      driverName: "s3.pulumi-cosi.dev",
      logLevel: "info",
      store: {
        region: "eu-test-1",
        s3Endpoint: undefined,
        iamEndpoint: undefined,
        clientEndpoint: "https://s3.eu-test-1.amazonaws.com",
        pathStyle: false,
        certificateAuthorities: undefined,
        credentials: { accessKeyId: "admin", secretAccessKey: "secret-of-admin" },
      },
    });
  });

  for (const [other, own] of [
    ["AWS_ENDPOINT_URL", "S3_DRIVER_S3_ENDPOINT"],
    ["AWS_ENDPOINT_URL_S3", "S3_DRIVER_S3_ENDPOINT"],
    ["AWS_ENDPOINT_URL_IAM", "S3_DRIVER_IAM_ENDPOINT"],
  ] as const) {
    it(`refuses a store that only ${other} names, and reads ${own} alone`, () => {
      const url = "https://s3.example.org";
      refused({ [other]: url }, other, new RegExp(`give the URL as ${own}`));
      const { store } = readConfig({ ...COMPLETE, [other]: "https://other.example.org", [own]: url });
      assert.equal(own === "S3_DRIVER_S3_ENDPOINT" ? store.s3Endpoint : store.iamEndpoint, url);
      readConfig({ ...COMPLETE, [other]: "" });
    });
  }

  for (const [region, url] of [
    ["us-east-1", "https://s3.us-east-1.amazonaws.com"],
    ["us-gov-west-1", "https://s3.us-gov-west-1.amazonaws.com"],
    ["cn-north-1", "https://s3.cn-north-1.amazonaws.com.cn"],
    ["eusc-de-east-1", "https://s3.eusc-de-east-1.amazonaws.eu"],
    ["us-isob-east-1", "https://s3.us-isob-east-1.sc2s.sgov.gov"],
  ] as const) {
    it(`names Amazon S3 of ${region} to clients as the SDK does`, () => {
      assert.equal(readConfig({ ...COMPLETE, AWS_REGION: region }).store.clientEndpoint, url);
      const { endpointProvider } = new S3Client({ region }).config;
      assert.equal(endpointProvider({ Region: region }).url.origin, url);
    });
  }

  it("takes the S3 endpoint for IAM and for clients unless they are given", () => {
    const own = { ...COMPLETE, S3_DRIVER_S3_ENDPOINT: "http://127.0.0.1:8333/" };
    const { store } = readConfig(own);
    assert.equal(store.s3Endpoint, "http://127.0.0.1:8333");
    assert.equal(store.iamEndpoint, "http://127.0.0.1:8333");
    assert.equal(store.clientEndpoint, "http://127.0.0.1:8333");
    assert.equal(store.pathStyle, true);

    const all = readConfig({
      ...own,
      S3_DRIVER_IAM_ENDPOINT: "https://iam.store:1",
      S3_DRIVER_CLIENT_ENDPOINT: "https://s3.store",
      S3_DRIVER_PATH_STYLE: "false",
    }).store;
    assert.equal(all.iamEndpoint, "https://iam.store:1");
    assert.equal(all.clientEndpoint, "https://s3.store");
    assert.equal(all.pathStyle, false);
  });

  it("passes a session token on, and leaves credentials to the SDK when a source of it is named", () => {
    const session = readConfig({ ...COMPLETE, AWS_SESSION_TOKEN: "t" });
    assert.equal(session.store.credentials?.sessionToken, "t");
    const profile = readConfig({
      ...COMPLETE,
      AWS_ACCESS_KEY_ID: undefined,
      AWS_SECRET_ACCESS_KEY: undefined,
      AWS_PROFILE: "p",
    });
    assert.equal(profile.store.credentials, undefined);
  });

  for (const [env, variable, reason] of [
    [{ COSI_ENDPOINT: undefined }, "COSI_ENDPOINT", /not set/],
    [{ COSI_ENDPOINT: "" }, "COSI_ENDPOINT", /not set/],
    [{ COSI_ENDPOINT: "tcp://127.0.0.1:1" }, "COSI_ENDPOINT", /unix:\/\/\//],
    [{ COSI_ENDPOINT: "/run/x.sock" }, "COSI_ENDPOINT", /unix:\/\/\//],
    [{ COSI_ENDPOINT: "unix://host/x.sock" }, "COSI_ENDPOINT", /unix:\/\/\//],
    [{ COSI_ENDPOINT: "unix:///run/x.socket" }, "COSI_ENDPOINT", /unix:\/\/\//],
    [{ COSI_ENDPOINT: `unix:///${"a".repeat(102)}.sock` }, "COSI_ENDPOINT", /108 bytes/],
    [{ AWS_REGION: undefined }, "AWS_REGION", /not set/],
    [{ AWS_ACCESS_KEY_ID: undefined }, "AWS_ACCESS_KEY_ID", /not set/],
    [{ AWS_SECRET_ACCESS_KEY: "" }, "AWS_SECRET_ACCESS_KEY", /not set/],
    [{ AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" }, "AWS_ACCESS_KEY_ID", /AWS_PROFILE/],
    [{ S3_DRIVER_S3_ENDPOINT: "127.0.0.1:8333" }, "S3_DRIVER_S3_ENDPOINT", /https:\/\//],
    [{ S3_DRIVER_IAM_ENDPOINT: "ftp://store" }, "S3_DRIVER_IAM_ENDPOINT", /https:\/\//],
    [{ S3_DRIVER_CLIENT_ENDPOINT: "https://u:p@store" }, "S3_DRIVER_CLIENT_ENDPOINT", /https:\/\//],
    [{ S3_DRIVER_S3_ENDPOINT: "https://store/path" }, "S3_DRIVER_S3_ENDPOINT", /https:\/\//],
    [{ S3_DRIVER_PATH_STYLE: "yes" }, "S3_DRIVER_PATH_STYLE", /"yes" is not one of true, false/],
    [{ S3_DRIVER_LOG_LEVEL: "all" }, "S3_DRIVER_LOG_LEVEL", /one of error, info, debug/],
    [{ S3_DRIVER_SOCKET_MODE: "rw" }, "S3_DRIVER_SOCKET_MODE", /octal/],
    [{ S3_DRIVER_SOCKET_MODE: "0066" }, "S3_DRIVER_SOCKET_MODE", /octal/],
    [{ S3_DRIVER_NAME: "a..b" }, "S3_DRIVER_NAME", /domain name/],
    [{ S3_DRIVER_NAME: `${"a".repeat(60)}.dev` }, "S3_DRIVER_NAME", /63/],
    [{ S3_DRIVER_CA_FILE: "/nonexistent.pem" }, "S3_DRIVER_CA_FILE", /readable/],
    [{ S3_DRIVER_CA_FILE: "package.json" }, "S3_DRIVER_CA_FILE", /PEM/],
  ] as const) {
    it(`refuses ${describeEnv(env)} by the name ${variable}`, () => {
      refused(env, variable, reason);
    });
  }

  it("does not repeat what an endpoint holds besides the host, as it may be a password", () => {
    assert.throws(
      () => readConfig({ ...COMPLETE, S3_DRIVER_S3_ENDPOINT: "https://user:hidden@store" }),
      (error) => error instanceof ConfigError && !error.message.includes("hidden"),
    );
  });

  it("has COSI_ENDPOINT as the only variable that begins with COSI_ [GRPC-101]", () => {
    const found = [FOLDER, COMMON].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.(ts|md)$/.test(file))
        .flatMap((file) => readFileSync(join(folder, file), "utf8").match(/\bCOSI_[A-Z0-9_]+\b/g) ?? []),
    );
    assert.deepEqual([...new Set(found)], ["COSI_ENDPOINT"]);
  });

  it("documents every variable that it reads [GRPC-104]", () => {
    const sources = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap(
        (file) => readFileSync(join(FOLDER, file), "utf8").match(/"(S3_DRIVER|AWS|COSI)_[A-Z0-9_]+"/g) ?? [],
      );
    const readme = readFileSync(join(FOLDER, "README.md"), "utf8");
    assert.ok(sources.length > 10);
    for (const name of new Set(sources)) {
      assert.ok(readme.includes(`\`${name.slice(1, -1)}\``), `README.md does not mention ${name}`);
    }
  });
});
