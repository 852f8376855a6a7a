import * as pulumi from "@pulumi/pulumi";
import type { Driver } from "pulumi-cosi/core";
import { BucketAccessClass, BucketClass } from "pulumi-cosi/objectstorage";
import { accessModes, className, environments, sizes, type Environment, type Size } from "./policy";

export interface StoragePlatformArgs {
  readonly environment: Environment;
  readonly driver: Driver;
}

/** Acme's classes, once for each cluster. */
export class StoragePlatform extends pulumi.ComponentResource {
  readonly environment: Environment;
  readonly bucketClasses: Readonly<Record<Size, BucketClass>>;
  readonly accessClasses: Readonly<Record<keyof typeof accessModes, BucketAccessClass>>;

  constructor(name: string, args: StoragePlatformArgs, opts?: pulumi.ComponentResourceOptions) {
    super("acme:storage:StoragePlatform", name, {}, opts);
    const { driver } = args;
    const { deletionPolicy } = environments[args.environment];
    this.environment = args.environment;

    // Children get `parent` and nothing else: what the user of this component gives reaches them through it.
    const options = { parent: this };
    const bucketClass = (size: Size): BucketClass =>
      new BucketClass(
        `${name}-${size}`,
        { driver, name: className(size), deletionPolicy, parameters: sizes[size] },
        options,
      );
    const accessClass = (access: keyof typeof accessModes): BucketAccessClass =>
      new BucketAccessClass(
        `${name}-${access}`,
        {
          driver,
          name: className(access),
          authenticationType: "Key",
          parameters: { accessMode: accessModes[access] },
        },
        options,
      );
    this.bucketClasses = { small: bucketClass("small"), large: bucketClass("large") };
    this.accessClasses = {
      "read-write": accessClass("read-write"),
      "read-only": accessClass("read-only"),
    };
    this.registerOutputs({ environment: this.environment });
  }
}
