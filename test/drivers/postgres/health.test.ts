import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { refusal } from "../common/calls";
import type { DriverProcess } from "../common/driver-process";
import { type Folders, makeFolders } from "../common/folders";
import { HealthClient, NOT_SERVING, SERVING } from "../common/health-client";
import type { DriverClient } from "./support/driver-client";
import { startDriver } from "./support/driver-process";
import { type FakeServer, startFakeServer } from "./support/fake-server";
import { fakeServerEnv } from "./support/fake-server-config";

describe("the health of the PostgreSQL driver", function () {
  this.timeout(60_000);
  let folders: Folders;
  let server: FakeServer;
  let driver: DriverProcess;
  let client: DriverClient;
  let health: HealthClient;

  beforeEach(async () => {
    folders = makeFolders();
    server = await startFakeServer();
    ({ driver, client } = await startDriver(folders.socket, {
      workFolder: folders.workFolder,
      env: fakeServerEnv(server.port),
    }));
    health = new HealthClient(folders.socket);
  });

  afterEach(async () => {
    health.close();
    client.close();
    await driver.stop("SIGKILL");
    await server.stop();
    folders.remove();
  });

  it("is told at the same socket, for the whole and for each service of its contract, without the server", async () => {
    for (const service of ["", "deployment.v1alpha1.Identity", "deployment.v1alpha1.Provisioner"]) {
      assert.equal(await health.check(service), SERVING, service);
    }
    assert.equal(server.connections, 0);
    await refusal(health.check("deployment.v1alpha1.Other"), status.NOT_FOUND);
  });

  it("is NOT_SERVING for those who watch while the last call ends, and no watch holds the end up", async () => {
    const seen: string[] = [];
    const watching = health.watch("deployment.v1alpha1.Provisioner", (reply) => seen.push(reply));
    await until(() => seen.length === 1);
    server.wait = until(() => seen.length === 2);
    server.answer = { code: "42501", message: "no" };
    const call = refusal(client.delete("orders"), status.PERMISSION_DENIED);
    await until(() => server.connections === 1);
    driver.signal("SIGTERM");
    await call;
    assert.deepEqual(seen, [SERVING, NOT_SERVING]);
    assert.deepEqual(await driver.ended, { code: 0, signal: null });
    await watching;
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
