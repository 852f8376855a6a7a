import * as pulumi from "@pulumi/pulumi";
import type { Driver } from "../../provider/driver-resource/driver";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { defaultAllowedConfig } from "../../provider/models/objectbucket/additional-config";
import {
  brownfieldBucketOf,
  provisionerOfDriver,
  provisionerWarning,
  type ReclaimPolicy,
  type ClaimClass,
} from "../../provider/models/objectbucket/class-parameters";
import { storageClassKind } from "../../provider/models/objectbucket/kinds";
import { ComponentResource } from "../kubernetes/component-resource";
import {
  guardName,
  lastingName,
  guardedResource,
  type MetadataArgs,
  type NamedComponent,
} from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { namespaceNamed } from "../kubernetes/named-values";
import { ProblemError } from "../kubernetes/problem";
import { judge, orInvalid } from "../kubernetes/scope";
import { scopeOf } from "./installation";
import { writeRole, type SubjectArgs } from "./role";
import { allowedConfigNamed, classParametersNamed, provisionerNamed, reclaimPolicyNamed } from "./values";

/**
 * A class of buckets. What it is for follows from `parameters.bucketName`: without it new buckets are made (greenfield), with
 * it each claim gets an account for the bucket of that name, which was there before (brownfield).
 */
export interface StorageClassArgs extends MetadataArgs, ClusterArgs {
  /**
   * Driver that serves the claims of this class.
   *
   * @default none: the class is for the operator of the cluster that serves its provisioner, and no claim of this package
   */
  driver?: Driver;
  /**
   * Provisioner of the class, in the form `<domain>/<name>`. With a `driver` it is not that of an operator, such as
   * `rook-ceph.ceph.rook.io/bucket` or `noobaa.noobaa.io/obc`: both would serve one claim.
   *
   * @default `cosi.objectbucket.io/<name of the driver>`; without a driver that of Rook's operator
   */
  provisioner?: pulumi.Input<string>;
  /**
   * Namespace of Rook's operator, for a class without driver; the provisioner begins with it.
   *
   * @default "rook-ceph"
   */
  operatorNamespace?: pulumi.Input<string>;
  /**
   * Take the provisioner of an operator although a driver serves the claims, where no such operator runs.
   *
   * @default false
   */
  allowOperatorProvisioner?: boolean;
  /**
   * Parameters of the driver, sent as they are when a bucket is made and when access is granted. Known by name are
   * `bucketName` (a bucket that was there before), with `bucketID` where the driver has another id for it; `endpoint` and
   * `region`, for what the driver does not tell; `objectStoreName` and `objectStoreNamespace`, Rook's object store.
   *
   * @default none: the driver's own defaults
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * What becomes of a new bucket when its claim goes: `Retain` keeps it with its data, `Delete` destroys it. A bucket that
   * was there before is always kept. Without it `Retain` is written, as the API server would fill in `Delete`.
   *
   * @default "Retain"
   */
  reclaimPolicy?: pulumi.Input<string>;
  /**
   * Keys that claims of this class may have in `additionalConfig`. It stands in no object of the cluster.
   *
   * @default ["maxObjects", "maxSize"]
   */
  allowedAdditionalConfig?: readonly string[];
  /**
   * Who may see the class: a ClusterRole with its binding lets them get this class, and list the classes of the cluster.
   *
   * @default nobody by this class
   */
  viewers?: SubjectArgs[];
}

/**
 * A StorageClass (storage.k8s.io/v1) whose claims are ObjectBucketClaims. Editing it changes no claim that exists: each keeps
 * what was copied when it was made. A change of provisioner, parameters or policy replaces the object, as Kubernetes lets
 * none of them be changed.
 *
 * @example New buckets
 * ```ts
 * const gold = new cosi.objectbucket.StorageClass("gold", { driver, reclaimPolicy: "Delete" });
 * ```
 * @example A bucket that was there before
 * ```ts
 * const archive = new cosi.objectbucket.StorageClass("archive", { driver, parameters: { bucketName: "archive-2019" } });
 * ```
 * @example One that users may see, and whose claims may have a policy
 * ```ts
 * const shared = new cosi.objectbucket.StorageClass("shared", {
 *   driver, allowedAdditionalConfig: ["maxSize", "bucketPolicy"], viewers: [{ kind: "Group", name: "shop" }],
 * });
 * ```
 */
export class StorageClass extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectbucket:StorageClass";

  /** Name of the object. */
  readonly className: pulumi.Output<string>;
  readonly provisioner: pulumi.Output<string>;
  readonly reclaimPolicy: pulumi.Output<ReclaimPolicy>;
  /** Empty for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string>>;
  /** Keys that claims of this class may have in `additionalConfig`. */
  readonly allowedAdditionalConfig: readonly string[];
  /** @internal */
  readonly driver: Driver | undefined;

  constructor(name: string, args: StorageClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super(StorageClass.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, []);
    this.allowedAdditionalConfig = orInvalid(scope, () => {
      return allowedConfigNamed(args.allowedAdditionalConfig ?? defaultAllowedConfig);
    });
    this.driver = args.driver;
    this.provisioner = provisionerOf(scope, args);
    this.reclaimPolicy = judge<unknown, ReclaimPolicy>(scope, args.reclaimPolicy, reclaimPolicyNamed);
    this.parameters = judge<{ parameters: unknown; policy: ReclaimPolicy }, Record<string, string>>(
      scope,
      { parameters: args.parameters, policy: this.reclaimPolicy },
      ({ parameters, policy }) => parametersFor(policy, parameters),
    );

    const guard = guardName(
      scope,
      storageClassKind,
      { name: args.name ?? name },
      this.provisioner.apply((provisioner) => warningsOf(provisioner)),
      { told: { provisioner: this.provisioner } },
    );
    this.className = lastingName(guard, args);
    const fields = {
      provisioner: guard.told["provisioner"],
      reclaimPolicy: this.reclaimPolicy,
      ...(args.parameters === undefined ? {} : { parameters: this.parameters }),
    };
    const { labels, annotations, viewers = [] } = args;
    guardedResource(scope, {
      kind: storageClassKind,
      name: this.className,
      labels,
      annotations,
      fields,
      immutable: fields,
      guard,
      dependsOn: [guard],
    });
    // What is no list is refused with the subjects.
    if (viewers.length !== 0) {
      writeRole(scope, {
        logicalName: `${name}-viewers`,
        name: pulumi.interpolate`${this.className}-storageclass-viewers`,
        rules: viewerRules(this.className),
        subjectsArgument: "viewers",
        subjects: viewers,
        labels,
        annotations,
      });
    }
    this.registerOutputs({ className: this.className, provisioner: this.provisioner });
  }

  /** What a claim takes from it. @internal */
  copy(): DeepInput<ClaimClass> {
    return {
      name: this.className,
      reclaimPolicy: this.reclaimPolicy,
      parameters: this.parameters,
      secretParameters: isSecretInput(this.parameters),
    };
  }
}

const operatorNamespaceDefault = "rook-ceph";

/** OBC-035, OBC-036. */
function provisionerOf(scope: NamedComponent, args: StorageClassArgs): pulumi.Output<string> {
  const { driver, provisioner, operatorNamespace, allowOperatorProvisioner = false } = args;
  const isOperators = driver === undefined || allowOperatorProvisioner;
  if (operatorNamespace !== undefined) {
    const other = provisioner !== undefined ? "provisioner" : driver === undefined ? undefined : "driver";
    orInvalid(scope, () => {
      if (other === undefined) return;
      throw new ProblemError(
        `operatorNamespace and ${other} are both given, and the provisioner comes from either: leave one of them out`,
      );
    });
  }
  if (provisioner !== undefined) {
    return judge<unknown, string>(scope, provisioner, (value) => provisionerNamed(value, isOperators));
  }
  if (driver === undefined) {
    return judge<unknown, string>(scope, operatorNamespace ?? operatorNamespaceDefault, (value) => {
      const namespace = namespaceNamed("operatorNamespace", value);
      return `${namespace}.ceph.rook.io/bucket`;
    });
  }
  return judge(scope, driver.driverName, (name) => provisionerNamed(provisionerOfDriver(name), isOperators));
}

function warningsOf(provisioner: string): string[] {
  const warning = provisionerWarning(provisioner);
  return warning === undefined ? [] : [warning];
}

/** A bucket that was there before is never deleted: OBC-086. */
function parametersFor(policy: ReclaimPolicy, value: unknown): Record<string, string> {
  const parameters = classParametersNamed(value);
  if (policy === "Retain" || brownfieldBucketOf(parameters) === undefined) return parameters;
  throw new ProblemError(
    'reclaimPolicy is "Delete", and parameters.bucketName names a bucket that was there before: only "Retain" goes with it',
  );
}

/** OBC-038. A rule for `list` cannot name the objects that are listed. */
function viewerRules(className: pulumi.Output<string>) {
  const classes = { apiGroups: ["storage.k8s.io"], resources: [storageClassKind.plural] };
  return [
    { ...classes, resourceNames: [className], verbs: ["get"] },
    { ...classes, verbs: ["list"] },
  ];
}
