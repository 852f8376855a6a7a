import * as pulumi from "@pulumi/pulumi";
import type { BucketInfo } from "../../provider/contracts/contract";
import { Deployment as DriverDeployment } from "../../provider/deployment/deployment";
import { RequestBinding } from "../../provider/models/deployment/request-binding";
import {
  carriedByBinding,
  carriedByBucket,
  copyOf,
  madeBucket,
  policyOf,
  type BucketObjectReference,
} from "../claimed/bucket-object";
import { boundTo, sourceOf, writeClaim, type Source } from "../claimed/claim-object";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import type { ClusterArgs } from "../kubernetes/installation";
import { ProblemError } from "../kubernetes/problem";
import { given } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";
import type { Deployment } from "./deployment";
import type { DeploymentClass } from "./deployment-class";
import { scopeOf } from "./installation";

/** A request for a deployment: a new one of a class, or an existing one. */
export interface DeploymentRequestArgs extends MetadataArgs, ClusterArgs {
  namespace: pulumi.Input<string>;
  /**
   * The class to make a deployment from. Either this or `existingDeployment`.
   *
   * @default none: `existingDeployment` is given
   */
  deploymentClass?: DeploymentClass;
  /**
   * A static Deployment. Either this or `deploymentClass`.
   *
   * @default none: `deploymentClass` is given
   */
  existingDeployment?: Deployment;
  /**
   * What happens to the deployment in the backend when the request goes: `Retain` or `Delete`. A change is made in place and
   * sends nothing to the driver. Editing the class changes nothing for an existing deployment. Cannot be combined with
   * `existingDeployment`, which is always kept.
   *
   * @default the class's policy at the time when the deployment was made
   */
  deletionPolicy?: pulumi.Input<string>;
  /**
   * Refuses a replacement that would delete the deployment. To allow one, set it to `false` and run `pulumi up` before the
   * change. If somebody has removed the request, and a refresh has seen that, `false` allows the replacement at once.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * Makes `pulumi up` wait after the create until the driver reports that the deployment is ready, if the driver can report
   * it. Cannot be combined with `existingDeployment`.
   *
   * @default false
   */
  waitUntilReady?: pulumi.Input<boolean>;
  /**
   * Longest such wait, in seconds. When it is over, the run fails, and the deployment stays in the state. Cannot be combined
   * with `existingDeployment`.
   *
   * @default 600
   */
  readyTimeoutSeconds?: pulumi.Input<number>;
}

/**
 * A DeploymentRequest (platform.plural.sh/v1alpha1), with the Deployment that is made for it. A change of class, name or
 * namespace replaces both, and their accesses too.
 *
 * @example
 * ```ts
 * const orders = new cosi.deployment.DeploymentRequest("orders", { namespace: "shop", deploymentClass: small });
 * ```
 */
export class DeploymentRequest extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:deployment:DeploymentRequest";

  readonly namespace: pulumi.Output<string>;
  /** Name of the object. */
  readonly requestName: pulumi.Output<string>;
  /** Name of the Deployment object. */
  readonly deploymentName: pulumi.Output<string>;
  /** The backend's id of the deployment. */
  readonly deploymentId: pulumi.Output<string>;
  /** What clients need to reach the deployment, if it is a bucket and the driver reports it. */
  readonly deploymentInfo: pulumi.Output<BucketInfo | null>;
  /**
   * The namespace, as an output of the request's object and of its deployment. An object that takes its namespace from here
   * is replaced along with either of them, in the right order; with an equal argument it would be left alone.
   *
   * @internal
   */
  readonly boundNamespace: pulumi.Output<string>;
  /** @internal */
  readonly deployment: DriverDeployment;
  /** @internal */
  readonly object: BucketObjectReference;
  /** @internal */
  readonly driverName: pulumi.Output<string>;
  /** The deployment existed before. @internal */
  readonly isStatic: boolean;

  constructor(name: string, args: DeploymentRequestArgs, opts?: pulumi.ComponentResourceOptions) {
    super(DeploymentRequest.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, [
      "deletionPolicy",
      "protectData",
      "readyTimeoutSeconds",
      "waitUntilReady",
    ]);
    const source = orInvalid(scope, () => deploymentOf(args));
    this.isStatic = "existing" in source;
    this.namespace = judge<string, string>(scope, args.namespace, (namespace) =>
      given("namespace", namespace),
    );
    const requestObject = writeClaim(scope, {
      kind: scope.kinds.deploymentRequest,
      namespace: this.namespace,
      name: pulumi.output(args.name ?? name),
      args,
      spec:
        "existing" in source
          ? { existingDeploymentName: source.existing.deploymentName }
          : { deploymentClassName: source.bucketClass.className },
      exclusiveFields: true,
      warnings: this.namespace.apply(() => []),
      source: "existing" in source ? source.existing : source.bucketClass,
    });
    this.requestName = requestObject.claim.name;
    const { installation } = scope;
    const binding = new RequestBinding(
      name,
      {
        kubernetes: installation.target,
        model: installation.model,
        owner: installation.owner,
        resource: scope.resource,
        request: requestObject.claim,
        protectData: args.protectData,
        ...("existing" in source
          ? { existingDeploymentName: source.existing.deploymentName }
          : {
              deploymentClass: copyOf(source.bucketClass),
              deploymentFields: {
                deletionPolicy: policyOf(scope, args, source.bucketClass.deletionPolicy),
              },
            }),
      },
      {
        parent: this,
        dependsOn: [requestObject.object],
        ...ignoring(scope, carriedByBinding("deploymentFields")),
      },
    );
    if ("existing" in source) {
      this.deployment = source.existing.deployment;
      this.object = source.existing.object;
      this.driverName = source.existing.deploymentClass.driverName;
    } else {
      const { request: claim, deploymentClass: copy, deploymentUid: uid } = binding;
      const bound = { resource: binding, claim, copy, uid };
      const { reference, made } = madeBucket(scope, source.bucketClass.driver, bound, args);
      this.deployment = new DriverDeployment(
        name,
        {
          ...made,
          deploymentClassName: source.bucketClass.className,
          ...(args.waitUntilReady === undefined ? {} : { waitUntilReady: args.waitUntilReady }),
          ...(args.readyTimeoutSeconds === undefined
            ? {}
            : { readyTimeoutSeconds: args.readyTimeoutSeconds }),
        },
        {
          parent: this,
          dependsOn: [binding],
          ...ignoring(scope, {
            ...carriedByBucket,
            ...carriedAs("readyTimeoutSeconds", "waitUntilReady"),
          }),
        },
      );
      this.object = reference;
      this.driverName = binding.deploymentClass.driverName;
    }
    const bound = boundTo(requestObject, binding, this.deployment);
    this.deploymentName = bound.bucketName;
    this.boundNamespace = bound.boundNamespace;
    this.deploymentId = this.deployment.deploymentId;
    this.deploymentInfo = this.deployment.deploymentInfo;
    this.registerOutputs({
      deploymentName: this.deploymentName,
      deploymentId: this.deploymentId,
      deploymentInfo: this.deploymentInfo,
    });
  }
}

function deploymentOf(args: DeploymentRequestArgs): Source<DeploymentClass, Deployment> {
  const { deploymentClass, existingDeployment, deletionPolicy } = args;
  const source = sourceOf(
    { bucketClass: "deploymentClass", existing: "existingDeployment" },
    { bucketClass: deploymentClass, existing: existingDeployment, deletionPolicy },
  );
  if (!("existing" in source)) return source;
  for (const argument of ["waitUntilReady", "readyTimeoutSeconds"] as const) {
    if (args[argument] === undefined) continue;
    throw new ProblemError(
      `${argument} is given beside existingDeployment, for which no create is sent: leave ${argument} out`,
    );
  }
  return source;
}
