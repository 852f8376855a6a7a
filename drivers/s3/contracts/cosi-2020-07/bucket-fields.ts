import { DataProtocol, type ProviderContext } from "../../../../gen/cosi-2020-07/cosi/v1/cosi";
import { DriverError } from "../../../common/driver-error";
import { quote } from "../../../common/text";
import type { Parameters } from "../../core/parameters";
import { type Call, NamedError } from "./error-names";

/** What every request has. */
export interface BucketFields {
  readonly bucketName: string;
  readonly requestProtocol: DataProtocol;
  readonly providerContext?: ProviderContext | undefined;
}

/**
 * Checks what every request has: a bucket's name, the protocol S3, and a context of S3 or none.
 *
 * @throws DriverError `invalid-argument` naming the field.
 */
export function checkBucketFields(
  call: Call,
  { bucketName, requestProtocol, providerContext }: BucketFields,
): void {
  if (bucketName === "") {
    throw new DriverError("invalid-argument", "bucket_name is required and was not given");
  }
  if (requestProtocol !== DataProtocol.S3) {
    const given =
      requestProtocol in DataProtocol ? DataProtocol[requestProtocol] : `number ${String(requestProtocol)}`;
    const reason = `request_protocol ${given} is not offered, only S3`;
    throw call === "CREATE"
      ? new NamedError("CREATE_INVALID_PROTOCOL", reason)
      : new DriverError("invalid-argument", reason);
  }
  const context = providerContext?.context;
  if (context !== undefined && context.$case !== "s3Context") {
    throw new DriverError("invalid-argument", "provider_context is for another protocol than S3");
  }
}

/**
 * The parameters of a bucket in words of the core: `location`, in the parameters or in the context, is the region.
 *
 * @throws DriverError `invalid-argument` if the two are not the same.
 */
export function bucketParameters(
  driverParameters: Parameters,
  providerContext: ProviderContext | undefined,
): Parameters {
  const parameters = new Map(driverParameters);
  const context = providerContext?.context;
  const told = context?.$case === "s3Context" ? context.value.location : "";
  const regions = new Set(
    [driverParameters.get("region"), driverParameters.get("location"), told].flatMap((region = "") =>
      region === "" ? [] : region,
    ),
  );
  parameters.delete("location");
  const [region, ...others] = regions;
  if (others.length > 0) {
    throw new DriverError(
      "invalid-argument",
      `region, location and the location of provider_context differ: ${[...regions].map(quote).join(", ")}`,
    );
  }
  return region === undefined ? parameters : parameters.set("region", region);
}
