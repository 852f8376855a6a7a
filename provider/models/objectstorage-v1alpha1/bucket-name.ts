/** Release of COSI whose names of Bucket objects are used. */
export type BucketNameFormat = "v0.2.2" | "v0.2.0";

const formats: readonly string[] = ["v0.2.2", "v0.2.0"] satisfies BucketNameFormat[];

/** With the UID's 36 characters a longer class name would exceed the 63 that a driver takes. */
const longestClassName = 27;

/** Name of the Bucket object of a claim, which is also the name that the driver gets. Source: COSI v0.2.2, v0.2.0. */
export function bucketNameOf(format: BucketNameFormat, claimUid: string, className: string): string {
  return format === "v0.2.0" ? `${className}${claimUid}` : `bucket-${claimUid}`;
}

/** Why a format cannot be used with a class, or `undefined`. */
export function bucketNameFormatProblem(format: BucketNameFormat, className: string): string | undefined {
  if (!formats.includes(format)) return `is ${JSON.stringify(format)}: give "v0.2.2" or "v0.2.0"`;
  if (format !== "v0.2.0" || className.length <= longestClassName) return undefined;
  return (
    `is "v0.2.0", which puts the class name ${JSON.stringify(className)} before the claim's UID; it has ` +
    `${className.length} characters, and at most ${longestClassName} fit into the 63 of a bucket's name: ` +
    'use "v0.2.2", or a shorter class name'
  );
}
