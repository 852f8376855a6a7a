import * as pulumi from "@pulumi/pulumi";
import * as cosi20200708 from "../../../components/cosi20200708";
import { Driver } from "../../../provider/driver-resource/driver";
import { only, run as runWith, type Answer, type Registered } from "../objectstorage/mocks";

export const provisioner = "stores/s3.example.com";

/** UIDs of the objects that the cluster gives. */
export const uids = {
  request: "0b7e9a3c-1111-4000-8000-000000000001",
  accessRequest: "0b7e9a3c-2222-4000-8000-000000000002",
  access: "0b7e9a3c-3333-4000-8000-000000000003",
};

/** Classes as the cluster has them, for what a program names by its name. */
export const clusterClasses = {
  bucket: {
    name: "silver",
    provisioner,
    protocol: "s3",
    releasePolicy: "Retain",
    anonymousAccessMode: "ro",
    additionalPermittedNamespaces: [],
    parameters: { tier: "cold" },
  },
  access: {
    name: "readers",
    provisioner,
    protocol: "s3",
    policyActions: { allow: ["read"] },
    parameters: {},
  },
};

/** What is told at `up` only: a preview hands back the inputs as `check` left them. */
function lookedUp<T>(value: T): T | null {
  return pulumi.runtime.isDryRun() ? null : value;
}

const answer: Answer = ({ type, name, inputs }) => {
  const own = inputs as Record<string, unknown>;
  const [, , kind = ""] = type.split(":");
  switch (kind) {
    case "Driver":
      return { id: "driver", state: { ...own, seed: "seed" } };
    case "RequestBinding": {
      const { request, bucketInstanceName, bucketClass } = own as {
        request: { namespace: string; name: string };
        bucketInstanceName?: string;
        bucketClass?: object;
      };
      const made = bucketInstanceName === undefined ? (bucketClass ?? lookedUp(clusterClasses.bucket)) : null;
      const id = bucketInstanceName ?? `bucket-${request.name}-${request.namespace}`;
      return { id, state: { ...own, bucketClass: made } };
    }
    case "AccessRequestBinding": {
      const { accessClass = lookedUp(clusterClasses.access) } = own;
      const { bucketRequest = lookedUp({ namespace: "shop", name: "archive" }) } = own;
      const protocolFields = { bucketName: "backend-id", endpoint: "https://s3.example.com", region: "eu-1" };
      const told = { bucketId: "backend-id", bucketInfo: null, protocolFields };
      return { id: uids.access, state: { ...own, accessClass, bucketRequest, ...told } };
    }
    case "BucketAccess": {
      const values = { accessKeyID: "AKIA", accessSecretKey: "s3cr3t", region: "driver-1" };
      const issued = own["authenticationType"] === "IAM" ? [] : [{ kind: "generic", values }];
      return { id: String(own["name"]), state: { ...own, issued, checksum: "sum" } };
    }
    case "Bucket":
      return {
        id: String(own["name"]),
        state: {
          ...own,
          bucketId: `${String(own["name"])}-there`,
          bucketInfo: { protocol: "S3", region: "eu-1", signatureVersion: null },
        },
      };
    case "BucketBinding":
      return { id: `${name}-bound`, state: own };
    case "BucketRequest":
    case "BucketAccessRequest": {
      const uid = kind === "BucketRequest" ? uids.request : uids.accessRequest;
      return { id: `${kind}-id`, state: { ...own, metadata: { ...(own["metadata"] as object), uid } } };
    }
    default:
      return undefined;
  }
};

/** A resource, with what it waits for and what it hangs below. */
export interface Placed {
  readonly type: string;
  readonly name: string;
  /** `<type>::<name>` of the parent. */
  readonly parent: string;
  /** `<type>::<name>` of each. */
  readonly dependsOn: readonly string[];
}

/** What a program registered, in order. */
export interface Run {
  readonly registered: Registered[];
  readonly placed: Placed[];
}

/** Runs a program without engine, providers and cluster. @throws what the program, or a judgement, throws. */
export async function run(
  program: () => void,
  options: { preview?: boolean; answer?: Answer } = {},
): Promise<Run> {
  const placed: Placed[] = [];
  const registered = await runWith(
    () => {
      watchRegistrations(placed);
      program();
    },
    { answer, ...options },
  );
  return { registered, placed };
}

/** What the mocks of Pulumi do not tell of: parents and dependencies. */
function watchRegistrations(placed: Placed[]): void {
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined) throw new Error("there is no monitor");
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, callback) => {
    if (typeof callback !== "function") throw new Error("a registration has no metadata");
    placed.push({
      type: request.getType(),
      name: request.getName(),
      parent: shortUrn(request.getParent()),
      dependsOn: request.getDependenciesList().map(shortUrn),
    });
    return register(request, callback);
  };
}

function shortUrn(urn: string): string {
  const [type = "", name = ""] = urn.split("::").slice(2);
  return `${type.split("$").at(-1) ?? ""}::${name}`;
}

export interface Program {
  driver?: Partial<ConstructorParameters<typeof Driver>[1]>;
  bucketClass?: Partial<cosi20200708.BucketClassArgs>;
  accessClass?: Partial<cosi20200708.BucketAccessClassArgs>;
  request?: Partial<cosi20200708.BucketRequestArgs>;
  access?: Partial<cosi20200708.BucketAccessRequestArgs>;
  /** What comes after. */
  more?: (made: {
    driver: Driver;
    request: cosi20200708.BucketRequest;
    access: cosi20200708.BucketAccessRequest;
  }) => void;
}

/** A bucket, an access and a Secret, with changes. */
export function greenfield(
  { driver: driverArgs, bucketClass, accessClass, request, access, more }: Program = {},
  options?: { preview: boolean },
): Promise<Run> {
  return run(() => {
    const driver = makeDriver(driverArgs);
    const gold = new cosi20200708.BucketClass("gold", { driver, protocol: "s3", ...bucketClass });
    const writers = new cosi20200708.BucketAccessClass("writers", { driver, protocol: "s3", ...accessClass });
    const photos = new cosi20200708.BucketRequest("photos", {
      namespace: "shop",
      protocol: "s3",
      bucketClass: gold,
      ...request,
    });
    const web = new cosi20200708.BucketAccessRequest("web", {
      namespace: "shop",
      bucketRequest: photos,
      bucketAccessClass: writers,
      accessSecretName: "photos-creds",
      ...access,
    });
    more?.({ driver, request: photos, access: web });
  }, options);
}

export function makeDriver(args: Program["driver"] = {}, name = "store"): Driver {
  const endpoint = "unix:///run/cosi/cosi.sock";
  return new Driver(name, { endpoint, contract: "cosi-2020-07", driverName: provisioner, ...args });
}

/** The one object of a kind that @pulumi/kubernetes writes. */
export function custom({ registered }: Run, kind: string): Registered {
  return only(
    registered.filter(({ type }) => type.startsWith("kubernetes:")),
    kind,
  );
}

/** The one dynamic resource of a type, of several the one of that name. */
export function dynamic({ registered }: Run, type: string, name?: string): Registered {
  return only(
    registered.filter(
      (entry) =>
        entry.type.startsWith("pulumi-nodejs:dynamic/") && (name === undefined || entry.name === name),
    ),
    type,
  );
}

/** What a resource that is no component waits for, by the ends of types and names. */
export function waitsFor({ placed }: Run, type: string, name: string): string[] {
  const found = placed.find(
    (entry) => entry.type.endsWith(`:${type}`) && entry.name === name && !entry.type.startsWith("cosi:"),
  );
  if (found === undefined) throw new Error(`there is no ${type} ${name}`);
  return found.dependsOn.map((entry) => entry.slice(entry.lastIndexOf(":", entry.indexOf("::") - 1) + 1));
}

/** All warnings of the run. */
export function warnings({ registered }: Run): string[] {
  return registered.flatMap(({ inputs }) => (inputs["warnings"] ?? []) as string[]);
}

/** A value that Pulumi was told is secret, without its wrapping. */
export function revealed(value: unknown): unknown {
  return (value as { value: unknown }).value;
}
