/** A part of AWS that has regions, accounts and addresses of its own. */
export interface Partition {
  /** As ARNs have it. */
  readonly name: string;
  /** Where its services are. */
  readonly domain: string;
  /** Where they are that are reached by IPv6, too. */
  readonly dualStackDomain: string;
  /** The one region for which requests to its IAM are signed. */
  readonly iamRegion: string;
}

/** Where the store's APIs are; an endpoint that is absent is that of AWS. */
export interface Place {
  readonly region: string;
  readonly iamEndpoint: string | undefined;
}

const COMMON: Partition = {
  name: "aws",
  domain: "amazonaws.com",
  dualStackDomain: "api.aws",
  iamRegion: "us-east-1",
};

/** The others, by the beginning of their regions' names. Source: the endpoint rules of the AWS SDK, `partitions.json` and those of IAM. */
const OTHERS: readonly (readonly [string, Partition])[] = [
  ["cn-", partition("aws-cn", "amazonaws.com.cn", "api.amazonwebservices.com.cn", "cn-north-1")],
  ["us-gov-", partition("aws-us-gov", "amazonaws.com", "api.aws", "us-gov-west-1")],
  ["eusc-", partition("aws-eusc", "amazonaws.eu", "api.amazonwebservices.eu", "eusc-de-east-1")],
  ["us-iso-", partition("aws-iso", "c2s.ic.gov", "api.aws.ic.gov", "us-iso-east-1")],
  ["us-isob-", partition("aws-iso-b", "sc2s.sgov.gov", "api.aws.scloud", "us-isob-east-1")],
  ["eu-isoe-", partition("aws-iso-e", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk", "eu-isoe-west-1")],
  ["us-isof-", partition("aws-iso-f", "csp.hci.ic.gov", "api.aws.hci.ic.gov", "us-isof-south-1")],
];

/** The partition of a region; that of most regions for a name that AWS does not have. */
export function partitionOf(region: string): Partition {
  return OTHERS.find(([beginning]) => region.startsWith(beginning))?.[1] ?? COMMON;
}

/** The URL of Amazon S3 in a region. */
export function amazonS3Url(region: string): string {
  return `https://s3.${region}.${partitionOf(region).domain}`;
}

/** True if a URL is one of AWS: Amazon's own addresses, those for IPv6 and FIPS, and endpoints of private networks. */
export function isAtAmazon(url: string): boolean {
  const { hostname } = new URL(url);
  const domains = [COMMON, ...OTHERS.map(([, other]) => other)].flatMap((all) => [
    all.domain,
    all.dualStackDomain,
  ]);
  return domains.some((domain) => hostname.endsWith(`.${domain}`));
}

/**
 * The partition that policies name. A store of one's own knows `aws` alone, however its region is called: SeaweedFS refuses a
 * policy that names another one.
 */
export function policyPartition({ region, iamEndpoint }: Place): string {
  return isAmazonIam(iamEndpoint) ? partitionOf(region).name : COMMON.name;
}

/**
 * The region for which requests to IAM are signed. Where no endpoint is given the SDK knows that of AWS by itself; with one it
 * signs for the region that it is told, which AWS refuses for all but one.
 */
export function iamRegion({ region, iamEndpoint }: Place): string {
  return isAmazonIam(iamEndpoint) ? partitionOf(region).iamRegion : region;
}

function isAmazonIam(endpoint: string | undefined): boolean {
  return endpoint === undefined || isAtAmazon(endpoint);
}

function partition(name: string, domain: string, dualStackDomain: string, iamRegion: string): Partition {
  return { name, domain, dualStackDomain, iamRegion };
}
