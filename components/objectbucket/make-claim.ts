import * as pulumi from "@pulumi/pulumi";
import type { Driver } from "../../provider/driver-resource/driver";
import { defaultAllowedConfig } from "../../provider/models/objectbucket/additional-config";
import { AdoptedClaim } from "../../provider/models/objectbucket/adopted-claim";
import { Claim } from "../../provider/models/objectbucket/claim";
import { provisionerOfDriver } from "../../provider/models/objectbucket/class-parameters";
import { objectBucketNameOf } from "../../provider/models/objectbucket/names";
import type { ObjectScope } from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import { referenceNamed } from "../kubernetes/named-values";
import { judge } from "../kubernetes/scope";
import type { ObjectBucketClaimArgs } from "./claim-args";
import type { ObjectNames, Settled } from "./settled-claim";
import { provisionerNamed } from "./values";

/** Namespace and name of a claim. */
export interface ClaimName {
  readonly namespace: pulumi.Output<string>;
  readonly claimName: pulumi.Output<string>;
}

/** Names of the objects of a claim. */
export function namesOf(
  scope: ObjectScope,
  args: ObjectBucketClaimArgs,
  { namespace, claimName }: ClaimName,
): ObjectNames {
  const named = (argument: "secretName" | "configMapName"): pulumi.Output<string> =>
    args[argument] === undefined
      ? claimName
      : judge<unknown, string>(scope, args[argument], (value) => referenceNamed(argument, value));
  return {
    secretName: named("secretName"),
    configMapName: named("configMapName"),
    objectBucketName: pulumi
      .all([namespace, claimName])
      .apply(([ofClaim, name]) => objectBucketNameOf({ namespace: ofClaim, name }, args.objectBucketNaming)),
  };
}

/** The claim itself, with what is taken from its class. */
export function makeClaim(
  scope: ObjectScope,
  args: ObjectBucketClaimArgs,
  { namespace, claimName }: ClaimName,
  { driver, options, names }: Pick<Settled, "driver" | "options" | "names">,
): Claim {
  const { component, logicalName, resource, installation } = scope;
  const { storageClass } = args;
  const optionals = {
    labels: args.labels,
    annotations: args.annotations,
    bucketName: args.bucketName,
    generateBucketName: args.generateBucketName,
    additionalConfig: args.additionalConfig,
    configChange: args.configChange,
    protectData: args.protectData,
  };
  return new Claim(
    logicalName,
    {
      kubernetes: installation.target,
      owner: installation.owner,
      resource,
      namespace,
      name: claimName,
      ...(scope.hasDefaultName ? { isDefaultName: true } : {}),
      ...Object.fromEntries(Object.entries(optionals).filter(([, value]) => value !== undefined)),
      ...(storageClass === undefined ? {} : { storageClass: storageClass.copy() }),
      storageClassName:
        storageClass?.className ??
        judge<unknown, string>(scope, args.storageClassName, (value) =>
          referenceNamed("storageClassName", value),
        ),
      provisioner: provisionerOf(scope, args, driver),
      driverName: driver.driverName,
      naming: args.naming ?? "prefixAndUid",
      preferBucketName: args.bothNames === "preferBucketName",
      brownfield: args.brownfield ?? false,
      allowedAdditionalConfig: [
        ...(storageClass?.allowedAdditionalConfig ?? args.allowedAdditionalConfig ?? defaultAllowedConfig),
      ],
      allowOperatorProvisioner: args.allowOperatorProvisioner ?? storageClass !== undefined,
      ...names,
      dialect: args.dialect ?? "rook",
      adopt: options.adopt,
      takesBucket: args.onExistingBucket === "adopt",
      warnings: options.warnings,
    },
    {
      parent: component,
      ...ignoring(scope, carriedAs("additionalConfig", "annotations", "labels", "protectData")),
      dependsOn: [installation.definitions, ...(storageClass === undefined ? [] : [storageClass])],
    },
  );
}

/** The provisioner that a class must have for the driver to serve its claims. */
function provisionerOf(
  scope: ObjectScope,
  { storageClass, provisioner }: ObjectBucketClaimArgs,
  driver: Driver,
): pulumi.Output<string> {
  if (storageClass !== undefined) return storageClass.provisioner;
  if (provisioner !== undefined) {
    return judge<unknown, string>(scope, provisioner, (value) => provisionerNamed(value, true));
  }
  return driver.driverName.apply(provisionerOfDriver);
}

/** What a claim that is adopted has. */
export function adopt({ component, logicalName, installation }: ObjectScope, settled: Settled): AdoptedClaim {
  const { claim, reference, names } = settled;
  return new AdoptedClaim(
    logicalName,
    {
      kubernetes: installation.target,
      claim: reference,
      objectBucketName: claim.objectBucketName,
      secretName: names.secretName,
      configMapName: names.configMapName,
    },
    { parent: component, dependsOn: [claim] },
  );
}
