import * as pulumi from "@pulumi/pulumi";
import { BucketAccess, BucketClaim } from "pulumi-cosi/objectstorage";
import { claimName, environments, secretNames, type Size } from "./policy";
import type { StoragePlatform } from "./storage-platform";

export interface AppBucketArgs {
  readonly platform: StoragePlatform;
  /** The team that owns the data. */
  readonly team: string;
  /** Namespace of the app: claim and Secrets are there, and nowhere else. */
  readonly namespace: pulumi.Input<string>;
  /** @default "small" */
  readonly size?: Size;
  /**
   * A second Secret, of an account that lists and reads only.
   *
   * @default false
   */
  readonly readers?: boolean;
}

/**
 * A bucket of an app, with its credentials.
 *
 * @example
 * ```ts
 * const photos = new AppBucket("photos", { platform, team: "shop", namespace: "shop" });
 * ```
 */
export class AppBucket extends pulumi.ComponentResource {
  readonly claim: BucketClaim;
  readonly bucketId: pulumi.Output<string>;
  /** Name of the Secret for `envFrom`; known once it is there. */
  readonly secretName: pulumi.Output<string>;
  /** Name of the readers' Secret; `undefined` without one. */
  readonly readerSecretName: pulumi.Output<string> | undefined;

  constructor(name: string, args: AppBucketArgs, opts?: pulumi.ComponentResourceOptions) {
    super("acme:storage:AppBucket", name, {}, opts);
    const { platform, team, namespace, size = "small", readers = false } = args;
    const { protect } = environments[platform.environment];

    this.claim = new BucketClaim(
      name,
      {
        namespace,
        name: claimName(team, name),
        labels: { "acme.example/team": team },
        bucketClass: platform.bucketClasses[size],
        protocols: ["S3"],
      },
      // Left out where it is not Acme's to decide: what the user of this component says is inherited then.
      { parent: this, ...(protect ? { protect } : {}) },
    );
    const secretOf = (access: "read-write" | "read-only"): pulumi.Output<string> => {
      const credentialsSecretName = secretNames[access](name);
      const granted = new BucketAccess(
        `${name}-${access}`,
        {
          namespace,
          name: credentialsSecretName,
          bucketClaim: this.claim,
          bucketAccessClass: platform.accessClasses[access],
          credentialsSecretName,
          extraKeys: ["aws-environment"],
        },
        { parent: this },
      );
      return granted.secretName;
    };
    this.bucketId = this.claim.bucketId;
    this.secretName = secretOf("read-write");
    this.readerSecretName = readers ? secretOf("read-only") : undefined;
    this.registerOutputs({ bucketId: this.bucketId, secretName: this.secretName });
  }
}
