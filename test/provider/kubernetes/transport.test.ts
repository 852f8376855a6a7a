import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { secretMask } from "../../../provider/driver/secrets/secret-mask";
import { KubernetesError } from "../../../provider/kubernetes/kubernetes-error";
import { secretKind } from "../../../provider/kubernetes/object";
import { openTransport, type ApiRequest, type Transport } from "../../../provider/kubernetes/transport";
import { kubeconfigOf } from "../../support/kubeconfig";

interface Answer {
  status: number;
  body: string;
}

/** A server that gives prepared answers, the last of them for ever. */
class ScriptedServer {
  readonly requests: IncomingMessage[] = [];
  answers: Answer[] = [];
  readonly #server: Server = createServer((request, response) => {
    request.resume();
    const answer = this.answers[Math.min(this.requests.length, this.answers.length - 1)];
    this.requests.push(request);
    response.writeHead(answer?.status ?? 500, { "Content-Type": "application/json" }).end(answer?.body);
  });

  async start(): Promise<Transport> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const cluster = { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
    return openTransport(kubeconfigOf(cluster), undefined);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const request: ApiRequest = {
  method: "POST",
  path: "/api/v1/namespaces/shop/secrets",
  body: { data: { key: "dmVyeS1zZWNyZXQtdmFsdWU=" } },
  about: { verb: "create", kind: secretKind, reference: { namespace: "shop", name: "creds" } },
};
const status = (reason: string, message: string) => JSON.stringify({ kind: "Status", reason, message });

describe("a request to an API server", () => {
  let server: ScriptedServer;
  let transport: Transport;

  beforeEach(async () => {
    server = new ScriptedServer();
    transport = await server.start();
  });

  afterEach(() => {
    server.stop();
  });

  it("is repeated while the server is overloaded or away, and then answered", async () => {
    server.answers = [
      { status: 503, body: "" },
      { status: 429, body: status("TooManyRequests", "later") },
      { status: 201, body: '{"metadata":{"name":"creds"}}' },
    ];
    assert.deepEqual(await transport.send(request), { metadata: { name: "creds" } });
    assert.equal(server.requests.length, 3);
    assert.equal(server.requests[0]?.headers.authorization, "Bearer very-secret-token");
  });

  it("is repeated a bounded number of times", async () => {
    server.answers = [{ status: 500, body: status("InternalError", "broken") }];
    await assert.rejects(transport.send(request), /create Secret shop\/creds: 500 InternalError: broken/);
    assert.equal(server.requests.length, 5);
  });

  for (const code of [400, 401, 403, 404, 409, 422]) {
    it(`is refused for good with ${code}, in the server's words`, async () => {
      server.answers = [{ status: code, body: status("Reason", "because") }];
      await assert.rejects(
        transport.send(request),
        (error) =>
          error instanceof KubernetesError &&
          error.failure.code === code &&
          error.message.startsWith(`create Secret shop/creds: ${code} Reason: because. Next: `) &&
          error.message.endsWith(", then run the command again."),
      );
      assert.equal(server.requests.length, 1);
    });
  }

  it("does not repeat a secret that the server quotes", async () => {
    secretMask.remember("very-secret-value");
    server.answers = [
      {
        status: 400,
        body: status("BadRequest", "cannot decode very-secret-value (dmVyeS1zZWNyZXQtdmFsdWU=)"),
      },
    ];
    await assert.rejects(transport.send(request), /cannot decode \[secret\] \(\[secret\]\)/);
  });

  it("that meets no server says where it was sent", async () => {
    server.stop();
    await assert.rejects(
      transport.send(request),
      /create Secret shop\/creds: ECONNREFUSED: the API server http:\/\/127\.0\.0\.1:\d+ cannot be reached/,
    );
  });
});
