/** How one resource of the TypeScript package is told to other languages. */
export interface DescribedResource {
  /** Class, and last part of the token. */
  readonly type: string;
  /** File of class and arguments, from the repository. */
  readonly file: string;
  /** Inputs of which TypeScript takes a resource, and the others its output `reference`: by the resource's type. */
  readonly references: Readonly<Record<string, string>>;
  /** Inputs that are a second name of another one, for programs that exist. */
  readonly otherNames: readonly string[];
  readonly secretInputs: readonly string[];
  readonly secretOutputs: readonly string[];
  /** Other resources take what this one's output `reference` tells. */
  readonly isReferred: boolean;
}

const none = { references: {}, otherNames: [], secretInputs: [], secretOutputs: [], isReferred: false };

/** All of them. */
export const describedResources: readonly DescribedResource[] = [
  {
    ...none,
    type: "Driver",
    file: "provider/driver-resource/driver.ts",
    secretInputs: ["environment"],
    isReferred: true,
  },
  {
    ...none,
    type: "Bucket",
    file: "provider/bucket/bucket.ts",
    references: { driver: "Driver" },
    secretOutputs: ["credentials"],
    isReferred: true,
  },
  {
    ...none,
    type: "BucketAccess",
    file: "provider/bucket-access/bucket-access.ts",
    references: { bucket: "Bucket", driver: "Driver" },
    secretInputs: ["existingAccount"],
    secretOutputs: ["credentials", "accessKeyId", "accessSecretKey", "accessToken", "issued"],
  },
  {
    ...none,
    type: "Deployment",
    file: "provider/deployment/deployment.ts",
    references: { driver: "Driver" },
    otherNames: ["deploymentName", "deploymentContext"],
    isReferred: true,
  },
  {
    ...none,
    type: "DeploymentAccess",
    file: "provider/deployment-access/deployment-access.ts",
    references: { deployment: "Deployment", driver: "Driver" },
    secretInputs: ["existingAccount"],
    secretOutputs: ["credentials"],
  },
];
