import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { reportText } from "../../conformance/report-text";
import { paths } from "../support/cosi-v1alpha1";
import { Refusal, type Fault } from "./support/memory-driver";
import type { Interceptor } from "./support/serve";
import { idsWith, TestedDriver } from "./support/tested-driver";
import { trialScript } from "./support/trial-script";

const contract = "deployment.v1alpha1";

describe("the conformance check of the Deployment Interface", function () {
  this.timeout(120_000);
  let tested: TestedDriver | undefined;

  const start = async (faults: readonly Fault[] = [], intercept?: Interceptor): Promise<TestedDriver> => {
    tested = await TestedDriver.start(faults, intercept, { contract });
    return tested;
  };

  afterEach(async () => {
    await tested?.stop();
    tested = undefined;
  });

  it("speaks of deployments, with the names of this contract and of its specification [DEP-090]", async () => {
    const report = await (await start(["NOT_FOUND on a repeated delete", "over-limit ids"])).run();
    const text = reportText(report);
    assert.match(text, /^Driver memory\.example\.com at unix:.*, contract deployment\.v1alpha1\n/);
    assert.match(text, /sent {6}DriverDeleteDeployment \{"deploymentId":"cosi-conformance-/);
    assert.match(text, /sent {6}deployment_id of DriverCreateDeployment\n/);
    assert.match(text, /demanded {2}OK \(0\): the deployment is gone, which is what the call asks for\n/);
    assert.match(text, /see {7}Deployment Interface, Size Limits\n/);
    const spoken = (text + JSON.stringify(report)).replaceAll(/cosi-conformance-|cosi-/g, "");
    assert.doesNotMatch(spoken, /bucket|COSI|GRPC-/i);
  });

  it("says what of a duty was not seen: of a revoke, whether the credential is refused [DEP-090]", async () => {
    const { lines } = await (await start()).run();
    const revoke = lines.find(({ id }) => id === "DEP-027");
    assert.equal(revoke?.status, "pass");
    assert.equal(
      revoke.reason,
      "that the credential of a revoked access is refused: only the backend can tell, see with --try-credentials",
    );
    const adopted = lines.find(({ id }) => id === "DEP-023");
    assert.equal(adopted?.status, "skipped");
    assert.match(adopted.reason ?? "", /^needs the backend: a deployment that somebody else has made there$/);
  });

  it("passes a driver without grants, as later forms of the contract have none, with a warning [DEP-090]", async () => {
    const driver = await start([], (path) =>
      path === paths.grant || path === paths.revoke
        ? new Refusal(status.UNIMPLEMENTED, "not offered")
        : undefined,
    );
    const report = await driver.run();
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.deepEqual(idsWith(report, "warning"), ["DEP-083"]);
    assert.equal(report.compliant, true);
    const grant = report.lines.find(({ id }) => id === "DEP-025");
    assert.match(grant?.reason ?? "", /DriverGrantDeploymentAccess was answered: UNIMPLEMENTED \(12\)/);
  });

  it("lists what it could not remove, accounts with their deployment, and removes the rest [DEP-090]", async () => {
    const driver = await start([], (path, body) =>
      path === paths.revoke && body.includes("cosi-conformance")
        ? new Refusal(status.PERMISSION_DENIED, "accounts are locked")
        : undefined,
    );
    const report = await driver.run();
    const { buckets, accounts } = driver.driver.state;
    assert.deepEqual([...buckets.keys()], []);
    assert.ok(accounts.size > 0);
    assert.deepEqual(
      report.leftovers.map(({ kind, id }) => [kind, id]).sort(),
      [...accounts.keys()].map((name) => ["account", name]).sort(),
    );
    assert.ok(
      report.leftovers.every(({ deploymentId = "" }) => deploymentId.startsWith("cosi-conformance-")),
    );
    assert.match(
      reportText(report),
      /NOT REMOVED \(\d+\): remove these at the backend\n {2}account \S+ of deployment cosi-conformance-/,
    );
  });

  it("shows no credential and no value of a parameter, whatever the driver says [DEP-090]", async () => {
    const driver = await start([
      "ALREADY_EXISTS on an equal create",
      "shared credentials",
      "every type is granted",
    ]);
    const issued = new Set<string>();
    driver.driver.onChange = () => {
      for (const { key } of driver.driver.state.accounts.values()) issued.add(key.secret).add(key.id);
    };
    const token = "parameter-value-that-is-secret";
    const parameters = new Map([["token", token]]);
    const report = await driver.run({ parameters, accessParameters: parameters });
    const texts = reportText(report) + JSON.stringify(report);
    assert.ok(issued.size > 0);
    for (const secret of [...issued, token]) assert.equal(texts.includes(secret), false);
    assert.match(texts, /\["token"\]/);
    assert.deepEqual([...driver.driver.state.buckets.keys()], []);
    assert.deepEqual([...driver.driver.state.accounts.keys()], []);
  });

  describe("of a driver that tells the status of deployments", () => {
    const startTelling = async (faults: readonly Fault[] = []): Promise<TestedDriver> => {
      tested = await TestedDriver.start(faults, undefined, { contract, tellsStatus: true });
      return tested;
    };

    it("passes one that does so for each id and no other, and skips the line where the call is missing [DEP-090]", async () => {
      const report = await (await startTelling()).run();
      assert.ok(idsWith(report, "pass").includes("DEP-014"));
      await tested?.stop();
      const without = await (await start()).run();
      const line = without.lines.find(({ id }) => id === "DEP-014");
      assert.equal(line?.status, "skipped");
      assert.match(line.reason ?? "", /does not have DriverGetDeploymentStatus, as it may/);
      assert.ok(idsWith(without, "pass").includes("DEP-083"));
    });

    const faults: readonly Fault[] = [
      "status of another id",
      "status without a word",
      "status of what is gone",
    ];
    for (const fault of faults) {
      it(`warns of the fault "${fault}" under DEP-014, which is no MUST [DEP-090]`, async () => {
        const report = await (await startTelling([fault])).run();
        assert.deepEqual(idsWith(report, "warning"), ["DEP-014"]);
        assert.deepEqual(idsWith(report, "fail"), []);
        assert.equal(report.compliant, true);
      });
    }
  });

  describe("with a program that tries the credentials", () => {
    let folder: string;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "conformance-trial-"));
    });

    afterEach(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    it("judges by what RPCs show, and says why, where the program cannot tell [DEP-090]", async () => {
      const driver = await start();
      const broken = trialScript(folder, "process.exit(7)");
      for (const [tryCredentials, said] of [
        [
          broken,
          /only the backend can tell, but \S+ could not tell for account \S+: it ended with exit status 7/,
        ],
        [join(folder, "nothing"), /only the backend can tell, but \S+ could not be started: /],
      ] as const) {
        const report = await driver.run({ tryCredentials });
        assert.deepEqual(idsWith(report, "fail"), []);
        const revoke = report.lines.find(({ id }) => id === "DEP-027");
        assert.equal(revoke?.status, "pass");
        assert.match(revoke.reason ?? "", said);
      }
    });
  });
});

describe("the conformance check of database.v1alpha1", function () {
  this.timeout(120_000);

  for (const { faults, failed } of [
    { faults: [], failed: [] },
    { faults: ["NOT_FOUND on a repeated delete"], failed: ["DEP-024"] },
  ] as const) {
    it(`judges a driver of ${faults.join(", ") || "no fault"} by the same duties, under the names of that package [DEP-090]`, async () => {
      const tested = await TestedDriver.start(faults, undefined, { contract: "database.v1alpha1" });
      try {
        const report = await tested.run(tested.looking());
        assert.equal(report.contract, "database.v1alpha1");
        assert.deepEqual(idsWith(report, "fail"), failed);
        assert.ok(idsWith(report, "pass").includes("DEP-043"));
        assert.deepEqual([...tested.driver.state.buckets.keys()], []);
      } finally {
        await tested.stop();
      }
    });
  }
});
