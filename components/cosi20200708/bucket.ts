import * as pulumi from "@pulumi/pulumi";
import type { AnonymousAccess } from "../../provider/contracts/contract";
import { AdminBucket } from "../../provider/models/cosi-2020-07/admin-bucket";
import type { PermittedNamespace } from "../../provider/models/cosi-2020-07/specs";
import type { ApiProtocol } from "../../provider/models/cosi-proposals/protocols";
import { releasePolicyNamed } from "../cosi-proposals/values";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import type { ClusterArgs } from "../kubernetes/installation";
import { ProblemError } from "../kubernetes/problem";
import { judge } from "../kubernetes/scope";
import { bucketProtocol, type BucketProtocol, type BucketProtocolArgs } from "./bucket-protocol";
import { scopeOf } from "./installation";
import { hasParameters, parametersOf, type ParametersArgs } from "./parameters";
import { provisionerOf, type ProvisionerArgs } from "./provisioner";
import { accessModeNamed, namespacesNamed, type PermittedNamespaceArgs } from "./values";

/** A bucket that the backend already has. */
export interface BucketArgs extends ProvisionerArgs, ParametersArgs, MetadataArgs, ClusterArgs {
  /** How the bucket is reached, and its name in the backend. */
  protocol: pulumi.Input<BucketProtocolArgs>;
  /** Namespaces from which requests may bind to it; an empty list permits none. */
  permittedNamespaces: pulumi.Input<pulumi.Input<PermittedNamespaceArgs>[]>;
  /**
   * What the bucket lets callers without credentials do: `private` nothing, `ro` list and read, `wo` write, `rw` both;
   * `publicRead` is `ro`, and `publicReadWrite` is `rw`. It changes nothing at the store.
   *
   * @default "private"
   */
  anonymousAccessMode?: pulumi.Input<string>;
  /**
   * Only `Retain`: a bucket that existed before is never deleted.
   *
   * @default "Retain"
   */
  releasePolicy?: pulumi.Input<string>;
}

/**
 * A Bucket that an admin makes (COSI proposal of 2020-07-08): an object that stands for a bucket that the backend already
 * has. No driver call is made for it, and deleting it deletes only the object. Requests name it in `bucketInstanceName`.
 *
 * @example
 * ```ts
 * const archive = new cosi.cosi20200708.Bucket("archive", {
 *   provisioner: "stores/s3.example.com",
 *   protocol: { s3: { bucketName: "archive-2019", region: "eu-1" } },
 *   permittedNamespaces: [{ name: "shop" }],
 * });
 * ```
 */
export class Bucket extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:cosi20200708:Bucket";

  /** Name of the object, for `bucketInstanceName` of a request. */
  readonly bucketName: pulumi.Output<string>;
  /** The backend's name of the bucket. */
  readonly bucketId: pulumi.Output<string>;
  /** Name of the driver. */
  readonly provisioner: pulumi.Output<string>;
  readonly protocol: pulumi.Output<ApiProtocol>;

  constructor(name: string, args: BucketArgs, opts?: pulumi.ComponentResourceOptions) {
    super(Bucket.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, [
      "anonymousAccessMode",
      "parameters",
      "permittedNamespaces",
    ]);
    const { installation } = scope;
    this.provisioner = provisionerOf(scope, args);
    const checked = judge<unknown, BucketProtocol>(scope, args.protocol, bucketProtocol);
    this.protocol = checked.apply(({ protocol }) => protocol);
    this.bucketId = checked.apply(({ fields }) => fields["bucketName"] ?? fields["containerName"] ?? "");
    const object = new AdminBucket(
      name,
      {
        kubernetes: installation.target,
        owner: installation.owner,
        resource: scope.resource,
        model: installation.model,
        name: args.name ?? name,
        ...(scope.hasDefaultName ? { isDefaultName: true } : {}),
        ...(args.labels === undefined ? {} : { labels: args.labels }),
        ...(args.annotations === undefined ? {} : { annotations: args.annotations }),
        provisioner: this.provisioner,
        releasePolicy: judge<unknown, "Retain">(scope, args.releasePolicy, retained),
        anonymousAccessMode: judge<unknown, AnonymousAccess>(
          scope,
          args.anonymousAccessMode,
          accessModeNamed,
        ),
        permittedNamespaces: judge<unknown, PermittedNamespace[]>(scope, args.permittedNamespaces, (value) =>
          namespacesNamed("permittedNamespaces", value),
        ),
        protocol: this.protocol,
        protocolFields: checked.apply(({ fields }) => fields),
        ...(hasParameters(args) ? { parameters: parametersOf(scope, args) } : {}),
      },
      {
        parent: this,
        dependsOn: [installation.definitions],
        ...ignoring(
          scope,
          carriedAs("annotations", "anonymousAccessMode", "labels", "parameters", "permittedNamespaces"),
        ),
      },
    );
    // With the object's URN, which a preview knows: whoever names the Bucket finds it, and goes before it.
    this.bucketName = pulumi.all([object.name, object.urn]).apply(([known]) => known);
    this.registerOutputs({ bucketName: this.bucketName, bucketId: this.bucketId });
  }
}

/** K07-036: what somebody else made is not ours to delete. */
function retained(value: unknown): "Retain" {
  const policy = releasePolicyNamed(value);
  if (policy === "Retain") return policy;
  throw new ProblemError(
    'releasePolicy is "Delete", but a Bucket that an admin makes stands for a bucket that existed before: only ' +
      '"Retain" is allowed for it',
  );
}
