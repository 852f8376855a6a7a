import * as pulumi from "@pulumi/pulumi";
import * as cosi20200227 from "../../../components/cosi20200227";
import { Driver } from "../../../provider/driver-resource/driver";
import { run as runWith, type Run } from "../cosi20200708/mocks";
import type { Answer } from "../objectstorage/mocks";

export { custom, dynamic, revealed, waitsFor, warnings, type Run } from "../cosi20200708/mocks";

/** Any name will do: the proposal has no pattern. */
export const provisioner = "S3 of Example/v1";

/** UID that the cluster gives to a Bucket. */
export const uid = "0b7e9a3c-1111-4000-8000-000000000001";

export const credentials = { protocol: "s3", accessKeyId: "AKIA", secretKey: "s3cr3t" };

const common = {
  provisioner,
  supportedProtocols: ["s3"],
  accessMode: "rw",
  releasePolicy: "Retain",
  bucketIdentifier: null,
  secretRef: null,
  parameters: {},
};

/** Classes as the cluster has them, for what a program names by its name. */
export const clusterClasses: Readonly<Record<string, typeof common | object>> = {
  green: { ...common, name: "green", releasePolicy: "Delete", parameters: { tier: "cold" } },
  brown: { ...common, name: "brown", bucketIdentifier: { bucketName: "archive" } },
  static: {
    ...common,
    name: "static",
    provisioner: null,
    bucketIdentifier: { region: "eu-1" },
    secretRef: { namespace: "vault", name: "keys" },
  },
};

/** What is told at `up` only: a preview hands back the inputs as `check` left them. */
function lookedUp<T>(value: T): T | null {
  return pulumi.runtime.isDryRun() ? null : value;
}

const answer: Answer = ({ type, inputs }) => {
  const own = inputs as Record<string, unknown>;
  const isDynamic = type.startsWith("pulumi-nodejs:");
  switch (type.split(":")[2]) {
    case "Driver":
      return { id: "driver", state: { ...own, seed: "seed" } };
    case "ContentBinding": {
      const {
        bucket,
        bucketClass,
        bucketClassName = "",
      } = own as {
        bucket: { uid: string };
        bucketClass?: { name?: string; value?: { name: string } };
        bucketClassName?: string;
      };
      const copy = bucketClass ?? lookedUp(clusterClasses[bucketClassName]);
      // One with a secret in it comes wrapped.
      const className = bucketClass?.name ?? bucketClass?.value?.name ?? bucketClassName;
      const id = `${className}-${bucket.uid}`;
      return { id, state: { ...own, bucketClass: copy } };
    }
    case "Bucket": {
      if (!isDynamic) {
        return { id: "bucket-id", state: { ...own, metadata: { ...(own["metadata"] as object), uid } } };
      }
      const name = String(own["existingBucketId"] ?? own["name"]);
      const told = { bucketId: `${name}-there`, credentials: lookedUp(credentials), checksum: "sum" };
      return { id: name, state: { ...own, ...told } };
    }
    default:
      return undefined;
  }
};

/** Runs a program without engine, providers and cluster. @throws what the program, or a judgement, throws. */
export function run(program: () => void, options: { preview?: boolean } = {}): Promise<Run> {
  return runWith(program, { ...options, answer });
}

export interface Program {
  driver?: Partial<ConstructorParameters<typeof Driver>[1]>;
  bucketClass?: Partial<cosi20200227.BucketClassArgs>;
  bucket?: Partial<cosi20200227.BucketArgs>;
  /** The Bucket is given the driver. */
  isDriverGiven?: boolean;
  /** What comes after. */
  more?: (made: {
    driver: Driver;
    bucketClass: cosi20200227.BucketClass;
    bucket: cosi20200227.Bucket;
  }) => void;
}

/** A class and a Bucket, with changes; without any, a greenfield one. */
export function program(
  { driver: driverArgs, bucketClass, bucket, isDriverGiven = false, more }: Program = {},
  options?: { preview: boolean },
): Promise<Run> {
  return run(() => {
    const driver = makeDriver(driverArgs);
    const gold = new cosi20200227.BucketClass("gold", { driver, supportedProtocols: ["s3"], ...bucketClass });
    const photos = new cosi20200227.Bucket("photos", {
      namespace: "shop",
      requestProtocol: "s3",
      bucketClass: gold,
      ...(isDriverGiven ? { driver } : {}),
      ...bucket,
    });
    more?.({ driver, bucketClass: gold, bucket: photos });
  }, options);
}

export function makeDriver(args: Program["driver"] = {}, name = "store"): Driver {
  const endpoint = "unix:///run/cosi/cosi.sock";
  return new Driver(name, { endpoint, contract: "cosi-2020-02", driverName: provisioner, ...args });
}

/** What makes a class brownfield, and what static. */
export const brownfield = { bucketIdentifier: { bucketName: "archive" } };
export const staticClass = { ...brownfield, secretRef: { name: "keys", namespace: "vault" } };

/** In place of an argument that is left out, or of another type than a program with types may give. */
export const untyped = (value: unknown) => value as never;
export const nothing = untyped(undefined);
