/** A part of AWS that has regions, accounts and addresses of its own. */
export interface Partition {
  /** As ARNs have it. */
  readonly name: string;
  /** Where its services are. */
  readonly domain: string;
}

const COMMON: Partition = { name: "aws", domain: "amazonaws.com" };

/** The others, by the beginning of their regions' names. Source: the endpoint rules of the AWS SDK, `partitions.json`. */
const OTHERS: readonly (readonly [string, Partition])[] = [
  ["cn-", { name: "aws-cn", domain: "amazonaws.com.cn" }],
  ["us-gov-", { name: "aws-us-gov", domain: "amazonaws.com" }],
  ["eusc-", { name: "aws-eusc", domain: "amazonaws.eu" }],
  ["us-iso-", { name: "aws-iso", domain: "c2s.ic.gov" }],
  ["us-isob-", { name: "aws-iso-b", domain: "sc2s.sgov.gov" }],
  ["eu-isoe-", { name: "aws-iso-e", domain: "cloud.adc-e.uk" }],
  ["us-isof-", { name: "aws-iso-f", domain: "csp.hci.ic.gov" }],
];

/** The partition of a region; that of most regions for a name that AWS does not have. */
export function partitionOf(region: string): Partition {
  return OTHERS.find(([beginning]) => region.startsWith(beginning))?.[1] ?? COMMON;
}

/** The URL of Amazon S3 in a region. */
export function amazonS3Url(region: string): string {
  return `https://s3.${region}.${partitionOf(region).domain}`;
}
