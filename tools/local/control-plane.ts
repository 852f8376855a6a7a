import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { join } from "node:path";

import { provideTool } from "../toolchain/toolchain";
import type { ControlPlane } from "./control-plane-access";
import { withFreePorts } from "./free-ports";
import { givenControlPlane } from "./given-control-plane";
import { startProcess, type ManagedProcess } from "./managed-process";
import { createRunFolder } from "./run-folder";

/** What {@link startControlPlane} starts. */
export interface ControlPlaneOptions {
  /**
   * Whether kube-controller-manager runs, with its namespace, garbage collector and service account controllers.
   * Without it, deleted namespaces stay and what owner references point to is not collected.
   *
   * @default true
   */
  readonly controllerManager?: boolean;
}

/**
 * Starts a Kubernetes control plane of its own on 127.0.0.1: etcd, kube-apiserver with RBAC, kube-controller-manager.
 * There is no node, so no pod ever runs. Several can run side by side.
 *
 * With `PULUMI_COSI_TEST_KUBECONFIG` set, that cluster is given instead and nothing is started.
 *
 * @throws ToolUnavailableError when a program cannot be had; Error when one does not become ready in a minute.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const given = await givenControlPlane(process.env);
  return given ?? withFreePorts(3, (ports) => startLocal(options, ports));
}

const CONTROLLERS = ["namespace-controller", "garbage-collector-controller", "serviceaccount-controller"];
/** The API server makes these itself shortly after it is ready; programs take them for granted. */
const EXPECTED_NAMESPACES = ["default", "kube-system"];

async function startLocal(options: ControlPlaneOptions, ports: readonly number[]): Promise<ControlPlane> {
  const [clientPort = 0, peerPort = 0, securePort = 0] = ports;
  const folder = await createRunFolder("cluster");
  const started: ManagedProcess[] = [];
  const stop = async () => {
    // Backwards: an API server without its etcd takes its time to end.
    for (const server of started.reverse()) await server.stop();
    await folder.remove();
  };
  try {
    const etcdUrl = `http://127.0.0.1:${clientPort}`;
    started.push(await startEtcd(folder.path, etcdUrl, `http://127.0.0.1:${peerPort}`));
    const token = randomBytes(24).toString("hex");
    const server = `https://127.0.0.1:${securePort}`;
    started.push(await startApiServer(folder.path, etcdUrl, securePort, token));
    const kubeconfig = await writeKubeconfig(folder.path, server, token);
    if (options.controllerManager ?? true)
      started.push(await startControllerManager(folder.path, kubeconfig));
    return { kubeconfig, server, token, local: true, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startEtcd(folder: string, url: string, peerUrl: string): Promise<ManagedProcess> {
  const { path } = await provideTool("etcd");
  return startProcess({
    name: "etcd",
    command: path,
    args: [
      `--data-dir=${join(folder, "etcd")}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      // The data ends with the run.
      "--unsafe-no-fsync",
    ],
    folder,
    ready: async () => (await fetch(`${url}/health`)).ok,
  });
}

async function startApiServer(
  folder: string,
  etcdUrl: string,
  port: number,
  token: string,
): Promise<ManagedProcess> {
  const { path } = await provideTool("kube-apiserver");
  const serviceAccountKey = join(folder, "service-account.key");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(serviceAccountKey, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const tokens = join(folder, "tokens.csv");
  await writeFile(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const url = `https://127.0.0.1:${port}`;
  return startProcess({
    name: "kube-apiserver",
    command: path,
    args: [
      `--etcd-servers=${etcdUrl}`,
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      `--secure-port=${port}`,
      // It makes a certificate for its address itself.
      `--cert-dir=${certificateFolder(folder)}`,
      `--token-auth-file=${tokens}`,
      "--authorization-mode=RBAC",
      `--service-account-key-file=${serviceAccountKey}`,
      `--service-account-signing-key-file=${serviceAccountKey}`,
      "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
      "--service-cluster-ip-range=10.0.0.0/24",
      // It would add a token volume to each pod, and no pod runs.
      "--disable-admission-plugins=ServiceAccount",
      // The endpoints of the service "kubernetes" may not be on loopback.
      "--endpoint-reconciler-type=none",
    ],
    folder,
    ready: async () => {
      const ca = await readFile(certificate(folder), "utf8");
      const paths = ["/readyz", ...EXPECTED_NAMESPACES.map((name) => `/api/v1/namespaces/${name}`)];
      for (const each of paths) if ((await statusOf(`${url}${each}`, ca, token)) !== 200) return false;
      return true;
    },
  });
}

async function startControllerManager(folder: string, kubeconfig: string): Promise<ManagedProcess> {
  const { path } = await provideTool("kube-controller-manager");
  return startProcess({
    name: "kube-controller-manager",
    command: path,
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--controllers=${CONTROLLERS.join(",")}`,
      "--leader-elect=false",
      // It serves nothing that is needed here.
      "--secure-port=0",
    ],
    folder,
  });
}

/** YAML takes JSON as it is. */
async function writeKubeconfig(folder: string, server: string, token: string): Promise<string> {
  const path = join(folder, "kubeconfig");
  const authority = (await readFile(certificate(folder))).toString("base64");
  const name = "pulumi-cosi-local";
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": authority } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  await writeFile(path, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
  return path;
}

function certificateFolder(folder: string): string {
  return join(folder, "certificates");
}

/** The server's certificate, followed by the one of the authority that the server made to sign it. */
function certificate(folder: string): string {
  return join(certificateFolder(folder), "apiserver.crt");
}

function statusOf(url: string, ca: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    // No agent: no connection stays open.
    get(url, { ca, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).once("error", reject);
  });
}
