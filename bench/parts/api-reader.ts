import * as https from "node:https";

/** Reads from the API server of a kubeconfig, as its administrator. */
export class ApiReader {
  readonly #options: Promise<{ server: string; request: https.RequestOptions }>;

  constructor(kubeconfig: string) {
    this.#options = optionsOf(kubeconfig);
  }

  /** What is served at a path. */
  async text(path: string): Promise<string> {
    const { response } = await this.#open(path);
    response.setEncoding("utf8");
    let text = "";
    for await (const chunk of response) text += String(chunk);
    return text;
  }

  /**
   * Takes each line of an answer that goes on until it is ended.
   *
   * @returns ends it.
   */
  async follow(path: string, take: (line: string) => void): Promise<() => void> {
    const { request, response } = await this.#open(path);
    response.setEncoding("utf8");
    let rest = "";
    response.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
    });
    // It is ended by us.
    response.on("error", () => undefined);
    return () => {
      request.destroy();
    };
  }

  async #open(path: string): Promise<{
    request: ReturnType<typeof https.get>;
    response: NodeJS.ReadableStream & { setEncoding(encoding: "utf8"): unknown };
  }> {
    const { server, request: options } = await this.#options;
    return new Promise((resolve, reject) => {
      const request = https.get(server + path, { ...options, agent: false }, (response) => {
        if (response.statusCode === 200) resolve({ request, response });
        else reject(new Error(`GET ${path} was answered with ${response.statusCode ?? "nothing"}`));
      });
      request.once("error", reject);
    });
  }
}

async function optionsOf(kubeconfig: string): Promise<{ server: string; request: https.RequestOptions }> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const request: https.RequestOptions = {};
  await config.applyToHTTPSOptions(request);
  return { server: config.getCurrentCluster()?.server ?? "", request };
}
