import * as pulumi from "@pulumi/pulumi";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { Secret } from "../../provider/kubernetes/secret-resource";
import type { ClaimedApi } from "../../provider/models/claimed/claimed-api";
import type { AccessObjects } from "../../provider/models/model";
import {
  customResource,
  guardName,
  inParts,
  uidOf,
  type MetadataArgs,
  type ObjectScope,
} from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import { ProblemError } from "../kubernetes/problem";
import type { BucketObjectReference } from "./bucket-object";

/** What an access is to: the claim, and the Bucket that it has. */
export interface AccessedClaim extends pulumi.Resource {
  readonly namespace: pulumi.Output<string>;
  /** As an output of the claim's object and of its bucket. */
  readonly boundNamespace: pulumi.Output<string>;
  readonly object: BucketObjectReference;
  readonly isStatic: boolean;
}

/** The account of an access at the driver. */
interface GrantedAccount extends pulumi.CustomResource {
  readonly checksum: pulumi.Output<string | null>;
}

/** What the account of an API model knows of its objects beside what every one does. */
type OwnObjects = {
  readonly [Key in "bucketInfoName" | "secretProtocols" | "serviceAccountName"]: DeepInput<
    AccessObjects[Key]
  >;
};

/** What an access is made from. */
export interface AccessParts<Account extends GrantedAccount> {
  readonly api: ClaimedApi;
  readonly namespace: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly args: MetadataArgs & {
    readonly secretLabels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  };
  readonly claim: AccessedClaim;
  readonly claimName: pulumi.Output<string>;
  readonly accessClass: pulumi.Resource;
  readonly credentialsSecretName: pulumi.Output<string>;
  readonly spec: Record<string, pulumi.Input<unknown>>;
  /** Of which a change makes another access, beside `spec`. */
  readonly identity: Record<string, pulumi.Input<unknown>>;
  readonly warnings: pulumi.Output<string[]>;
  /** What the resource of the account knows of the objects, beside what every access has. */
  readonly objects?: OwnObjects;
  /** Makes the resource of the account. */
  readonly grant: (
    objects: pulumi.Input<AccessObjects>,
    uid: pulumi.Output<string>,
    opts: pulumi.CustomResourceOptions,
  ) => Account;
  /** What the Secret holds. */
  readonly data: (account: Account, uid: pulumi.Output<string>) => pulumi.Output<Record<string, string>>;
}

/** Writes the object of an access, once it is sure that its name may be written; then its account, and its Secret. */
export function writeAccess<Account extends GrantedAccount>(
  scope: ObjectScope,
  parts: AccessParts<Account>,
): { account: Account; secretName: pulumi.Output<string>; checksum: pulumi.Output<string | null> } {
  const { api, namespace, args, claim, accessClass, credentialsSecretName, spec } = parts;
  const { component, logicalName, installation } = scope;
  const { access: kind } = api.kinds;
  const guard = guardName(scope, kind, { namespace, name: parts.name }, parts.warnings);
  const { name } = guard;
  const reference = { namespace, name };
  const object = customResource(scope, {
    kind,
    name,
    namespace: claim.boundNamespace,
    labels: args.labels,
    annotations: args.annotations,
    fields: { spec },
    immutable: { ...spec, ...parts.identity },
    guard,
    dependsOn: [guard, claim, accessClass],
  });
  const uid = uidOf(object);
  const objects = inParts<AccessObjects>({
    model: installation.model,
    kubernetes: installation.target,
    owner: installation.owner,
    access: { ...reference, uid },
    bucket: claim.object,
    claim: { namespace: claim.namespace, name: parts.claimName },
    secretName: credentialsSecretName,
    staticBucket: claim.isStatic,
    ...parts.objects,
  });
  const account = parts.grant(objects, uid, {
    parent: component,
    dependsOn: [object],
    ...ignoring(scope, carriedAs("endpoint", "region", "revokeNotFound", "rotation")),
  });
  const secret = new Secret(
    logicalName,
    {
      kubernetes: installation.target,
      namespace,
      name: credentialsSecretName,
      owner: { apiVersion: kind.apiVersion, kind: kind.kind, name, uid },
      data: parts.data(account, uid),
      labels: args.secretLabels,
      finalizer: api.finalizers.secret,
      model: installation.model,
      stack: installation.owner,
    },
    { parent: component, dependsOn: [account], ...ignoring(scope, { secretLabels: ["labels"] }) },
  );
  return {
    account,
    // Whoever mounts the Secret waits for it.
    secretName: secret.id.apply(() => secret.name),
    // Whoever is made anew by it finds the new Secret.
    checksum: pulumi.all([account.checksum, secret.id]).apply(([checksum]) => checksum),
  };
}

/**
 * OS1-026: an access is where its claim is.
 *
 * @param word What the user calls the claim.
 */
export function requireSameNamespace(namespace: string, claimNamespace: string, word: string): void {
  if (namespace === claimNamespace) return;
  throw new ProblemError(
    `namespace is ${JSON.stringify(namespace)}, and the ${word} is in ${JSON.stringify(claimNamespace)}: an access, its ` +
      `${word} and its Secret are in one namespace`,
  );
}
