import type * as pulumi from "@pulumi/pulumi";
import type { AnonymousAccess } from "../../provider/contracts/contract";
import type { Driver } from "../../provider/driver-resource/driver";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { DefaultClassGuard } from "../../provider/models/cosi-2020-07/default-class";
import type { BucketClassCopy, PermittedNamespace } from "../../provider/models/cosi-2020-07/specs";
import {
  readProtocol,
  type ApiProtocol,
  type ReleasePolicy,
} from "../../provider/models/cosi-proposals/protocols";
import { protocolNamed, releasePolicyNamed } from "../cosi-proposals/values";
import { ComponentResource } from "../kubernetes/component-resource";
import { guardName, guardedResource, lastingName, type MetadataArgs } from "../kubernetes/custom-resource";
import { ignoring } from "../kubernetes/ignored-changes";
import type { ClusterArgs } from "../kubernetes/installation";
import { judge } from "../kubernetes/scope";
import { noteDefaultClass } from "./default-classes";
import { scopeOf } from "./installation";
import { hasParameters, parametersOf, type ParametersArgs } from "./parameters";
import { provisionerOf, type ProvisionerArgs } from "./provisioner";
import { accessModeNamed, isDefaultClass, namespacesNamed, type PermittedNamespaceArgs } from "./values";

/** A class of buckets. */
export interface BucketClassArgs extends ProvisionerArgs, ParametersArgs, MetadataArgs, ClusterArgs {
  /** Protocol of its buckets: `s3`, `gcs` or `azureBlob`. A store with several protocols gets a class for each. */
  protocol: pulumi.Input<string>;
  /**
   * Requests of this protocol that name no class get this one. A cluster has at most one such class per protocol.
   *
   * @default false
   */
  isDefaultBucketClass?: pulumi.Input<boolean>;
  /**
   * What callers without credentials may do: `private` nothing, `ro` list and read, `wo` write, `rw` both; `publicRead`
   * is `ro`, and `publicReadWrite` is `rw`.
   *
   * @default "private"
   */
  anonymousAccessMode?: pulumi.Input<string>;
  /**
   * Namespaces from which a bucket may be bound, in addition to that of its request.
   *
   * @default none: only that of its request
   */
  additionalPermittedNamespaces?: pulumi.Input<pulumi.Input<PermittedNamespaceArgs>[]>;
  /**
   * What happens to a bucket when its request goes: `Retain` keeps it with its data, `Delete` destroys both.
   *
   * @default "Retain"
   */
  releasePolicy?: pulumi.Input<string>;
}

/**
 * A BucketClass (COSI proposal of 2020-07-08): what new buckets are made from. Editing it changes no existing bucket: each
 * keeps what was copied when it was made. A change of provisioner, protocol or parameters replaces the object.
 *
 * @example
 * ```ts
 * const gold = new cosi.cosi20200708.BucketClass("gold", { driver, protocol: "s3", releasePolicy: "Delete" });
 * ```
 */
export class BucketClass extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:cosi20200708:BucketClass";

  /** Name of the object. */
  readonly className: pulumi.Output<string>;
  /** Name of the driver. */
  readonly provisioner: pulumi.Output<string>;
  readonly protocol: pulumi.Output<ApiProtocol>;
  readonly releasePolicy: pulumi.Output<ReleasePolicy>;
  readonly anonymousAccessMode: pulumi.Output<AnonymousAccess>;
  readonly additionalPermittedNamespaces: pulumi.Output<PermittedNamespace[]>;
  /** Includes those that name the provisioner's Secret; empty for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string>>;
  /** @internal */
  readonly driver: Driver | undefined;

  constructor(name: string, args: BucketClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketClass.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, [
      "additionalPermittedNamespaces",
      "anonymousAccessMode",
      "isDefaultBucketClass",
      "releasePolicy",
    ]);
    const { installation, kinds } = scope;
    this.driver = args.driver;
    this.provisioner = provisionerOf(scope, args);
    this.protocol = judge<unknown, ApiProtocol>(scope, args.protocol, (value) =>
      protocolNamed("protocol", value),
    );
    this.releasePolicy = judge<unknown, ReleasePolicy>(scope, args.releasePolicy, releasePolicyNamed);
    this.anonymousAccessMode = judge<unknown, AnonymousAccess>(
      scope,
      args.anonymousAccessMode,
      accessModeNamed,
    );
    this.additionalPermittedNamespaces = judge<unknown, PermittedNamespace[]>(
      scope,
      args.additionalPermittedNamespaces,
      (value) => (value === undefined ? [] : namespacesNamed("additionalPermittedNamespaces", value)),
    );
    this.parameters = parametersOf(scope, args);
    const isDefault = judge<unknown, boolean>(scope, args.isDefaultBucketClass, isDefaultClass);

    const guard = guardName(
      scope,
      kinds.bucketClass,
      { name: args.name ?? name },
      this.releasePolicy.apply((policy) => (policy === "Delete" ? [deleteWarning] : [])),
      { told: { provisioner: this.provisioner } },
    );
    this.className = lastingName(guard, args);
    const dependsOn: pulumi.Resource[] = [guard];
    if (args.isDefaultBucketClass !== undefined && args.isDefaultBucketClass !== false) {
      const sole = new DefaultClassGuard(
        name,
        {
          kubernetes: installation.target,
          owner: installation.owner,
          resource: scope.resource,
          model: installation.model,
          className: this.className,
          protocol: this.protocol,
          isDefault,
        },
        { parent: this, dependsOn: [guard], ...ignoring(scope, { isDefaultBucketClass: ["isDefault"] }) },
      );
      dependsOn.push(sole);
      // If only an output says that it is a default class, it is not known yet which requests it is for.
      const isPlain = args.isDefaultBucketClass === true;
      noteDefaultClass(installation, {
        bucketClass: this,
        protocol: isPlain ? readProtocol(args.protocol) : undefined,
      });
    }
    const fixed = {
      provisioner: guard.told["provisioner"],
      protocol: this.protocol,
      ...(hasParameters(args) ? { parameters: this.parameters } : {}),
    };
    guardedResource(scope, {
      kind: kinds.bucketClass,
      name: this.className,
      labels: args.labels,
      annotations: args.annotations,
      fields: {
        ...fixed,
        isDefaultBucketClass: isDefault,
        anonymousAccessMode: this.anonymousAccessMode,
        releasePolicy: this.releasePolicy,
        additionalPermittedNamespaces:
          args.additionalPermittedNamespaces === undefined ? undefined : this.additionalPermittedNamespaces,
      },
      immutable: fixed,
      guard,
      dependsOn,
    });
    this.registerOutputs({ className: this.className, provisioner: this.provisioner });
  }

  /** What a request takes from it. @internal */
  copy(): DeepInput<BucketClassCopy> {
    return {
      name: this.className,
      provisioner: this.provisioner,
      protocol: this.protocol,
      releasePolicy: this.releasePolicy,
      anonymousAccessMode: this.anonymousAccessMode,
      additionalPermittedNamespaces: this.additionalPermittedNamespaces,
      parameters: this.parameters,
      secretParameters: isSecretInput(this.parameters),
    };
  }
}

const deleteWarning =
  'releasePolicy is "Delete": a bucket that is made from this class is destroyed with its content when its ' +
  "BucketRequest goes";
