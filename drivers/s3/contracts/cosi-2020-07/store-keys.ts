import type { StoreCredentials } from "../../config";
import { DriverError } from "../../../common/driver-error";

/**
 * The keys of an administrator in the field `secrets`, by the names of the proposal (`AuthenticationData` of S3). Other
 * keys are not for this driver.
 *
 * @returns `undefined` if there are none: the driver has its own.
 * @throws DriverError `unauthenticated` if one of the two is missing.
 */
export function storeKeysOf(secrets: ReadonlyMap<string, string>): StoreCredentials | undefined {
  const accessKeyId = secrets.get("AccessKeyId") ?? "";
  const secretAccessKey = secrets.get("SecretKey") ?? "";
  const sessionToken = secrets.get("StsToken") ?? "";
  if (accessKeyId === "" && secretAccessKey === "") return undefined;
  if (accessKeyId === "" || secretAccessKey === "") {
    const missing = accessKeyId === "" ? "AccessKeyId" : "SecretKey";
    throw new DriverError("unauthenticated", `secrets: key "${missing}" is missing beside the other one`);
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken === "" ? {} : { sessionToken }) };
}
