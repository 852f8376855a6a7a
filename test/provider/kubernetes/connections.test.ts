import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createProxy, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { connect, type AddressInfo, type Server as NetServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { TLSSocket } from "node:tls";
import { secretKind } from "../../../provider/kubernetes/object";
import { openTransport, type ApiRequest, type Transport } from "../../../provider/kubernetes/transport";
import { CertificateAuthority, type Certified } from "../../support/certificate-authority";
import { SocksProxy } from "../../support/socks-proxy";

const about = { verb: "delete", kind: secretKind, reference: { namespace: "shop", name: "creds" } } as const;
const path = "/api/v1/namespaces/shop/secrets/creds";
const get: ApiRequest = { method: "GET", path, about };
const remove: ApiRequest = { method: "DELETE", path, body: { kind: "DeleteOptions" }, about };
const base64 = (pem: string) => Buffer.from(pem).toString("base64");

async function listen(server: NetServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A server that counts its connections, and answers with what it was sent. */
class CountingServer {
  readonly sockets = new Set<Socket>();
  connections = 0;
  /** Requests that get no answer but the end of their connection. */
  refused = 0;
  answer = (request: IncomingMessage, response: ServerResponse): void => void this.#echo(request, response);
  readonly #authority = new CertificateAuthority();
  readonly #server: Server;

  constructor() {
    const options = { ...this.#authority.issue(["127.0.0.1"]), requestCert: true, rejectUnauthorized: false };
    this.#server = createServer(options, (request, response) => {
      this.refused -= 1;
      if (this.refused >= 0) request.socket.destroy();
      else this.answer(request, response);
    });
    this.#server.on("secureConnection", (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
    });
  }

  async open(
    cluster: Readonly<Record<string, string>> = {},
    user: Readonly<Record<string, unknown>> = { token: "token" },
  ): Promise<Transport> {
    const port = this.#server.listening ? this.port : await listen(this.#server);
    const kubeconfig = {
      "current-context": "test",
      clusters: [
        {
          name: "test",
          cluster: {
            server: `https://127.0.0.1:${port}`,
            "certificate-authority-data": base64(this.#authority.cert),
            ...cluster,
          },
        },
      ],
      users: [{ name: "test", user }],
      contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    };
    return openTransport(JSON.stringify(kubeconfig), undefined);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }

  async #echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, authorization: headers.authorization, body }));
  }
}

/** A proxy for tunnels, as `proxy-url` of a kubeconfig names it. */
async function startProxy() {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server = createProxy();
  server.on("connect", (request: IncomingMessage, client: Socket) => {
    asked.push(request.url ?? "");
    const { hostname, port } = new URL(`http://${request.url ?? ""}`);
    const upstream = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => undefined);
    }
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const stop = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { url, asked, stop };
}

describe("the connections to an API server", () => {
  let server: CountingServer;

  beforeEach(() => {
    server = new CountingServer();
  });

  afterEach(() => {
    server.stop();
  });

  it("are kept for the next request, and carry the body of a delete", async () => {
    const transport = await server.open();
    for (let count = 0; count < 3; count += 1) {
      assert.deepEqual(await transport.send({ ...remove, query: { dryRun: "All" } }), {
        method: "DELETE",
        url: `${path}?dryRun=All`,
        authorization: "Bearer token",
        body: '{"kind":"DeleteOptions"}',
      });
    }
    assert.equal(server.connections, 1);
  });

  it("are bounded, however many requests there are", async () => {
    const transport = await server.open();
    let inFlight = 0;
    let most = 0;
    server.answer = (_request, response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.end("{}");
      }, 300);
    };
    await Promise.all(Array.from({ length: 100 }, () => transport.send(get)));
    assert.equal(server.connections, 32);
    assert.equal(most, 32);
  });

  it("are made anew where the server ends them", async () => {
    const transport = await server.open();
    server.refused = 3;
    assert.ok(await transport.send(get));
    assert.equal(server.connections, 4);
  });

  it("that end within an answer are no answer", async () => {
    const transport = await server.open();
    let cut = 0;
    server.answer = (request, response) => {
      cut += 1;
      response.writeHead(200, { "Content-Length": 100 }).write('{"metadata":');
      if (cut > 1) response.end(" ".repeat(87) + "}");
      else setTimeout(() => request.socket.destroy(), 20);
    };
    await transport.send(get);
    assert.equal(cut, 2);
  });

  it("go through the proxy of the kubeconfig, and are kept there", async () => {
    const proxy = await startProxy();
    try {
      const transport = await server.open({ "proxy-url": proxy.url });
      for (let count = 0; count < 3; count += 1) assert.ok(await transport.send(get));
      assert.deepEqual(proxy.asked, [`127.0.0.1:${server.port}`]);
    } finally {
      proxy.stop();
    }
  });

  it("go through a SOCKS proxy of the kubeconfig, and are kept there", async () => {
    const proxy = await new SocksProxy().start();
    try {
      const transport = await server.open({ "proxy-url": proxy.url });
      for (let count = 0; count < 3; count += 1) assert.ok(await transport.send(get));
      assert.deepEqual(proxy.asked, [`127.0.0.1:${server.port}`]);
    } finally {
      proxy.stop();
    }
  });

  for (const through of ["no proxy", "a SOCKS proxy"]) {
    it(`are refused to a server whose certificate is of another name, through ${through}`, async () => {
      const proxy = await new SocksProxy().start();
      const way: Record<string, string> = through === "no proxy" ? {} : { "proxy-url": proxy.url };
      try {
        const transport = await server.open({ ...way, "tls-server-name": "api.example.com" });
        await assert.rejects(transport.send(get), /ERR_TLS_CERT_ALTNAME_INVALID/);
      } finally {
        proxy.stop();
      }
    });
  }

  it("have the certificate of the user, and another one after a 401", async () => {
    const folder = await mkdtemp(join(tmpdir(), "credentials-"));
    const users = new CertificateAuthority("users");
    const names: string[] = [];
    server.answer = (request, response) => {
      assert.ok(request.socket instanceof TLSSocket);
      names.push(request.socket.getPeerCertificate().serialNumber);
      response.writeHead(names.length === 1 ? 401 : 200).end("{}");
    };
    const transport = await server.open({}, renewing(folder, [users.issue(["me"]), users.issue(["me"])]));
    try {
      await assert.rejects(transport.send(get), /401 HTTP: no message/);
      await transport.send(get);
      await transport.send(get);
    } finally {
      await rm(folder, { recursive: true });
    }
    assert.equal(new Set(names).size, 2);
    assert.equal(names[1], names[2]);
  });
});

/** A user whose plugin gives the next certificate each time that it is asked. */
function renewing(folder: string, certificates: readonly Certified[]) {
  const credentials = certificates.map(({ cert, key }) => ({
    apiVersion: "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    status: {
      clientCertificateData: cert,
      clientKeyData: key,
      expirationTimestamp: new Date(Date.now() + 3_600_000).toISOString(),
    },
  }));
  const counter = JSON.stringify(join(folder, "asked"));
  const script = `
    const fs = require("node:fs");
    fs.appendFileSync(${counter}, "x");
    const all = ${JSON.stringify(credentials)};
    process.stdout.write(JSON.stringify(all[Math.min(fs.statSync(${counter}).size, all.length) - 1]));`;
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: ["-e", script],
      interactiveMode: "Never",
    },
  };
}
