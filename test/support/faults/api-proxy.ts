import { once } from "node:events";
import * as fs from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ControlPlane } from "../../../tools/local/control-plane-access";
import { LOOPBACK_CERTIFICATE } from "../../drivers/s3/support/loopback-certificate";

/** A request that writes. */
export interface ApiWrite {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** A point of a write: it has not reached the API server yet, or it is done and the answer not sent. */
export interface ApiPoint extends ApiWrite {
  readonly stage: "before" | "after";
  /** Writes that came before, in the life of the proxy. */
  readonly earlier: number;
  /** What is written, as it is sent. */
  readonly body: string;
}

/** What the API server would say: a status code and its `Status` object. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/**
 * What happens at a point; a refusal takes the place of the answer, and an error ends the connection instead. A promise
 * delays it.
 */
export type AtApiPoint = (point: ApiPoint) => Refusal | undefined | Promise<Refusal | undefined>;

/**
 * A network between clients and a real API server, in which a test acts before and after every write. Reads and dry
 * runs pass.
 */
export class ApiProxy {
  readonly writes: ApiWrite[] = [];
  at: AtApiPoint = () => undefined;
  /** Called before a read goes on, with its path. */
  atRead: (path: string) => void | Promise<void> = () => undefined;

  private constructor(
    private readonly plane: ControlPlane,
    private readonly server: https.Server,
    /** Path of a kubeconfig that leads through the proxy. */
    readonly kubeconfig: string,
  ) {}

  /** @param folder Takes the kubeconfig. */
  static async start(plane: ControlPlane, folder: string): Promise<ApiProxy> {
    const server = https.createServer({ ...LOOPBACK_CERTIFICATE }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const kubeconfig = `${folder}/kubeconfig-through-proxy`;
    fs.writeFileSync(kubeconfig, throughProxy(plane, port), { mode: 0o600 });
    const proxy = new ApiProxy(plane, server, kubeconfig);
    server.on("request", (request, response) => {
      proxy.#pass(request, response).catch(() => response.destroy());
    });
    return proxy;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = request;
    const { pathname, searchParams } = new URL(url, this.plane.server);
    const body = await buffer(request);
    if (method === "GET" || searchParams.has("dryRun")) {
      if (method === "GET") await this.atRead(pathname);
      await this.#forward(request, body, response);
      return;
    }
    const earlier = this.writes.length;
    const write = { method, path: pathname };
    this.writes.push(write);
    const point = { ...write, earlier, body: body.toString() };
    const refused = await this.at({ ...point, stage: "before" });
    if (refused !== undefined) {
      refuse(response, refused);
      return;
    }
    // Whoever sent it ended meanwhile, and it never got out.
    if (request.socket.destroyed) return;
    await this.#forward(request, body, response, () => this.at({ ...point, stage: "after" }));
  }

  /** @param done Called when the server has answered, before the answer goes on. */
  async #forward(
    { method, url, rawHeaders }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    done: () => Refusal | undefined | Promise<Refusal | undefined> = () => undefined,
  ): Promise<void> {
    const onward = https.request(new URL(url ?? "/", this.plane.server), {
      method,
      headers: rawHeaders,
      // The server made its certificate itself, and both ends are on this machine.
      rejectUnauthorized: false,
    });
    response.once("close", () => onward.destroy());
    onward.end(body);
    const [reply] = (await once(onward, "response")) as [IncomingMessage];
    const instead = await done();
    if (instead !== undefined) {
      reply.resume();
      refuse(response, instead);
      return;
    }
    response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
    reply.pipe(response);
  }
}

function refuse(response: ServerResponse, { code, reason, message }: Refusal): void {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason, message, code };
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(status));
}

function throughProxy({ token }: ControlPlane, port: number): string {
  const name = "through-proxy";
  const authority = Buffer.from(LOOPBACK_CERTIFICATE.cert).toString("base64");
  const server = `https://127.0.0.1:${port}`;
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": authority } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });
}
