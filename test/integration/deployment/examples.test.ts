import assert from "node:assert/strict";
import { isRecord } from "../../../provider/dynamic/values";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { startPostgres } from "../../../tools/local/postgres";
import type { Postgres } from "../../../tools/local/postgres-access";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { afterExample, Page } from "../../support/docs/page";
import { assertPicture } from "../../support/docs/picture";
import { Cluster, deploymentKinds, objectStorageKinds } from "../../support/end-to-end/cluster";
import { diagnostics, tracedRpcs } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { ExampleObjects } from "../../support/examples/objects";
import { ExampleWorkload } from "../../support/examples/workload";
import { insufficientPrivilege, PostgresContents, queryAs, refusedLogin } from "../../support/postgres/query";
import { Stack } from "../../support/stack";
import { assertInOrder } from "../../support/workflows/in-order";
import { Timeline } from "../../support/workflows/timeline";

const example = "deployments/bucket-and-database";
const workloadKind: KubernetesKind = { apiVersion: "apps/v1", kind: "Deployment", plural: "deployments" };
const watched = [workloadKind, secretKind].map((kind) => ({ kind, namespaced: false }));

type Environment = Readonly<Record<string, string>>;

describe("the example of a bucket and a database, on real backends and a real API server", function () {
  this.timeout(600_000);
  let store: Store;
  let postgres: Postgres;
  let cluster: Cluster;
  let admin: StoreAdmin;
  let contents: PostgresContents;
  let objects: ExampleObjects;
  let stack: Stack;
  /** Users of the store that the example has not made. */
  let usersBefore: readonly string[];
  /** What a container of the workload has in its environment. */
  let env: Environment;
  let up: string;
  let events: readonly string[];

  before(async () => {
    [store, postgres, cluster] = await Promise.all([
      startStore(),
      startPostgres(),
      Cluster.start({ controllerManager: true }),
    ]);
    admin = new StoreAdmin(store);
    contents = await PostgresContents.of(postgres);
    objects = new ExampleObjects(cluster, [...deploymentKinds, ...objectStorageKinds]);
    usersBefore = await admin.users();
    stack = await Stack.create(
      { example },
      {
        ...s3DriverEnvironment(store),
        ...postgres.environment,
        ...cluster.variables,
        ...quickProgram,
        PULUMI_COSI_TRACE: "1",
      },
    );
    const timeline = await Timeline.start(cluster.client, cluster.plane.kubeconfig, "default", watched);
    up = await stack.up();
    events = await timeline.texts();
    env = await environment();
  });
  after(async () => {
    await stack.remove();
    await admin.cleanUp();
    await Promise.all([store.stop(), postgres.stop(), cluster.stop()]);
  });

  const workload = async (): Promise<KubernetesObject> => {
    const [found] = await cluster.client.list(workloadKind, { namespace: "shop" });
    assert.ok(found);
    return found;
  };

  /** What the container has in its environment, as a kubelet would fill it. */
  async function environment(): Promise<Environment> {
    const { spec } = await workload();
    const template = isRecord(spec) && isRecord(spec["template"]) ? spec["template"] : {};
    const { containers } = template["spec"] as {
      containers: { envFrom: { secretRef: { name: string } }[] }[];
    };
    const sources = await Promise.all(
      (containers[0]?.envFrom ?? []).map(({ secretRef }) => objects.secret("shop", secretRef.name)),
    );
    return Object.assign({}, ...sources) as Environment;
  }

  const bucketClient = (): ExampleWorkload =>
    new ExampleWorkload(
      store,
      { ...env, endpoint: env["AWS_ENDPOINT_URL_S3"] ?? "", region: env["AWS_REGION"] ?? "" },
      { accessKeyId: "AWS_ACCESS_KEY_ID", secretAccessKey: "AWS_SECRET_ACCESS_KEY" },
    );

  it("makes one bucket, one database and an account of each, by one call each", async () => {
    assert.deepEqual(
      tracedRpcs(up)
        .filter((rpc) => rpc !== "DriverGetInfo")
        .toSorted(),
      [
        "DriverCreateBucket",
        "DriverCreateDeployment",
        "DriverGrantBucketAccess",
        "DriverGrantDeploymentAccess",
      ],
    );
    const outputs = await stack.outputs();
    assert.equal(await admin.bucketsNamed(String(outputs["bucket"])), 1);
    assert.deepEqual(await contents.databases(), [outputs["database"]]);
    assert.equal((await contents.logins()).length, 1);
    assert.doesNotMatch(diagnostics(up), /error/);
  });

  it("has a state of which the picture of its page is made", async () => {
    await assertPicture("bucket-and-database.svg", (await stack.state()).text);
  });

  it("gives one workload both in its environment, which is all that it needs", async () => {
    for (const key of Object.keys(env)) {
      if (key !== "BucketInfo") assert.match(key, /^[A-Z_][A-Z0-9_]*$/);
    }
    const bucket = env["BUCKET_NAME"] ?? "";
    await bucketClient().write(bucket, "cat", "meow");
    assert.equal(await bucketClient().read(bucket, "cat"), "meow");
    await queryAs(env, "CREATE TABLE orders (item text)");
    await queryAs(env, "INSERT INTO orders VALUES ('lamp')");
    assert.deepEqual(await queryAs(env, "SELECT item FROM orders"), [{ item: "lamp" }]);
    const { hostname, port, username, pathname } = new URL(env["DATABASE_URL"] ?? "");
    assert.deepEqual(
      [hostname, port, username, pathname],
      [env["PGHOST"], env["PGPORT"], env["PGUSER"], `/${env["PGDATABASE"] ?? ""}`],
    );
  });

  it("keeps the workload out of what belongs to others", async () => {
    const other = admin.name();
    await admin.makeBucket(other);
    await admin.put(other, "plan");
    await bucketClient().isKeptOut(other, "plan");
    for (const statement of ["CREATE DATABASE mine", "CREATE ROLE me", "SELECT * FROM pg_authid"]) {
      await assert.rejects(queryAs(env, statement), { code: insufficientPrivilege }, statement);
    }
  });

  it("says in each object what there is", async () => {
    const { deploymentName } = (await cluster.get(requestKind, "orders", "shop"))["status"] as {
      deploymentName: string;
    };
    const status = async (kind: KubernetesKind, name: string, namespace?: string): Promise<unknown> =>
      (await cluster.get(kind, name, namespace))["status"];
    assert.deepEqual(await status(requestKind, "orders", "shop"), { deploymentName, ready: true });
    const deploymentID = env["PGDATABASE"];
    assert.deepEqual(await status(deploymentKind, deploymentName), { deploymentID, ready: true });
    const accountID = env["PGUSER"];
    assert.deepEqual(await status(accessKind, "orders", "shop"), { accessGranted: true, accountID });
  });

  it("has the workload come up when both Secrets are there, and not before", async () => {
    const { metadata } = await workload();
    for (const secret of ["photos", "orders"]) {
      assertInOrder(events, `Secret ${secret} added`, `Deployment ${metadata.name} added`);
    }
  });

  it("has nothing to do in a second preview, with cluster and backends out of reach", async () => {
    const variables = {
      ...(await cluster.unreachable(stack.environment.folder)),
      PGHOST: "nowhere.invalid",
      S3_DRIVER_S3_ENDPOINT: "http://nowhere.invalid",
    };
    const preview = await stack.succeed(["preview", "--expect-no-changes"], variables);
    assert.deepEqual(tracedRpcs(preview), []);
  });

  it("goes on with the parts of its page, all of which can be planned", async () => {
    const page = new Page("docs/deployments.md");
    // The one that has to come before the first component cannot follow.
    const parts = page.programParts().filter((part) => !part.includes("install("));
    const other = await Stack.create({ source: afterExample(example, parts) }, quickProgram);
    try {
      const variables = await cluster.unreachable(other.environment.folder);
      const preview = await other.succeed(["preview"], { ...variables, PULUMI_COSI_TRACE: "1" });
      assert.deepEqual(tracedRpcs(preview), []);
      assert.match(preview, /DeploymentRequest ledger create/);
    } finally {
      await other.remove();
    }
  });

  it("stops a destroy at a database with tables, as the class says, and goes on once it is empty", async () => {
    const workloadBefore = await workload();
    const timeline = await Timeline.start(cluster.client, cluster.plane.kubeconfig, "kube-public", watched);
    await timeline.whenWatchable();
    await admin.remove(env["BUCKET_NAME"] ?? "", "cat");
    const refused = await stack.fail(["destroy", "--yes", "--skip-preview", "--continue-on-error"]);
    assert.match(refused, /DriverDeleteDeployment: FAILED_PRECONDITION: .*orders/);
    assert.deepEqual(await contents.databases(), [env["PGDATABASE"]]);
    await assert.rejects(queryAs(env, "SELECT 1"), { code: refusedLogin });
    const texts = await timeline.texts();
    for (const secret of ["photos", "orders"]) {
      assertInOrder(texts, `Deployment ${workloadBefore.metadata.name} deleted`, `Secret ${secret} deleted`);
    }

    const ofAdmin = { ...postgres.environment, PGDATABASE: env["PGDATABASE"] ?? "" };
    await queryAs(ofAdmin, "DROP TABLE orders");
    await stack.destroy();
    assert.deepEqual(await contents.databases(), []);
    assert.deepEqual(await contents.roles(), []);
    assert.deepEqual(
      (await admin.users()).filter((user) => !usersBefore.includes(user)),
      [],
    );
    assert.equal(await admin.bucketsNamed(env["BUCKET_NAME"] ?? ""), 0);
    assert.deepEqual(await objects.names(), []);
    assert.deepEqual(await objects.namespaces("shop"), []);
    assert.equal((await objects.definitions()).length, 10);
    assert.deepEqual((await stack.state()).resources, []);
  });
});

function kindNamed(name: string): KubernetesKind {
  const found = deploymentKinds.find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`there is no kind ${name}`);
  return found;
}

const requestKind = kindNamed("DeploymentRequest");
const deploymentKind = kindNamed("Deployment");
const accessKind = kindNamed("DeploymentAccess");
