import type { ApiReader } from "../parts/api-reader";

/** Requests that an API server has served, by resource. */
export type Requests = Readonly<Record<string, number>>;

/** The resources that a program of claims writes; what else is asked for is counted as `other`. */
const written = ["bucketclaims", "buckets", "bucketaccesses", "secrets"];
/** What the server's own parts ask for, whoever else does. */
const background = ["leases", "endpointslices", "endpoints", "services", "ipaddresses", "flowschemas"];

/** Requests so far, from the server's metrics; watches and what its own parts ask for left out. */
export async function requestsSoFar(api: ApiReader): Promise<Requests> {
  const counts: Record<string, number> = { other: 0 };
  for (const name of written) counts[name] = 0;
  for (const line of (await api.text("/metrics")).split("\n")) {
    const match = /^apiserver_request_total\{(.*)\} (\S+)$/.exec(line);
    if (match === null) continue;
    const labels = match[1] ?? "";
    const resource = /resource="([^"]*)"/.exec(labels)?.[1] ?? "";
    if (labels.includes('verb="WATCH"') || background.includes(resource)) continue;
    const key = written.includes(resource) ? resource : "other";
    counts[key] = (counts[key] ?? 0) + Number(match[2]);
  }
  return counts;
}

/** What came between two counts. */
export function requestsBetween(before: Requests, after: Requests): Requests {
  return Object.fromEntries(Object.entries(after).map(([key, count]) => [key, count - (before[key] ?? 0)]));
}
