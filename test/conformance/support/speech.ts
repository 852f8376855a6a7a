import { paths as cosiPaths } from "../../support/cosi-v1alpha1";

/** Contracts whose messages are those of cosi.v1alpha1 under other names. */
export type SpokenContract = "cosi.v1alpha1" | "deployment.v1alpha1" | "database.v1alpha1";

/** How a fake driver speaks a contract; written down here once more, so that a slip of the package's own tables shows. */
export interface Speech {
  readonly object: string;
  readonly idField: string;
  readonly endpointVariable: string;
  readonly paths: Readonly<Record<keyof typeof cosiPaths, string>>;
  readonly statusPath: string | undefined;
}

export const speeches: Readonly<Record<SpokenContract, Speech>> = {
  "cosi.v1alpha1": {
    object: "bucket",
    idField: "bucket_id",
    endpointVariable: "COSI_ENDPOINT",
    paths: cosiPaths,
    statusPath: undefined,
  },
  "deployment.v1alpha1": {
    object: "deployment",
    idField: "deployment_id",
    endpointVariable: "Deployment_ENDPOINT",
    paths: {
      getInfo: "/deployment.v1alpha1.Identity/DriverGetInfo",
      create: "/deployment.v1alpha1.Provisioner/DriverCreateDeployment",
      delete: "/deployment.v1alpha1.Provisioner/DriverDeleteDeployment",
      grant: "/deployment.v1alpha1.Provisioner/DriverGrantDeploymentAccess",
      revoke: "/deployment.v1alpha1.Provisioner/DriverRevokeDeploymentAccess",
    },
    statusPath: "/deployment.v1alpha1.Provisioner/DriverGetDeploymentStatus",
  },
  "database.v1alpha1": {
    object: "database",
    idField: "database_id",
    endpointVariable: "Deployment_ENDPOINT",
    paths: {
      getInfo: "/database.v1alpha1.Identity/DriverGetInfo",
      create: "/database.v1alpha1.Provisioner/DriverCreateDatabase",
      delete: "/database.v1alpha1.Provisioner/DriverDeleteDatabase",
      grant: "/database.v1alpha1.Provisioner/DriverGrantDatabaseAccess",
      revoke: "/database.v1alpha1.Provisioner/DriverRevokeDatabaseAccess",
    },
    statusPath: "/database.v1alpha1.Provisioner/DriverGetDatabaseStatus",
  },
};
