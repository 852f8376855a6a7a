import * as pulumi from "@pulumi/pulumi";
import type { AdoptedClaim } from "../../provider/models/objectbucket/adopted-claim";
import { brownfieldBucketOf } from "../../provider/models/objectbucket/class-parameters";
import { endpointOf, endpointProblem, inClusterEndpoint } from "../../provider/models/objectbucket/endpoint";
import type { NamedComponent } from "../kubernetes/custom-resource";
import { ProblemError } from "../kubernetes/problem";
import { judge } from "../kubernetes/scope";
import type { BucketConnection } from "../secrets/object-bucket-keys";
import type { ObjectBucketClaimArgs } from "./claim-args";
import type { Granted, Settled } from "./settled-claim";

/** How a bucket is reached, as program, driver or class says. */
interface ToldConnection {
  readonly bucketName: string;
  /** `undefined` if nothing says it. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly subRegion: string;
}

/**
 * The endpoint of a bucket in the parts that its objects have. Source: OBC-049 to OBC-051.
 *
 * @throws ProblemError for one that is missing, or ill-formed.
 */
function connectionOf({ endpoint, ...told }: ToldConnection): BucketConnection {
  if (endpoint === undefined || endpoint === "") {
    throw new ProblemError(
      "endpoint is missing: the driver does not tell where clients reach the bucket, and the class has neither the parameter " +
        "endpoint nor objectStoreName with objectStoreNamespace; give endpoint",
    );
  }
  const problem = endpointProblem(endpoint);
  if (problem !== undefined)
    throw new ProblemError(`the endpoint that was told ${problem}, as the argument endpoint`);
  return { ...told, endpoint: endpointOf(endpoint) };
}

/** What a class says if no driver does: OBC-051. */
export function ofClass(
  parameters: Readonly<Record<string, string>>,
  key: "endpoint" | "region",
): string | undefined {
  const value = parameters[key];
  if (value !== undefined && value !== "") return value;
  return key === "endpoint" ? inClusterEndpoint(parameters) : undefined;
}

/** How the bucket is reached: OBC-049 to OBC-051. */
export function connectionOfClaim(
  scope: NamedComponent,
  args: ObjectBucketClaimArgs,
  { id, copy }: Settled,
  granted: Granted,
  adopted: AdoptedClaim | undefined,
): pulumi.Output<BucketConnection> {
  const told = pulumi
    .all([
      pulumi.all([id, pulumi.unsecret(copy), args.endpoint, args.region]),
      // An endpoint with a secret in it fits no object, and is refused; what the program says may take its place.
      pulumi.all([pulumi.unsecret(granted.endpoint), granted.region, adopted?.endpoint, granted.bucketName]),
    ])
    .apply(
      ([
        [{ isExisting, bucket }, { parameters }, endpoint, region],
        [ofDriver, regionOfDriver, found, nameOfDriver],
      ]): ToldConnection => ({
        bucketName:
          found?.bucketName ??
          nameOfDriver ??
          (isExisting ? (brownfieldBucketOf(parameters)?.bucketName ?? bucket) : bucket),
        endpoint:
          endpoint ??
          (found === undefined
            ? undefined
            : `${found.ssl ? "https" : "http"}://${found.host}:${found.port}`) ??
          ofDriver ??
          ofClass(parameters, "endpoint"),
        // As with the endpoint: what an adopted claim tells comes after what the program says, and its "" stays.
        region: region ?? found?.region ?? regionOfDriver ?? ofClass(parameters, "region") ?? "",
        subRegion: found?.subRegion ?? "",
      }),
    );
  return judge<ToldConnection, BucketConnection>(scope, told, connectionOf);
}
