import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { request, type RequestOptions } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

import { startControlPlane } from "../../tools/local/control-plane";
import type { ControlPlane } from "../../tools/local/control-plane-access";

const START_TIMEOUT_MS = 120_000;

interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Sends a request as what the kubeconfig says.
 *
 * @param token - Instead of the administrator's; none is sent when empty.
 */
async function call(
  plane: ControlPlane,
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<Answer> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(plane.kubeconfig);
  const cluster = config.getCurrentCluster();
  assert.ok(cluster);
  if (token !== undefined) config.loadFromClusterAndUser(cluster, { name: "somebody", token });
  const options: RequestOptions = { method, headers: { "content-type": "application/json" } };
  await config.applyToHTTPSOptions(options);
  return new Promise((resolve, reject) => {
    const sent = request(`${cluster.server}/api/v1/${path}`, options, (response) => {
      text(response).then((answer) => {
        resolve({ status: response.statusCode ?? 0, body: answer });
      }, reject);
    });
    sent.once("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function create(plane: ControlPlane, path: string, metadata: object): Promise<unknown> {
  const { status, body } = await call(plane, "POST", path, { metadata });
  assert.equal(status, 201, body);
  return JSON.parse(body);
}

async function until(status: number, plane: ControlPlane, path: string): Promise<void> {
  while ((await call(plane, "GET", path)).status !== status) await sleep(100);
}

function uidOf(object: unknown): string {
  assert.ok(object !== null && typeof object === "object" && "metadata" in object);
  const { metadata } = object;
  assert.ok(metadata !== null && typeof metadata === "object" && "uid" in metadata);
  return String(metadata.uid);
}

describe("a control plane", function () {
  this.timeout(START_TIMEOUT_MS);
  const planes: ControlPlane[] = [];
  const plane = (index: 0 | 1): ControlPlane => {
    const found = planes[index];
    assert.ok(found);
    return found;
  };

  before(async () => {
    planes.push(
      ...(await Promise.all([startControlPlane(), startControlPlane({ controllerManager: false })])),
    );
  });
  after(() => Promise.all(planes.map((each) => each.stop())));

  it("removes a deleted namespace with what is in it, and makes default service accounts", async () => {
    const name = `shop-${process.pid}`;
    await create(plane(0), "namespaces", { name });
    await create(plane(0), `namespaces/${name}/secrets`, { name: "photos" });
    await until(200, plane(0), `namespaces/${name}/serviceaccounts/default`);
    await call(plane(0), "DELETE", `namespaces/${name}`);
    await until(404, plane(0), `namespaces/${name}`);
    assert.equal((await call(plane(0), "GET", `namespaces/${name}/secrets/photos`)).status, 404);
  });

  it("collects what belongs to an owner that was deleted", async () => {
    const owner = await create(plane(0), "namespaces/default/configmaps", { name: "owner" });
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: uidOf(owner) }];
    await create(plane(0), "namespaces/default/secrets", { name: "owned", ownerReferences });
    await call(plane(0), "DELETE", "namespaces/default/configmaps/owner");
    await until(404, plane(0), "namespaces/default/secrets/owned");
  });

  it("knows its administrator by a token, and lets nobody else in", async () => {
    assert.equal((await call(plane(0), "GET", "namespaces")).status, 200);
    assert.equal((await call(plane(0), "GET", "namespaces", undefined, "")).status, 403);
    assert.equal((await call(plane(0), "GET", "namespaces", undefined, "guessed")).status, 401);
  });

  it("is another one than the one beside it, and keeps its files to this user", async () => {
    assert.notEqual(plane(0).server, plane(1).server);
    await create(plane(0), "namespaces/default/configmaps", { name: "only-here" });
    assert.equal((await call(plane(1), "GET", "namespaces/default/configmaps/only-here")).status, 404);
    assert.equal((await stat(plane(0).kubeconfig)).mode & 0o777, 0o600);
  });

  it("answers nobody after it was stopped, and leaves no files", async () => {
    const { kubeconfig, server, stop } = plane(1);
    await stop();
    await assert.rejects(fetch(`${server}/readyz`), (error) => {
      assert.ok(error instanceof Error && error.cause instanceof Error && "code" in error.cause);
      assert.equal(error.cause.code, "ECONNREFUSED");
      return true;
    });
    await assert.rejects(stat(kubeconfig), { code: "ENOENT" });
  });
});
