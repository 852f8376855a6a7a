import type { Store } from "./store-access";

const PREFIX = "PULUMI_COSI_TEST_S3_";

/**
 * The store that the user gives with `PULUMI_COSI_TEST_S3_ENDPOINT`, `…_ACCESS_KEY_ID`, `…_SECRET_ACCESS_KEY` and
 * `…_REGION` (default us-east-1); `undefined` when no endpoint is set.
 *
 * @throws Error that names the variables that are missing beside the endpoint.
 */
export function givenStore(environment: Readonly<NodeJS.ProcessEnv>): Store | undefined {
  const value = (name: string) => environment[`${PREFIX}${name}`] ?? "";
  const endpoint = value("ENDPOINT");
  if (endpoint === "") return undefined;
  const missing = ["ACCESS_KEY_ID", "SECRET_ACCESS_KEY"].filter((name) => value(name) === "");
  if (missing.length > 0) {
    const names = missing.map((name) => `${PREFIX}${name}`).join(" and ");
    throw new Error(
      `${PREFIX}ENDPOINT is ${endpoint}, but ${names} must be set too: the store's administrator.`,
    );
  }
  return {
    endpoint,
    region: value("REGION") === "" ? "us-east-1" : value("REGION"),
    accessKeyId: value("ACCESS_KEY_ID"),
    secretAccessKey: value("SECRET_ACCESS_KEY"),
    local: false,
    stop: () => Promise.resolve(),
  };
}
