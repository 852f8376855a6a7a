import type { Duty } from "../duty";

/**
 * The duties of a driver of the Deployment Interface. What its text leaves to the proto that it refers to, or to a
 * decision, names that in the place of a section.
 * Source: its requirements, section 13.
 */
export const deploymentDuties: readonly Duty[] = [
  {
    id: "DEP-001",
    title: "Both services are served at the one listen address, and a create is answered with a unique id",
    level: "MUST",
    section: "RPC Interface; Connectivity",
  },
  {
    id: "DEP-006",
    title: "authentication_type 0, a number above 2 and a type that is not offered are refused",
    level: "MUST",
    section: "proto (AuthenticationType); Error Scheme",
  },
  {
    id: "DEP-007",
    title: "The driver's name has at most 63 characters of A-Z, a-z, 0-9, dash and dot, and no empty label",
    level: "MUST",
    section: "proto (DriverGetInfoResponse)",
  },
  {
    id: "DEP-014",
    title: "A driver that tells the status of deployments does so for each id, and for no other",
    level: "MAY",
    section: "requirements, section 4 (a later form of the proto)",
  },
  {
    id: "DEP-020",
    title: "After a revoke the same deployment can be granted again, with the same or another name",
    level: "MUST",
    section: "Deployment Lifecycle",
  },
  {
    id: "DEP-021",
    title:
      "An equal create answers OK with the same reply, however often, and after the driver's own restart",
    level: "MUST",
    section: "DriverCreateDeployment; Timeouts",
  },
  {
    id: "DEP-022",
    title: "A create with a known name and other parameters answers ALREADY_EXISTS",
    level: "MUST",
    section: "CreateDeployment Errors",
  },
  {
    id: "DEP-023",
    title: "What the driver did not make in its backend is never adopted by a create",
    level: "MUST",
    section: "CreateDeployment Errors; requirements, section 6 (decision)",
  },
  {
    id: "DEP-024",
    title: "Deleting a deployment that is already gone answers OK",
    level: "MUST",
    section: "proto (DriverDeleteDeployment)",
  },
  {
    id: "DEP-025",
    title: "The name is the key of an account: an equal grant is the same account with one live credential",
    level: "MUST",
    section: "proto (DriverGrantDeploymentAccess); Timeouts",
  },
  {
    id: "DEP-026",
    title: "Each account has credentials of its own, never the administrator's or another account's",
    level: "MUST",
    section: "requirements, section 6 (decision)",
  },
  {
    id: "DEP-027",
    title:
      "A revoke ends every access of the account to the deployment, and nothing else; a repeat answers OK",
    level: "MUST",
    section: "proto (DriverRevokeDeploymentAccess); Timeouts",
  },
  {
    id: "DEP-032",
    title: "Unknown keys in parameters are refused, and the contexts take the keys of create and grant",
    level: "MUST",
    section: "Error Scheme; CreateDeployment Errors",
  },
  {
    id: "DEP-037",
    title: "Simultaneous calls for one deployment do no damage; all but one may be rejected with ABORTED",
    level: "SHOULD",
    section: "Error Scheme",
  },
  {
    id: "DEP-041",
    title: "Request fields over the limits are refused with INVALID_ARGUMENT, and replies are within them",
    level: "MUST",
    section: "Size Limits",
  },
  {
    id: "DEP-043",
    title: "A missing REQUIRED field gives INVALID_ARGUMENT with the field's name in the message",
    level: "MUST",
    section: "REQUIRED vs. OPTIONAL; Error Scheme",
  },
  {
    id: "DEP-044",
    title: "A grant's reply has an account_id and credentials with at least one entry",
    level: "MUST",
    section: "REQUIRED vs. OPTIONAL",
  },
  {
    id: "DEP-046",
    title: "Without contexts, which are optional, delete and revoke work from the ids alone",
    level: "MUST",
    section: "REQUIRED vs. OPTIONAL",
  },
  {
    id: "DEP-051",
    title: "A call that the caller gave up is completed, or finished by an equal call",
    level: "MUST",
    section: "Timeouts",
  },
  {
    id: "DEP-052",
    title:
      "Every call ends in a canonical status; a failed one has a message that can be used, and no details",
    level: "MUST",
    section: "Error Scheme",
  },
  {
    id: "DEP-056",
    title: "INVALID_ARGUMENT for what the backend rejects, OUT_OF_RANGE for a value that it cannot serve",
    level: "MUST",
    section: "Error Scheme; CreateDeployment Errors",
  },
  {
    id: "DEP-060",
    title: "PERMISSION_DENIED for a known identity, UNAUTHENTICATED for secrets that do not authenticate",
    level: "MUST",
    section: "Error Scheme",
  },
  {
    id: "DEP-066",
    title: "Keys of secrets consist of alphanumerics, dash, underscore and dot, and are documented",
    level: "MUST",
    section: "Secrets Requirements",
  },
  {
    id: "DEP-071",
    title: "The driver listens on the socket it is given and serves the contract nowhere else",
    level: "MUST",
    section: "Connectivity; Security",
  },
  {
    id: "DEP-075",
    title: "Deployment_ENDPOINT is read, and unix:///path/x.sock is served",
    level: "MUST",
    section: "Environment Variables; Deployment_ENDPOINT",
  },
  {
    id: "DEP-076",
    title: "A wrong start fails fast and names the variable, and takes nobody's socket or file",
    level: "SHOULD",
    section: "Available Services; Deployment_ENDPOINT",
  },
  {
    id: "DEP-077",
    title: "Nothing is made beside the socket, and no file of the caller is needed",
    level: "MUST",
    section: "Filesystem",
  },
  {
    id: "DEP-079",
    title: "The driver runs until it is told to stop, and then ends in order",
    level: "MUST",
    section: "Operational Recommendations",
  },
  {
    id: "DEP-081",
    title: "The log goes to stdout or stderr only, and has no credential",
    level: "SHOULD",
    section: "Logging",
  },
  {
    id: "DEP-083",
    title: "All RPCs of the service are implemented; one that is not answers UNIMPLEMENTED",
    level: "SHOULD",
    section: "Deployment Lifecycle; Available Services",
  },
  {
    id: "DEP-084",
    title: "An image has a documented format and shares no namespace; resource needs are documented",
    level: "SHOULD",
    section: "Supervised Lifecycle Management; Namespaces; Resource Requirements",
  },
];
