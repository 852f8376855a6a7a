import type * as pulumi from "@pulumi/pulumi";
import type { Driver } from "../../provider/driver-resource/driver";
import type { Claim } from "../../provider/models/objectbucket/claim";
import type { ClaimId } from "../../provider/models/objectbucket/claim-id";
import type { ClaimClass } from "../../provider/models/objectbucket/class-parameters";
import type { ClaimOptions } from "./claim-options";

/** Names of the objects that belong to the claim. */
export interface ObjectNames {
  readonly secretName: pulumi.Output<string>;
  readonly configMapName: pulumi.Output<string>;
  readonly objectBucketName: pulumi.Output<string>;
}

/** What is certain about a claim once its object is there. */
export interface Settled {
  readonly claim: Claim;
  readonly id: pulumi.Output<ClaimId>;
  readonly reference: {
    readonly namespace: pulumi.Output<string>;
    readonly name: pulumi.Output<string>;
    readonly uid: pulumi.Output<string>;
  };
  /** What was taken from the class; secret as a whole where a parameter is. */
  readonly copy: pulumi.Output<ClaimClass>;
  readonly names: ObjectNames;
  readonly driver: Driver;
  readonly options: ClaimOptions;
}

/** What a driver has granted. */
export interface Granted {
  /** What comes after it depends on this. */
  readonly resource: pulumi.Resource;
  readonly accountId: pulumi.Output<string>;
  readonly bucketId: pulumi.Output<string>;
  /** As the driver reports it; `null` if it has the name that was sent. */
  readonly bucketName: pulumi.Output<string | null>;
  readonly accessKeyId: pulumi.Output<string>;
  readonly secretAccessKey: pulumi.Output<string>;
  /** As the driver reports it. */
  readonly endpoint: pulumi.Output<string | null>;
  readonly region: pulumi.Output<string | null>;
  /** Changes with the keys. */
  readonly checksum: pulumi.Output<string | null>;
}
