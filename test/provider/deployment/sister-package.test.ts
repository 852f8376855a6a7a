import assert from "node:assert/strict";
import type { ContractName } from "../../../provider/contracts/contract";
import { provider as deploymentAccessProvider } from "../../../provider/deployment-access/provider";
import { provider as deploymentProvider } from "../../../provider/deployment/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { answers } from "../../support/cosi-v1alpha1";
import { Http2Recorder } from "../../support/http2-recorder";
import { Lifecycle } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const bytes = (text: string): Buffer => Buffer.from(text, "hex");

/** Paths of both packages, written out. */
const served = {
  "deployment.v1alpha1": {
    info: "/deployment.v1alpha1.Identity/DriverGetInfo",
    create: "/deployment.v1alpha1.Provisioner/DriverCreateDeployment",
    status: "/deployment.v1alpha1.Provisioner/DriverGetDeploymentStatus",
    grant: "/deployment.v1alpha1.Provisioner/DriverGrantDeploymentAccess",
    revoke: "/deployment.v1alpha1.Provisioner/DriverRevokeDeploymentAccess",
    delete: "/deployment.v1alpha1.Provisioner/DriverDeleteDeployment",
  },
  "database.v1alpha1": {
    info: "/database.v1alpha1.Identity/DriverGetInfo",
    create: "/database.v1alpha1.Provisioner/DriverCreateDatabase",
    status: "/database.v1alpha1.Provisioner/DriverGetDatabaseStatus",
    grant: "/database.v1alpha1.Provisioner/DriverGrantDatabaseAccess",
    revoke: "/database.v1alpha1.Provisioner/DriverRevokeDatabaseAccess",
    delete: "/database.v1alpha1.Provisioner/DriverDeleteDatabase",
  },
} as const;

describe("the packages deployment.v1alpha1 and database.v1alpha1", () => {
  const deployment = new Lifecycle(deploymentProvider);
  const access = new Lifecycle(deploymentAccessProvider);

  beforeEach(beginRun);
  afterEach(closeConnections);

  /** Paths and bodies of a life of a deployment and an access, as they come at a server that knows no gRPC. */
  async function requests(contract: ContractName & keyof typeof served): Promise<[string, string][]> {
    const { info, create, grant, status } = served[contract];
    const name = answers.info();
    assert.ok(name instanceof Uint8Array);
    const recorder = await new Http2Recorder({
      [info]: name,
      [create]: bytes("0a026231"),
      [status]: bytes("0a02623112020801"),
      [grant]: bytes("0a017512100a046372656412080a060a0161120162"),
    }).start();
    try {
      beginRun();
      const driver = driverReference(recorder.endpoint, { contract });
      const parameters = { k: "v" };
      const given = { driver, logicalName: "b1", name: "b1", parameters };
      const made = await deployment.create({ ...given, deletionPolicy: "Delete", waitUntilReady: true });
      const { deploymentId } = made.outputs;
      const ofIt = { driver, logicalName: "a", name: "a", deploymentName: "b1", deploymentId, parameters };
      const granted = await access.create(ofIt);
      assert.deepEqual(granted.outputs["credentials"], { cred: { a: "b" } });
      beginRun();
      await access.delete(granted.outputs);
      await deployment.delete(made.outputs);
      return recorder.requests.map(({ path, body }) => [path, body.toString("hex")]);
    } finally {
      await closeConnections();
      recorder.stop();
    }
  }

  it("get equal bytes under paths of their own, those of the specification [DEP-002] [DEP-089]", async () => {
    const bodies = ["", "0a02623112060a016b120176", "0a026231", "0a026231120161180122060a016b120176"];
    const last = ["0a0262311201751a060a016b120176", "0a02623112060a016b120176"];
    for (const contract of ["deployment.v1alpha1", "database.v1alpha1"] as const) {
      const paths = Object.values(served[contract]);
      assert.deepEqual(
        await requests(contract),
        paths.map((path, n) => [path, [...bodies, ...last][n]]),
      );
    }
  });
});
