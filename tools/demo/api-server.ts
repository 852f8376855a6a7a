import * as https from "node:https";

/** A table as `kubectl get` prints it: the API server makes it, with the columns that the kind defines. */
interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly (string | number | boolean | null)[] }[];
}

interface SecretObject {
  readonly data: Readonly<Record<string, string>>;
}

/** Reads from the API server of a kubeconfig, as kubectl does. */
export class ApiServer {
  readonly #kubeconfig: string;

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
  }

  /** Rows of a list, the line of headings first. */
  async table(path: string): Promise<string[][]> {
    const text = await this.#get(path, "application/json;as=Table;v=v1;g=meta.k8s.io");
    const { columnDefinitions, rows } = JSON.parse(text) as Table;
    const shown = columnDefinitions.flatMap(({ name, priority }, index) =>
      priority === 0 ? [{ name, index }] : [],
    );
    return [
      shown.map(({ name }) => name.toUpperCase()),
      ...rows.map(({ cells }) => shown.map(({ index }) => String(cells[index] ?? ""))),
    ];
  }

  /** Number of objects in a list. */
  async count(path: string): Promise<number> {
    return (await this.table(path)).length - 1;
  }

  /** Data of a Secret, decoded. */
  async secretData(namespace: string, name: string): Promise<Record<string, string>> {
    const text = await this.#get(`/api/v1/namespaces/${namespace}/secrets/${name}`, "application/json");
    const { data } = JSON.parse(text) as SecretObject;
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
    );
  }

  async #get(path: string, accept: string): Promise<string> {
    const { KubeConfig } = await import("@kubernetes/client-node");
    const config = new KubeConfig();
    config.loadFromFile(this.#kubeconfig);
    const options: https.RequestOptions = { headers: { Accept: accept } };
    await config.applyToHTTPSOptions(options);
    const server = config.getCurrentCluster()?.server ?? "";
    return new Promise((resolve, reject) => {
      https
        .get(server + path, options, (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (text += chunk));
          response.on("end", () => {
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`GET ${path}: ${response.statusCode ?? "no status"} ${text}`));
          });
        })
        .on("error", reject);
    });
  }
}
