import assert from "node:assert/strict";
import { startPostgres } from "../../../tools/local/postgres";
import type { Postgres } from "../../../tools/local/postgres-access";
import { OwnTemporaryFolder, type FoundProcess } from "../../support/end-to-end/leftovers";
import { hasStackTrace, tracedRpcs } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { insufficientPrivilege, PostgresContents, queryAs, refusedLogin } from "../../support/postgres/query";
import { recorded } from "../../support/end-to-end/recorded";
import { SecretScanner } from "../../support/end-to-end/secret-scanner";
import { Stack } from "../../support/stack";
import { eventually } from "../../support/stub-driver";

const traced = { PULUMI_COSI_TRACE: "1" };

/** A server that nobody can reach. */
const unusable = { PGHOST: "nowhere.invalid" };

/** Two databases with accounts, and what of the first one a test changes. */
const program = ({ parameters = `onDelete: "drop"`, protectData = "", rotation = "" } = {}): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("postgres", {
  contract: "deployment.v1alpha1", command: ["deployment-driver-postgres"],
});
const orders = new cosi.Deployment("orders", {
  driver, deletionPolicy: "Delete", waitUntilReady: true, parameters: { ${parameters} }, ${protectData}
});
const writer = new cosi.DeploymentAccess("orders-rw", {
  deployment: orders, parameters: { mode: "admin" }, ${rotation}
});
const reader = new cosi.DeploymentAccess("orders-ro", {
  deployment: orders, parameters: { mode: "readonly" },
});
const carts = new cosi.Deployment("carts", {
  driver, deletionPolicy: "Delete", parameters: { onDelete: "drop" },
});
const ofCarts = new cosi.DeploymentAccess("carts-rw", { deployment: carts, parameters: { mode: "admin" } });
export const database = orders.deploymentId;
export const otherDatabase = carts.deploymentId;
export const credentials = writer.credentials;
export const readerCredentials = reader.credentials;
export const otherCredentials = ofCarts.credentials;
`;

type Credentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Outputs {
  readonly database: string;
  readonly otherDatabase: string;
  readonly credentials: Credentials;
  readonly readerCredentials: Credentials;
  readonly otherCredentials: Credentials;
}

/** Runs a statement by what credentials say alone. */
function as(credentials: Credentials, sql: string, database?: string): Promise<unknown[]> {
  return queryAs(credentials["postgres"] ?? {}, sql, database);
}

describe("deployments without a cluster, as databases of a real PostgreSQL", function () {
  this.timeout(600_000);
  let postgres: Postgres;
  let contents: PostgresContents;
  let temporary: OwnTemporaryFolder;
  let stack: Stack;
  /** What every command printed, by its name. */
  const printed: Record<string, string> = {};

  before(async () => {
    [postgres, temporary] = await Promise.all([startPostgres(), OwnTemporaryFolder.create()]);
    contents = await PostgresContents.of(postgres);
    stack = await Stack.create(
      { source: program() },
      { ...postgres.environment, ...temporary.variables, ...quickProgram },
    );
  });
  after(async () => {
    await stack.remove();
    await postgres.stop();
    await temporary.remove();
  });

  describe("in its first preview", () => {
    let seen: FoundProcess[];

    before(async () => {
      const watched = await temporary.watch(() => stack.succeed(["preview"], { ...traced, ...unusable }));
      printed["the first preview"] = watched.result;
      seen = watched.seen;
    });

    it("shows what will be made, starts no driver and sends nothing [DEP-019]", () => {
      assert.match(printed["the first preview"] ?? "", /\+ 7 to create/);
      assert.ok(seen.length > 0, "the preview itself was not seen");
      assert.deepEqual(
        seen.filter(({ isDriver }) => isDriver),
        [],
      );
      assert.deepEqual(tracedRpcs(printed["the first preview"] ?? ""), []);
    });
  });

  describe("after up", () => {
    let outputs: Outputs;
    let state: Awaited<ReturnType<Stack["state"]>>;

    before(async () => {
      printed["up"] = await stack.up(traced);
      outputs = (await stack.outputs()) as unknown as Outputs;
      state = await stack.state();
    });

    it("has made each database and each account by one call, and asked once who the driver is [DEP-097]", () => {
      const counts = Map.groupBy(tracedRpcs(printed["up"] ?? ""), (rpc) => rpc);
      assert.deepEqual(Object.fromEntries([...counts].map(([rpc, calls]) => [rpc, calls.length])), {
        DriverGetInfo: 1,
        DriverCreateDeployment: 2,
        DriverGetDeploymentStatus: 1,
        DriverGrantDeploymentAccess: 3,
      });
    });

    it("gives a workload all that it needs to work with its database", async () => {
      const { credentials, readerCredentials } = outputs;
      await as(credentials, "CREATE TABLE cats (name text)");
      await as(credentials, "INSERT INTO cats VALUES ('minka')");
      assert.deepEqual(await as(readerCredentials, "SELECT name FROM cats"), [{ name: "minka" }]);
      await assert.rejects(as(readerCredentials, "DELETE FROM cats"), { code: insufficientPrivilege });
    });

    it("keeps every account out of the database of another deployment", async () => {
      await as(outputs.otherCredentials, "CREATE TABLE dogs ()");
      for (const [credentials, database] of [
        [outputs.credentials, outputs.otherDatabase],
        [outputs.readerCredentials, outputs.otherDatabase],
        [outputs.otherCredentials, outputs.database],
      ] as const) {
        await assert.rejects(as(credentials, "SELECT 1", database), { code: insufficientPrivilege });
      }
    });

    it("gives each account a password of its own, and none of them the administrator's", () => {
      const { credentials, readerCredentials, otherCredentials } = outputs;
      const all = [credentials, readerCredentials, otherCredentials].map((each) => each["postgres"] ?? {});
      const passwords = [...all.map(({ PGPASSWORD }) => PGPASSWORD), postgres.password];
      assert.equal(new Set(passwords).size, 4);
      assert.ok(all.every(({ PGUSER }) => PGUSER !== undefined && PGUSER !== postgres.user));
    });

    it("has an empty preview, before and after a refresh, with the server out of reach and without a call [DEP-019] [DEP-097]", async () => {
      const variables = { ...traced, ...unusable };
      for (const [name, args] of [
        ["the second preview", ["preview", "--diff", "--expect-no-changes"]],
        ["refresh", ["refresh", "--yes", "--skip-preview", "--diff"]],
        ["the preview after refresh", ["preview", "--json", "--expect-no-changes"]],
      ] as const) {
        printed[name] = await stack.succeed(args, variables);
        assert.deepEqual(tracedRpcs(printed[name] ?? ""), [], name);
      }
      assert.deepEqual(recorded(await stack.state()), recorded(state));
    });

    it("sends nothing in a second up [DEP-097]", async () => {
      printed["the second up"] = await stack.up({ ...traced, ...unusable });
      assert.deepEqual(tracedRpcs(printed["the second up"] ?? ""), []);
    });

    it("leaves no driver, no supervisor and no socket folder behind [DEP-078]", async () => {
      await eventually("no process of the run is left", () => temporary.processes().length === 0);
      assert.deepEqual(temporary.socketFolders(), []);
    });

    it("keeps every secret out of the state, the previews, the output of all commands and temporary files [DEP-068] [DEP-097]", () => {
      const { credentials, readerCredentials, otherCredentials } = outputs;
      const secrets = Object.entries({ credentials, readerCredentials, otherCredentials }).flatMap(
        ([name, { postgres: values = {} }]) => [
          [`password of ${name}`, values["PGPASSWORD"] ?? ""] as const,
          [`URL of ${name}`, values["DATABASE_URL"] ?? ""] as const,
        ],
      );
      const scanner = new SecretScanner({ ...Object.fromEntries(secrets), administrator: postgres.password });
      assert.deepEqual(scanner.find({ state: state.text, ...printed, ...temporary.files() }), []);
    });

    it("ends a rotated account after the new one is there, and the new one works", async () => {
      const before = outputs.credentials;
      stack.write(program({ rotation: `rotation: { trigger: "now" }` }));
      printed["rotation"] = await stack.up(traced);
      assert.deepEqual(
        tracedRpcs(printed["rotation"] ?? "").filter((rpc) => rpc !== "DriverGetInfo"),
        ["DriverGrantDeploymentAccess", "DriverRevokeDeploymentAccess"],
      );
      const { credentials } = (await stack.outputs()) as unknown as Outputs;
      await assert.rejects(as(before, "SELECT 1"), { code: refusedLogin });
      assert.deepEqual(await as(credentials, "SELECT name FROM cats"), [{ name: "minka" }]);
      assert.equal((await contents.logins()).length, 3);
    });

    it("refuses a change that would delete a database, until protectData is false in the state [DEP-018]", async () => {
      const changed = `onDelete: "drop", connectionLimit: "7"`;
      stack.write(program({ parameters: changed }));
      const refused = await stack.fail(["preview"], unusable);
      assert.match(
        refused,
        /the deployment orders-\w+ of driver .* would be replaced because of (name, )?parameters.*protectData/,
      );
      assert.equal((await contents.databases()).length, 2);

      stack.write(program({ protectData: "protectData: false" }));
      await stack.up();
      stack.write(program({ protectData: "protectData: false", parameters: changed }));
      const steps = (await stack.plannedSteps()).filter(({ op }) => op === "replace");
      const reasons = steps.map(({ urn, replaceReasons = [] }) => [urn.split("::").at(-1), replaceReasons]);
      assert.ok(
        reasons.some(([name, keys]) => name === "orders" && String(keys).includes("parameters")),
        JSON.stringify(reasons),
      );
      const up = await stack.up(traced);
      const rpcs = tracedRpcs(up).filter((rpc) => rpc !== "DriverGetInfo" && !rpc.endsWith("Status"));
      assert.ok(rpcs.indexOf("DriverDeleteDeployment") < rpcs.indexOf("DriverCreateDeployment"), rpcs.join());
      assert.doesNotMatch(up, /rpc \/\S*Update/);
      assert.equal((await contents.databases()).length, 2);
    });

    describe("and destroy", () => {
      before(async () => {
        outputs = (await stack.outputs()) as unknown as Outputs;
        printed["destroy"] = await stack.succeed(["destroy", "--yes", "--skip-preview"], traced);
      });

      it("has revoked every account before it deleted the databases [DEP-016]", () => {
        const rpcs = tracedRpcs(printed["destroy"] ?? "").filter((rpc) => rpc !== "DriverGetInfo");
        assert.deepEqual(rpcs.toSorted(), [
          ...Array.from({ length: 2 }, () => "DriverDeleteDeployment"),
          ...Array.from({ length: 3 }, () => "DriverRevokeDeploymentAccess"),
        ]);
        assert.equal(rpcs.at(-1), "DriverDeleteDeployment");
      });

      it("leaves no database and no account, and nothing in the state", async () => {
        assert.deepEqual(await contents.databases(), []);
        assert.deepEqual(await contents.roles(), []);
        await assert.rejects(as(outputs.credentials, "SELECT 1"), { code: refusedLogin });
        assert.deepEqual((await stack.state()).resources, []);
      });

      it("has printed no stack trace in all of this", () => {
        assert.deepEqual(
          Object.keys(printed).filter((command) => hasStackTrace(printed[command] ?? "")),
          [],
        );
      });
    });
  });
});
