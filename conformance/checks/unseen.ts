import type { Check, Level } from "../check";

/** A duty that cannot be seen from where a caller stands. */
function unseen(id: string, level: Level, section: string, title: string, reason: string): Check {
  return {
    id,
    title,
    level,
    section,
    run: () => Promise.resolve({ is: "not-judged", reason }),
  };
}

const documentation = "needs a reader: it is about the driver's documentation";

export const unseenChecks: readonly Check[] = [
  unseen(
    "GRPC-022",
    "MUST",
    "CreateBucket Errors",
    "A bucket that the driver did not make is never adopted by a create",
    "needs the backend: a bucket that somebody else has made there",
  ),
  unseen(
    "GRPC-067",
    "MUST",
    "Error Scheme",
    "PERMISSION_DENIED for a known identity, UNAUTHENTICATED for secrets that do not authenticate",
    "needs the backend: one that refuses the driver's own keys",
  ),
  unseen(
    "GRPC-072",
    "MUST",
    "CreateBucket Errors",
    "OUT_OF_RANGE for a well-formed value that the backend cannot serve",
    "needs a value of the driver's own parameters that its backend cannot serve",
  ),
  unseen(
    "GRPC-080",
    "MUST",
    "Error Scheme",
    "Faults of an S3 backend are told by the fitting code",
    "needs the backend: one that answers with faults",
  ),
  unseen(
    "GRPC-082",
    "MUST",
    "Secrets Requirements",
    "The secrets that the driver needs are documented, and a key means the same in all RPCs",
    documentation,
  ),
  unseen(
    "GRPC-094",
    "MUST",
    "Security",
    "The leg from the driver to a remote store is secured",
    "needs the backend: one with a certificate that nobody has signed",
  ),
  unseen(
    "GRPC-101",
    "MUST",
    "Environment Variables",
    "The driver's own variables never begin with COSI_",
    "needs the driver's documentation or sources",
  ),
  unseen(
    "GRPC-104",
    "SHOULD",
    "General Configuration",
    "Settings that are not sensitive come from environment variables",
    documentation,
  ),
  unseen(
    "GRPC-118",
    "MUST",
    "Available Services",
    "The driver knows its mode from its own configuration",
    "needs two configurations of the driver",
  ),
  unseen(
    "GRPC-119",
    "SHOULD",
    "Supervised Lifecycle Management",
    "An image has a documented format and default values of its variables",
    "needs the driver's image",
  ),
  unseen(
    "GRPC-120",
    "SHOULD",
    "Namespaces",
    "The driver does not rely on sharing Linux namespaces with the caller",
    "needs namespaces of its own for driver and store",
  ),
  unseen(
    "GRPC-121",
    "SHOULD",
    "Linux Capabilities; Resource Requirements",
    "Resource needs, capabilities and security context are documented",
    documentation,
  ),
];
