import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { provideTool } from "../toolchain/toolchain";
import { withFreePorts } from "./free-ports";
import { givenStore } from "./given-store";
import { startProcess, type ManagedProcess } from "./managed-process";
import { createRunFolder } from "./run-folder";
import type { Store, StoreAccess } from "./store-access";
import { canWriteObjects } from "./store-probe";

/**
 * Starts an object store (SeaweedFS) with S3 and IAM on 127.0.0.1. Several can run side by side.
 *
 * With `PULUMI_COSI_TEST_S3_ENDPOINT` and its siblings set, that store is given instead and nothing is started.
 *
 * @throws ToolUnavailableError when the program cannot be had; Error when no object can be written in two minutes.
 */
export async function startStore(): Promise<Store> {
  return givenStore(process.env) ?? withFreePorts(PORT_FLAGS.length, startLocal);
}

const PORT_FLAGS = [
  "s3.port",
  "s3.port.grpc",
  "master.port",
  "master.port.grpc",
  "volume.port",
  "volume.port.grpc",
  "filer.port",
  "filer.port.grpc",
  "admin.port",
  "admin.port.grpc",
  // It is off, and yet its port is checked.
  "webdav.port",
] as const;

async function startLocal(ports: readonly number[]): Promise<Store> {
  const folder = await createRunFolder("store");
  const access: StoreAccess = {
    endpoint: `http://127.0.0.1:${ports[0] ?? 0}`,
    region: "us-east-1",
    accessKeyId: randomBytes(10).toString("hex").toUpperCase(),
    secretAccessKey: randomBytes(20).toString("hex"),
  };
  let server: ManagedProcess | undefined;
  const stop = async () => {
    await server?.stop();
    await folder.remove();
  };
  try {
    server = await startWeed(folder.path, ports, access);
    return { ...access, local: true, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startWeed(
  folder: string,
  ports: readonly number[],
  access: StoreAccess,
): Promise<ManagedProcess> {
  const { path } = await provideTool("weed");
  const data = join(folder, "data");
  await mkdir(data);
  return startProcess({
    name: "weed",
    command: path,
    args: [
      "mini",
      `-dir=${data}`,
      "-ip=127.0.0.1",
      "-ip.bind=127.0.0.1",
      ...PORT_FLAGS.map((flag, index) => `-${flag}=${ports[index] ?? 0}`),
      "-admin.port.legacy=0",
      "-s3.port.iceberg=0",
      "-s3.port.lance=0",
      "-webdav=false",
      "-admin.ui=false",
      // Without it, the IAM API answers 403 to every write.
      "-s3.iam.readOnly=false",
      "-s3.autoCreateBucket=false",
      `-s3.localSocket=${join(folder, "s3.sock")}`,
      `-filer.localSocket=${join(folder, "filer.sock")}`,
      "-master.telemetry=false",
      // Else it comes from the free space of the disk: small volumes are quick to make.
      "-master.volumeSizeLimitMB=64",
    ],
    // Configuration files of the user's own, which it would read, are below the working directory and HOME.
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      TMPDIR: folder,
      AWS_ACCESS_KEY_ID: access.accessKeyId,
      AWS_SECRET_ACCESS_KEY: access.secretAccessKey,
    },
    folder,
    ready: () => canWriteObjects(access),
    readyTimeoutMs: 120_000,
  });
}
