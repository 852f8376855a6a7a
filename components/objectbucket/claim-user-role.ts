import type * as pulumi from "@pulumi/pulumi";
import { group, objectBucketClaimKind } from "../../provider/models/objectbucket/kinds";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { namespaceNamed } from "../kubernetes/named-values";
import { requireGiven } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";
import { scopeOf } from "./installation";
import { writeRole, type SubjectArgs } from "./role";

/** Who may claim buckets in a namespace. */
export interface ClaimUserRoleArgs extends MetadataArgs, ClusterArgs {
  /** Namespace of the claims. It must exist. */
  namespace: pulumi.Input<string>;
  /** Users, groups and service accounts; at least one. */
  subjects: SubjectArgs[];
}

/**
 * Lets users create, read, change and delete ObjectBucketClaims in one namespace: a Role with its RoleBinding. They get no
 * right to ObjectBuckets, which are for admins, and none to Secrets. To let them see a class, name them in the `viewers` of
 * its StorageClass; for what else is in the namespace, give them another role.
 *
 * @example
 * ```ts
 * new cosi.objectbucket.ClaimUserRole("shop-users", {
 *   namespace: "shop", subjects: [{ kind: "Group", name: "shop" }],
 * });
 * ```
 */
export class ClaimUserRole extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectbucket:ClaimUserRole";

  /** Name of the Role and of the RoleBinding. */
  readonly roleName: pulumi.Output<string>;
  readonly namespace: pulumi.Output<string>;

  constructor(name: string, args: ClaimUserRoleArgs, opts?: pulumi.ComponentResourceOptions) {
    super(ClaimUserRole.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["subjects"]);
    orInvalid(scope, () => {
      requireGiven(args, "namespace", "subjects");
    });
    this.namespace = judge<unknown, string>(scope, args.namespace, (value) =>
      namespaceNamed("namespace", value),
    );
    this.roleName = writeRole(scope, {
      logicalName: name,
      name: args.name ?? name,
      namespace: this.namespace,
      rules: [
        {
          apiGroups: [group],
          resources: [objectBucketClaimKind.plural],
          verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
        },
      ],
      subjectsArgument: "subjects",
      subjects: args.subjects,
      labels: args.labels,
      annotations: args.annotations,
    });
    this.registerOutputs({ roleName: this.roleName, namespace: this.namespace });
  }
}
