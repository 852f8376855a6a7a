import { access, readFile } from "node:fs/promises";
import * as net from "node:net";
import type { KubeconfigContent } from "./kubeconfig-content";

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
const name = "service-account";

/** What a Pod has of its service account, as a kubeconfig; `undefined` outside a Pod, and in one without a token. */
export async function readServiceAccount(): Promise<KubeconfigContent | undefined> {
  const host = process.env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = process.env["KUBERNETES_SERVICE_PORT"] ?? "";
  const tokenFile = `${folder}/token`;
  if (host === "" || port === "" || !(await isThere(tokenFile))) return undefined;
  const server = `https://${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  const namespace = await readFile(`${folder}/namespace`, "utf8").catch(() => "");
  return {
    currentContext: name,
    clusters: new Map([[name, { server, "certificate-authority": `${folder}/ca.crt` }]]),
    users: new Map([[name, { tokenFile }]]),
    contexts: new Map([[name, { cluster: name, user: name, namespace: namespace.trim() }]]),
  };
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
