import * as pulumi from "@pulumi/pulumi";
import type { PolicyActions } from "../../provider/contracts/contract";
import { permissionsProblem } from "../../provider/contracts/cosi-2020-07/permissions";
import type { Driver } from "../../provider/driver-resource/driver";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import type { AccessClassCopy } from "../../provider/models/cosi-2020-07/specs";
import type { ApiProtocol } from "../../provider/models/cosi-proposals/protocols";
import { protocolNamed } from "../cosi-proposals/values";
import { ComponentResource } from "../kubernetes/component-resource";
import { guardName, guardedResource, lastingName, type MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { ProblemError } from "../kubernetes/problem";
import { judge } from "../kubernetes/scope";
import { scopeOf } from "./installation";
import { hasParameters, parametersOf, type ParametersArgs } from "./parameters";
import { actionsNamed } from "./policy-actions";
import { provisionerOf, type ProvisionerArgs } from "./provisioner";

/** What an account may do, in terms that the driver defines. */
export interface PolicyActionsArgs {
  /**
   * Actions that are allowed.
   *
   * @default not sent: the driver's own default
   */
  allow?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Actions that are denied.
   *
   * @default not sent: the driver's own default
   */
  deny?: pulumi.Input<pulumi.Input<string>[]>;
}

/** A class of accesses. */
export interface BucketAccessClassArgs extends ProvisionerArgs, ParametersArgs, MetadataArgs, ClusterArgs {
  /** Protocol of the buckets to which it gives access: `s3`, `gcs` or `azureBlob`. */
  protocol: pulumi.Input<string>;
  /**
   * What an account may do.
   *
   * @default not sent: the driver's own default
   */
  policyActions?: pulumi.Input<PolicyActionsArgs>;
}

/**
 * A BucketAccessClass (COSI proposal of 2020-07-08): what accounts may do, and which driver grants them. Editing it
 * changes no existing access.
 *
 * @example
 * ```ts
 * const writers = new cosi.cosi20200708.BucketAccessClass("writers", {
 *   driver, protocol: "s3", policyActions: { allow: ["read", "write"] },
 * });
 * ```
 */
export class BucketAccessClass extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:cosi20200708:BucketAccessClass";

  /** Name of the object. */
  readonly className: pulumi.Output<string>;
  /** Name of the driver. */
  readonly provisioner: pulumi.Output<string>;
  readonly protocol: pulumi.Output<ApiProtocol>;
  /** `null` for a class without any. */
  readonly policyActions: pulumi.Output<PolicyActions | null>;
  /** Includes those that name the provisioner's Secret; empty for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string>>;
  /** @internal */
  readonly driver: Driver | undefined;

  constructor(name: string, args: BucketAccessClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketAccessClass.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["parameters", "policyActions"]);
    const { kinds } = scope;
    this.driver = args.driver;
    this.provisioner = provisionerOf(scope, args);
    this.protocol = judge<unknown, ApiProtocol>(scope, args.protocol, (value) =>
      protocolNamed("protocol", value),
    );
    this.policyActions = judge<unknown, PolicyActions | null>(scope, args.policyActions, actionsNamed);
    this.parameters = judge(
      scope,
      pulumi.all([parametersOf(scope, args), this.policyActions]),
      ([parameters, policyActions]) => {
        const problem = permissionsProblem({ parameters, policyActions });
        if (problem !== undefined) throw new ProblemError(problem);
        return parameters;
      },
    );

    const guard = guardName(
      scope,
      kinds.bucketAccessClass,
      { name: args.name ?? name },
      this.parameters.apply(() => []),
      { told: { provisioner: this.provisioner } },
    );
    this.className = lastingName(guard, args);
    guardedResource(scope, {
      kind: kinds.bucketAccessClass,
      name: this.className,
      labels: args.labels,
      annotations: args.annotations,
      fields: {
        provisioner: guard.told["provisioner"],
        protocol: this.protocol,
        policyActions:
          args.policyActions === undefined
            ? undefined
            : this.policyActions.apply((actions) => actions ?? undefined),
        parameters: hasParameters(args) ? this.parameters : undefined,
      },
      guard,
      dependsOn: [guard],
    });
    this.registerOutputs({ className: this.className, provisioner: this.provisioner });
  }

  /** What a request takes from it. @internal */
  copy(): DeepInput<AccessClassCopy> {
    return {
      name: this.className,
      provisioner: this.provisioner,
      protocol: this.protocol,
      policyActions: this.policyActions,
      parameters: this.parameters,
      secretParameters: isSecretInput(this.parameters),
    };
  }
}
