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
 * A class of buckets. `parameters.bucketName` decides what it is for: without it, new buckets are made (greenfield); with it,
 * each claim gets an account for the existing bucket of that name (brownfield).
 */
export interface StorageClassArgs extends MetadataArgs, ClusterArgs {
  /**
   * Driver that serves the claims of this class.
   *
   * @default none: the class is for the operator in the cluster that serves its provisioner, not for claims of this package
   */
  driver?: Driver;
  /**
   * Provisioner of the class, in the form `<domain>/<name>`. With a `driver` it must not be an operator's, such as
   * `rook-ceph.ceph.rook.io/bucket` or `noobaa.noobaa.io/obc`, as both would serve the same claim.
   *
   * @default `cosi.objectbucket.io/<name of the driver>`; without a driver, that of Rook's operator
   */
  provisioner?: pulumi.Input<string>;
  /**
   * Namespace of Rook's operator, for a class without a driver; the provisioner begins with it.
   *
   * @default "rook-ceph"
   */
  operatorNamespace?: pulumi.Input<string>;
  /**
   * Accept an operator's provisioner although a driver serves the claims. Only if no such operator runs.
   *
   * @default false
   */
  allowOperatorProvisioner?: boolean;
  /**
   * Parameters for the driver, sent unchanged when a bucket is made and when access is granted. These names have a meaning:
   * `bucketName` (an existing bucket), with `bucketID` if the driver has another id for it; `endpoint` and `region`, for what
   * the driver does not report; `objectStoreName` and `objectStoreNamespace`, Rook's object store.
   *
   * @default none: the driver's own defaults apply
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * What happens to a new bucket when its claim goes: `Retain` keeps it with its data, `Delete` destroys it. A bucket that
   * existed before is always kept. If this is left out, `Retain` is written, as the API server would fill in `Delete`.
   *
   * @default "Retain"
   */
  reclaimPolicy?: pulumi.Input<string>;
  /**
   * Keys that claims of this class may have in `additionalConfig`. They are not written to any object in the cluster.
   *
   * @default ["maxObjects", "maxSize"]
   */
  allowedAdditionalConfig?: readonly string[];
  /**
   * Who may see the class: a ClusterRole with its binding lets them get this class, and list the classes of the cluster.
   *
   * @default none: this class lets nobody see it
   */
  viewers?: SubjectArgs[];
}

/**
 * A StorageClass (storage.k8s.io/v1) whose claims are ObjectBucketClaims. Editing it changes no existing claim: each keeps
 * what was copied when it was made. A change of provisioner, parameters or policy replaces the object, as Kubernetes does not
 * allow them to be changed.
 *
 * @example New buckets
 * ```ts
 * const gold = new cosi.objectbucket.StorageClass("gold", { driver, reclaimPolicy: "Delete" });
 * ```
 * @example An existing bucket
 * ```ts
 * const archive = new cosi.objectbucket.StorageClass("archive", { driver, parameters: { bucketName: "archive-2019" } });
 * ```
 * @example A class that users may see, and whose claims may have a policy
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
        `operatorNamespace and ${other} are both given, but the provisioner comes from one of them: leave the other out`,
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

/** An existing bucket is never deleted: OBC-086. */
function parametersFor(policy: ReclaimPolicy, value: unknown): Record<string, string> {
  const parameters = classParametersNamed(value);
  if (policy === "Retain" || brownfieldBucketOf(parameters) === undefined) return parameters;
  throw new ProblemError(
    'reclaimPolicy is "Delete", but parameters.bucketName names an existing bucket: only "Retain" is allowed with it',
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
