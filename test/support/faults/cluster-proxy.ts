import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { Cluster } from "../../integration/kubernetes/cluster";
import { ApiProxy } from "./api-proxy";

/** A network before the API server of the cluster that all files of a run share, with a folder for its kubeconfig. */
export class ClusterProxy {
  private constructor(
    readonly api: ApiProxy,
    private readonly folder: string,
  ) {}

  static async start({ kubeconfig, server }: Cluster): Promise<ClusterProxy> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cluster-proxy-"));
    const { users } = JSON.parse(kubeconfig) as { users: [{ user: { token: string } }] };
    const { token } = users[0].user;
    const plane = { kubeconfig, server, token, local: true, stop: () => Promise.resolve() };
    return new ClusterProxy(await ApiProxy.start(plane, folder), folder);
  }

  async stop(): Promise<void> {
    await this.api.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
