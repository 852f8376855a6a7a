import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { text } from "node:stream/consumers";
import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import {
  configMapKind,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import {
  modelName,
  objectBucketClaimKind,
  objectBucketKind,
  storageClassKind,
} from "../../../provider/models/objectbucket/kinds";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import {
  makeFolders,
  startDriver,
  type DriverProcess,
  type Folders,
} from "../../drivers/s3/support/driver-process";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { StoreUser } from "../../drivers/s3/support/store-user";
import { Cluster } from "../../support/end-to-end/cluster";
import { diagnostics, tracedRpcs } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import {
  configMapOf,
  listOf,
  obcOf,
  obOf,
  rookClaim,
  secretOf,
  type RookClaim,
} from "../../support/objectbucket/rook-claim";
import { Stack } from "../../support/stack";

const tool = path.join(__dirname, "..", "..", "..", "dist", "cli", "main.js");
const { namespace } = rookClaim;

describe("moving in: claims of Rook that a program takes as they are", function () {
  this.timeout(600_000);
  let store: Store;
  let admin: StoreAdmin;
  let cluster: Cluster;
  let folders: Folders;
  let driver: DriverProcess;
  let closeClient: () => void;
  let stack: Stack;
  let user: StoreUser;
  let claim: RookClaim;

  before(async () => {
    [store, cluster] = await Promise.all([startStore(), Cluster.start({ controllerManager: true })]);
    admin = new StoreAdmin(store);
    const kubernetes = { kubeconfig: cluster.plane.kubeconfig };
    await definitions.create({ kubernetes, model: modelName, owner: "organization/base/test" });
    await cluster.createNamespace(namespace);
    folders = makeFolders();
    const started = await startDriver(folders.socket, {
      env: { PATH: process.env["PATH"] ?? "", ...s3DriverEnvironment(store) },
      workFolder: folders.workFolder,
    });
    driver = started.driver;
    closeClient = () => {
      started.client.close();
    };
    claim = await makeClaim();
    await makePendingClaim();
    stack = await Stack.create({ source: "" }, { ...cluster.variables, PULUMI_COSI_TRACE: "1" });
  });
  after(async () => {
    await stack.remove();
    closeClient();
    await driver.stop();
    folders.remove();
    await user.remove();
    await admin.cleanUp();
    await Promise.all([store.stop(), cluster.stop()]);
  });

  /** What Rook's operator leaves of a claim: bucket and user in the store, and five objects. */
  async function makeClaim(): Promise<RookClaim> {
    const bucketName = admin.name();
    await admin.makeBucket(bucketName);
    user = await StoreUser.make(admin, `obc-${namespace}-${bucketName}`);
    await user.letInto(bucketName);
    const { accessKeyId, secretAccessKey } = await user.s3.config.credentials();
    const { hostname, port } = new URL(store.endpoint);
    const known = {
      ...rookClaim,
      bucketName,
      user: user.name,
      accessKeyId,
      secretAccessKey,
      host: hostname,
      port: Number(port),
    };
    await cluster.client.create(storageClassKind, {
      metadata: { name: known.storageClassName },
      provisioner: "rook-ceph.ceph.rook.io/bucket",
      reclaimPolicy: "Delete",
      parameters: { objectStoreName: "my-store", objectStoreNamespace: "rook-ceph" },
    });
    const { metadata } = await cluster.client.create(objectBucketClaimKind, obcOf({ ...known, uid: "" }));
    const made = { ...known, uid: metadata.uid ?? "" };
    await cluster.client.create(secretKind, secretOf(made));
    await cluster.client.create(configMapKind, configMapOf(made));
    const objectBucket = await cluster.client.create(objectBucketKind, obOf(made));
    await cluster.client.patchStatus(objectBucketKind, objectBucket.metadata, { phase: "Bound" });
    await cluster.client.patchStatus(objectBucketClaimKind, metadata, { phase: "Bound" });
    return made;
  }

  /** A claim that the operator has not bound. */
  async function makePendingClaim(): Promise<void> {
    const { metadata } = await cluster.client.create(
      objectBucketClaimKind,
      obcOf({ ...rookClaim, name: "later", uid: "" }),
    );
    await cluster.client.patchStatus(objectBucketClaimKind, metadata, { phase: "Pending" });
  }

  /** What `kubectl get obc,ob,sc -A -o json` writes. */
  async function listing(): Promise<string> {
    const kinds = [objectBucketClaimKind, objectBucketKind, storageClassKind];
    const lists = kinds.map(async ({ apiVersion, kind, ...names }) =>
      (await cluster.client.list({ apiVersion, kind, ...names })).map((object) => ({
        ...object,
        apiVersion,
        kind,
      })),
    );
    return listOf((await Promise.all(lists)).flat());
  }

  /** Runs the tool as its user does, with what kubectl has written piped in. */
  async function runTool(input: string, folder: string) {
    const args = ["import-claims", "--endpoint", `unix://${folders.socket}`, "--out", folder];
    const child = spawn(process.execPath, [tool, ...args], { stdio: "pipe" });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    child.stdin.end(input);
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { out, err, code };
  }

  const objectOf = (kind: KubernetesKind, name = claim.name): Promise<KubernetesObject> =>
    cluster.get(kind, name, kind === objectBucketKind ? undefined : namespace);
  const fourObjects = (): Promise<KubernetesObject[]> =>
    Promise.all([
      objectOf(objectBucketClaimKind),
      objectOf(secretKind),
      objectOf(configMapKind),
      objectOf(objectBucketKind, `obc-${namespace}-${claim.name}`),
    ]);
  const versions = async (): Promise<(string | undefined)[]> =>
    (await fourObjects()).map(({ metadata }) => `${metadata.uid ?? ""} ${metadata.resourceVersion ?? ""}`);
  /** Calls of the Provisioner that the driver's log tells of. */
  const provisionerCalls = (): string[] =>
    driver.stderr.match(/Driver(Create|Grant|Revoke|Delete)\w+/g) ?? [];

  it("the tool writes a program for the bound claim, and names the other one", async () => {
    for (const name of fs.readdirSync(stack.folder)) {
      if (name !== "node_modules") fs.rmSync(path.join(stack.folder, name), { recursive: true });
    }
    const { out, err, code } = await runTool(await listing(), stack.folder);
    assert.equal(code, 1);
    assert.equal(err.match(/^left out: /gm)?.length, 1);
    assert.match(err, /^left out: ObjectBucketClaim shop\/later has the phase "Pending"/m);
    assert.match(out, /^1 claim in /);
    const { claims } = JSON.parse(fs.readFileSync(path.join(stack.folder, "claims.json"), "utf8")) as {
      claims: Record<string, unknown>[];
    };
    assert.equal(claims[0]?.["bucketName"], claim.bucketName);
    await stack.succeed(["stack", "init", "test"]);
  });

  it("up, with the types of the program checked, takes it: no call, and no object is written", async () => {
    const before = await versions();
    const objects = await fourObjects();
    await stack.succeed(["preview"], quickProgram);
    const up = await stack.up();
    assert.deepEqual(
      tracedRpcs(up).filter((rpc) => rpc !== "DriverGetInfo"),
      [],
    );
    assert.deepEqual(provisionerCalls(), []);
    assert.doesNotMatch(diagnostics(up), /warning/);
    assert.deepEqual(await versions(), before);
    assert.deepEqual(await fourObjects(), objects);
    const { resources } = await stack.state();
    const ours = resources.filter(({ type }) => type === "cosi:objectbucket:ObjectBucketClaim");
    assert.deepEqual(
      ours.map(({ urn }) => urn.split("::").at(-1)),
      [`${namespace}-${claim.name}`],
    );
  });

  it("has nothing to do after that, with and without a refresh [OBC-082]", async () => {
    const before = await versions();
    for (const args of [[], ["--refresh"]]) {
      await stack.succeed(["preview", "--expect-no-changes", ...args], quickProgram);
    }
    await stack.up(quickProgram);
    assert.deepEqual(await versions(), before);
    assert.deepEqual(provisionerCalls(), []);
  });

  it("needs the class of the claim no more", async () => {
    const before = await versions();
    const { uid = "" } = (await cluster.get(storageClassKind, claim.storageClassName)).metadata;
    await cluster.client.delete(storageClassKind, { name: claim.storageClassName }, { uid });
    await stack.succeed(["preview", "--expect-no-changes", "--refresh"], quickProgram);
    await stack.up(quickProgram);
    assert.deepEqual(await versions(), before);
  });

  it("is handed back out of the state, and taken once more, with nothing written [OBC-075]", async () => {
    const before = await versions();
    const { resources } = await stack.state();
    const urn = resources.find(({ type }) => type === "cosi:objectbucket:ObjectBucketClaim")?.urn ?? "";
    await stack.succeed(["state", "delete", urn, "--target-dependents", "--yes"]);
    const file = path.join(stack.folder, "claims.json");
    const list = fs.readFileSync(file, "utf8");
    const { driver: called } = JSON.parse(list) as { driver: object };
    fs.writeFileSync(file, JSON.stringify({ driver: called, claims: [] }));
    await stack.up(quickProgram);
    assert.deepEqual(await versions(), before);
    fs.writeFileSync(file, list);
    await stack.up(quickProgram);
    assert.deepEqual(await versions(), before);
    assert.deepEqual(provisionerCalls(), []);
  });

  it("leaves the keys of the claim's workloads as they are", async () => {
    assert.deepEqual(await admin.keysOf(user.name), [claim.accessKeyId]);
    assert.ok(await user.mayUse(claim.bucketName));
  });

  it("writes what somebody takes out of the Secret, without a call [OBC-081]", async () => {
    const { data } = await objectOf(secretKind);
    const reference = { namespace, name: claim.name };
    await cluster.client.patch(secretKind, reference, { data: { AWS_SECRET_ACCESS_KEY: null } });
    await stack.succeed(["up", "--yes", "--skip-preview", "--refresh"], quickProgram);
    assert.deepEqual((await objectOf(secretKind))["data"], data);
    assert.deepEqual(provisionerCalls(), []);
  });

  it("destroy ends the four objects, and neither bucket nor account", async () => {
    assert.deepEqual(
      tracedRpcs(await stack.destroy(quickProgram)).filter((rpc) => rpc !== "DriverGetInfo"),
      [],
    );
    for (const kind of [objectBucketClaimKind, secretKind, configMapKind]) {
      assert.equal(await cluster.client.get(kind, { namespace, name: claim.name }), undefined);
    }
    assert.deepEqual(await cluster.client.list(objectBucketKind), []);
    assert.ok(await user.mayUse(claim.bucketName));
    assert.deepEqual(provisionerCalls(), []);
    assert.ok(await cluster.client.get(objectBucketClaimKind, { namespace, name: "later" }));
  });
});
