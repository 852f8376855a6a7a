import type * as pulumi from "@pulumi/pulumi";
import { isRecord } from "../../provider/dynamic/values";
import type { KubernetesKind } from "../../provider/kubernetes/object";
import {
  guardName,
  guardedResource,
  type MetadataArgs,
  type ObjectScope,
} from "../kubernetes/custom-resource";
import { asFound, namespaceNamed } from "../kubernetes/named-values";
import { ProblemError, quoted } from "../kubernetes/problem";
import { judge } from "../kubernetes/scope";

/** A user, group or service account that gets a role. */
export interface SubjectArgs {
  /** `User`, `Group` or `ServiceAccount`. */
  kind: pulumi.Input<string>;
  /** Name, as the API server knows it. */
  name: pulumi.Input<string>;
  /**
   * Namespace of a ServiceAccount.
   *
   * @default none, as for a User or a Group
   */
  namespace?: pulumi.Input<string>;
}

const rbacGroup = "rbac.authorization.k8s.io";
const apiVersion = `${rbacGroup}/v1`;

interface RoleKinds {
  readonly role: KubernetesKind;
  readonly binding: KubernetesKind;
}

const ofNamespace: RoleKinds = {
  role: { apiVersion, kind: "Role", plural: "roles" },
  binding: { apiVersion, kind: "RoleBinding", plural: "rolebindings" },
};
const ofCluster: RoleKinds = {
  role: { apiVersion, kind: "ClusterRole", plural: "clusterroles" },
  binding: { apiVersion, kind: "ClusterRoleBinding", plural: "clusterrolebindings" },
};

/** What may be done to which objects. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** @default all of them */
  readonly resourceNames?: readonly pulumi.Input<string>[];
  readonly verbs: readonly string[];
}

/** A role, and who has it. */
export interface RoleArgs {
  /** Name in the program. */
  readonly logicalName: string;
  /** Name of both objects. */
  readonly name: pulumi.Input<string>;
  /** @default a role of the whole cluster */
  readonly namespace?: pulumi.Input<string>;
  readonly rules: readonly Rule[];
  /** Name of the argument that has them. */
  readonly subjectsArgument: string;
  readonly subjects: readonly SubjectArgs[];
  readonly labels: MetadataArgs["labels"] | undefined;
  readonly annotations: MetadataArgs["annotations"] | undefined;
}

/**
 * Writes a role and its binding, once it is certain that their name may be written.
 *
 * @returns Name of both.
 */
export function writeRole(scope: ObjectScope, args: RoleArgs): pulumi.Output<string> {
  const { logicalName, name, namespace, rules, subjectsArgument, labels, annotations } = args;
  const kinds = namespace === undefined ? ofCluster : ofNamespace;
  const subjects = judge<unknown, Subject[]>(scope, args.subjects, (given) =>
    subjectsNamed(subjectsArgument, given),
  );
  const write = (part: ObjectScope, kind: KubernetesKind, fields: RoleFields): WrittenObject => {
    const guard = guardName(part, kind, { name, namespace }, []);
    const { immutable, dependsOn = [], ...others } = fields;
    const object = guardedResource(part, {
      kind,
      name: guard.name,
      namespace,
      labels,
      annotations,
      fields: { ...others, ...immutable },
      ...(immutable === undefined ? {} : { immutable }),
      guard,
      dependsOn: [guard, ...dependsOn],
    });
    return { object, name: guard.name };
  };
  const role = write({ ...scope, logicalName }, kinds.role, { rules: rules.map((rule) => ({ ...rule })) });
  write({ ...scope, logicalName: `${logicalName}-binding` }, kinds.binding, {
    subjects,
    immutable: { roleRef: { apiGroup: rbacGroup, kind: kinds.role.kind, name: role.name } },
    dependsOn: [role.object],
  });
  return role.name;
}

interface WrittenObject {
  readonly object: pulumi.Resource;
  readonly name: pulumi.Output<string>;
}

interface RoleFields {
  readonly rules?: pulumi.Input<unknown>;
  readonly subjects?: pulumi.Input<unknown>;
  readonly immutable?: Record<string, pulumi.Input<unknown>>;
  readonly dependsOn?: pulumi.Resource[];
}

/** A subject as the API server stores it, with the values that the server would fill in. */
interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly apiGroup?: string;
  readonly namespace?: string;
}

const subjectKinds = ["User", "Group", "ServiceAccount"] as const;

function subjectsNamed(argument: string, value: unknown): Subject[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new ProblemError(`${argument} ${asFound(value)}: give a list of at least one subject`);
  }
  return value.map((subject: unknown, index) => subjectNamed(`${argument}[${index}]`, subject));
}

function subjectNamed(argument: string, subject: unknown): Subject {
  const { kind, name, namespace } = isRecord(subject) ? subject : {};
  const known = subjectKinds.find((entry) => entry === kind);
  if (known === undefined) {
    throw new ProblemError(`${argument}.kind ${asFound(kind)}: give one of ${quoted(subjectKinds)}`);
  }
  if (typeof name !== "string" || name === "") {
    throw new ProblemError(`${argument}.name ${asFound(name)}: give the name of a ${known}`);
  }
  if (known === "ServiceAccount") {
    return { kind: known, name, namespace: namespaceNamed(`${argument}.namespace`, namespace) };
  }
  if (namespace === undefined || namespace === null) return { kind: known, name, apiGroup: rbacGroup };
  throw new ProblemError(
    `${argument}.namespace ${asFound(namespace)}: a ${known} has no namespace, leave it out`,
  );
}
