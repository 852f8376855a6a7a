import * as pulumi from "@pulumi/pulumi";
import type { AccessMode } from "../../provider/contracts/contract";
import type { Driver } from "../../provider/driver-resource/driver";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import { caseOf, type BucketCase, type BucketClassCopy } from "../../provider/models/cosi-2020-02/specs";
import type { ReleasePolicy } from "../../provider/models/cosi-proposals/protocols";
import { releasePolicyNamed } from "../cosi-proposals/values";
import { ComponentResource } from "../kubernetes/component-resource";
import { guardName, guardedResource, lastingName, type MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { ProblemError } from "../kubernetes/problem";
import { judge, orInvalid } from "../kubernetes/scope";
import { identifierGiven, identifierNamed, type IdentifiedClass } from "./bucket-identifier";
import { scopeOf, sourceNamespaceOf } from "./installation";
import { hasProvisioner, missingProvisioner, provisionerOf, type ProvisionerArgs } from "./provisioner";
import { isSecretGiven, secretNamed, type NamedSecret, type SecretReferenceArgs } from "./secret-reference";
import { accessModeNamed, supportedProtocolsNamed, textsNamed } from "./values";

/**
 * A class of buckets. Two fields decide what it is for: without `bucketIdentifier`, new buckets are made (greenfield); with
 * it, an existing bucket is used, through its driver (brownfield), or, if `secretRef` is given too, without a driver (static).
 */
export interface BucketClassArgs extends ProvisionerArgs, MetadataArgs, ClusterArgs {
  /** Protocols that the object store speaks: `s3`, `gcs`, `azureBlob`, in upper or lower case; the list may have others too. */
  supportedProtocols: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What the credentials allow: `ro` read, `wo` write, `rw` both.
   *
   * @default "rw"
   */
  accessMode?: pulumi.Input<string>;
  /**
   * What happens to a new bucket when its Bucket object goes: `Retain` keeps it with its data, `Delete` destroys both. A
   * bucket that existed before is always kept.
   *
   * @default "Retain"
   */
  releasePolicy?: pulumi.Input<string>;
  /**
   * Where an existing bucket is: `bucketName` (`containerName` for `azureBlob`), and further fields of the protocol:
   * `region`, `endpoint`, `accessKeyId`, `userName`, `signatureVersion` (s3), `projectId`, `serviceAccount` (gcs),
   * `storageAccountName` (azureBlob). Other keys are parameters for the driver. The values may be outputs, but the object as
   * a whole may not. An empty object counts as none.
   *
   * @default none: new buckets are made
   */
  bucketIdentifier?: Record<string, pulumi.Input<string>>;
  /**
   * Secret that is copied unchanged for the apps, for a bucket for which no driver is called. The `metadata` of a Secret in
   * the program will do. Requires `bucketIdentifier`.
   *
   * @default none: a driver issues credentials
   */
  secretRef?: SecretReferenceArgs;
  /**
   * Parameters for the driver, sent unchanged.
   *
   * @default none: the driver's own defaults apply
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Namespace of the Secrets to which the credentials of this class's driver are written first. It must exist.
   *
   * @default what `install` says, else "cosi-system"
   */
  sourceSecretNamespace?: pulumi.Input<string>;
}

/**
 * A BucketClass (COSI proposal of 2020-02-27): what the buckets of Bucket objects come from. Editing it changes no existing
 * Bucket: each keeps what was copied when it was made. A change of provisioner, identifier or parameters replaces the object.
 *
 * @example New buckets
 * ```ts
 * const gold = new cosi.cosi20200227.BucketClass("gold", { driver, supportedProtocols: ["s3"], releasePolicy: "Delete" });
 * ```
 * @example An existing bucket, to which the driver grants access
 * ```ts
 * const archive = new cosi.cosi20200227.BucketClass("archive", {
 *   driver, supportedProtocols: ["s3"], bucketIdentifier: { bucketName: "archive-2019", region: "eu-1" },
 * });
 * ```
 * @example An existing bucket with an admin's credentials
 * ```ts
 * const shared = new cosi.cosi20200227.BucketClass("shared", {
 *   supportedProtocols: ["s3"], bucketIdentifier: { bucketName: "shared" }, secretRef: keys.metadata,
 * });
 * ```
 */
export class BucketClass extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:cosi20200227:BucketClass";

  /** Name of the object. */
  readonly className: pulumi.Output<string>;
  /** Name of the driver; `null` for a static class without one. */
  readonly provisioner: pulumi.Output<string | null>;
  /** What kind of buckets it is for. */
  readonly bucketCase: BucketCase;
  readonly supportedProtocols: pulumi.Output<string[]>;
  readonly accessMode: pulumi.Output<AccessMode>;
  readonly releasePolicy: pulumi.Output<ReleasePolicy>;
  /** Empty for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string>>;
  /** Namespace of the Secrets to which the driver's credentials are written first. */
  readonly sourceSecretNamespace: pulumi.Output<string>;
  /** @internal */
  readonly driver: Driver | undefined;
  readonly #bucketIdentifier: pulumi.Output<Record<string, string>> | null;
  readonly #secretRef: NamedSecret | null;

  constructor(name: string, args: BucketClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketClass.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, [
      "accessMode",
      "releasePolicy",
      "secretRef",
      "supportedProtocols",
    ]);
    const { kinds } = scope;
    const { bucketCase, identifier, secretRef } = orInvalid(scope, () => settled(args));
    this.bucketCase = bucketCase;
    this.driver = args.driver;
    const provisioner = hasProvisioner(args) ? provisionerOf(scope, args) : undefined;
    this.provisioner = provisioner ?? pulumi.output(null);
    this.supportedProtocols = judge<unknown, string[]>(
      scope,
      args.supportedProtocols,
      supportedProtocolsNamed,
    );
    this.accessMode = judge<unknown, AccessMode>(scope, args.accessMode, accessModeNamed);
    this.releasePolicy = judge<unknown, ReleasePolicy>(scope, args.releasePolicy, (value) =>
      policyFor(bucketCase, value),
    );
    this.parameters = judge<unknown, Record<string, string>>(scope, args.parameters, (value) =>
      textsNamed("parameters", value ?? {}),
    );
    this.sourceSecretNamespace = sourceNamespaceOf(scope, args.sourceSecretNamespace);
    this.#bucketIdentifier =
      identifier === undefined
        ? null
        : judge<{ value: unknown; beside: IdentifiedClass }, Record<string, string>>(
            scope,
            {
              value: identifier,
              beside: {
                bucketCase,
                supportedProtocols: this.supportedProtocols,
                parameters: this.parameters,
              },
            },
            ({ value, beside }) => identifierNamed(value, beside),
          );
    this.#secretRef = secretRef === undefined ? null : secretNamed(scope, secretRef);

    const guard = guardName(
      scope,
      kinds.bucketClass,
      { name: args.name ?? name },
      this.releasePolicy.apply((policy) => (policy === "Delete" ? [deleteWarning] : [])),
      provisioner === undefined ? {} : { told: { provisioner } },
    );
    this.className = lastingName(guard, args);
    const fixed = {
      ...(provisioner === undefined ? {} : { provisioner: guard.told["provisioner"] }),
      ...(this.#bucketIdentifier === null ? {} : { bucketIdentifier: this.#bucketIdentifier }),
      ...(args.parameters === undefined ? {} : { parameters: this.parameters }),
    };
    guardedResource(scope, {
      kind: kinds.bucketClass,
      name: this.className,
      labels: args.labels,
      annotations: args.annotations,
      fields: {
        ...fixed,
        supportedProtocols: this.supportedProtocols,
        accessMode: this.accessMode,
        releasePolicy: this.releasePolicy,
        secretRef: this.#secretRef ?? undefined,
      },
      immutable: fixed,
      exclusiveFields: true,
      guard,
      dependsOn: [guard],
    });
    this.registerOutputs({ className: this.className, provisioner: this.provisioner });
  }

  /** What a Bucket takes from it. @internal */
  copy(): DeepInput<BucketClassCopy> {
    return {
      name: this.className,
      provisioner: this.provisioner,
      supportedProtocols: this.supportedProtocols,
      accessMode: this.accessMode,
      releasePolicy: this.releasePolicy,
      bucketIdentifier: this.#bucketIdentifier,
      secretRef: this.#secretRef,
      parameters: this.parameters,
      // The driver gets parts of both as its parameters.
      secretParameters: isSecretInput([this.parameters, this.#bucketIdentifier]),
    };
  }
}

/** What is known of a class immediately. */
interface Settled {
  readonly bucketCase: BucketCase;
  readonly identifier: Record<string, unknown> | undefined;
  readonly secretRef: SecretReferenceArgs | undefined;
}

/** K02-050, K02-055, K02-057, K02-060 to K02-063. */
function settled(args: BucketClassArgs): Settled {
  const identifier = identifierGiven(args.bucketIdentifier);
  const secretRef = isSecretGiven(args.secretRef) ? args.secretRef : undefined;
  const bucketCase = caseOf(identifier !== undefined, secretRef !== undefined);
  if (bucketCase === undefined) {
    throw new ProblemError(
      "secretRef is given without bucketIdentifier, which the proposal leaves undefined: give bucketIdentifier too, with the " +
        "name of the bucket that the Secret is for, or leave secretRef out",
    );
  }
  if (bucketCase !== "static" && !hasProvisioner(args)) throw new ProblemError(missingProvisioner);
  return { bucketCase, identifier, secretRef };
}

/** K02-053, K02-054. */
function policyFor(bucketCase: BucketCase, value: unknown): ReleasePolicy {
  const policy = releasePolicyNamed(value);
  if (policy === "Retain" || bucketCase === "greenfield") return policy;
  throw new ProblemError(
    'releasePolicy is "Delete", but bucketIdentifier names an existing bucket: only "Retain" is allowed with it',
  );
}

const deleteWarning =
  'releasePolicy is "Delete": a bucket that is made from this class is destroyed with its content when its Bucket goes';
