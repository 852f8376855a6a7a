import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { secretMask } from "../../../provider/driver/secrets/secret-mask";
import { KubernetesError } from "../../../provider/kubernetes/kubernetes-error";
import { secretKind } from "../../../provider/kubernetes/object";
import {
  openTransport,
  type ApiRequest,
  type Transport,
  type TransportOptions,
} from "../../../provider/kubernetes/transport";
import { kubeconfigOf } from "../../support/kubeconfig";

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** A server that gives prepared answers, the last of them for ever. */
class ScriptedServer {
  readonly requests: IncomingMessage[] = [];
  /** When each request came, in milliseconds. */
  readonly times: number[] = [];
  answers: Answer[] = [];
  readonly #server: Server = createServer((request, response) => {
    request.resume();
    const answer = this.answers[Math.min(this.requests.length, this.answers.length - 1)];
    this.requests.push(request);
    this.times.push(performance.now());
    const headers = { "Content-Type": "application/json", ...answer?.headers };
    response.writeHead(answer?.status ?? 500, headers).end(answer?.body);
  });

  async start(): Promise<Transport> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this.open();
  }

  open(options?: TransportOptions): Promise<Transport> {
    const { port } = this.#server.address() as AddressInfo;
    return openTransport(kubeconfigOf({ server: `http://127.0.0.1:${port}` }), undefined, options);
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
  });

  it("that a webhook denies is told its message, be there a reason or none", async () => {
    const body = JSON.stringify({
      kind: "Status",
      status: "Failure",
      message: "no Secrets on Fridays",
      code: 403,
    });
    server.answers = [{ status: 403, body }];
    await assert.rejects(
      transport.send(request),
      /create Secret shop\/creds: 403 Unknown: no Secrets on Fridays\. Next: /,
    );
  });

  it("is repeated for as long as its time lasts while the server is away, with growing pauses", async () => {
    server.answers = [{ status: 503, body: "" }];
    const patient = await server.open({ requestMs: 7_000 });
    await assert.rejects(patient.send(request), /503 HTTP: .* Next: check that the API server runs/);
    const pauses = server.times.slice(1).map((time, index) => time - (server.times[index] ?? 0));
    assert.deepEqual(
      pauses.map((milliseconds) => Math.floor(milliseconds / 200)),
      [1, 2, 4, 8, 16],
    );
  }).timeout(20_000);

  it("is answered by a server that comes back after more than the first five attempts", async () => {
    const away = { status: 429, body: status("TooManyRequests", "later") };
    server.answers = [away, away, away, away, away, { status: 201, body: '{"metadata":{"name":"creds"}}' }];
    await transport.send(request);
    assert.equal(server.requests.length, 6);
  }).timeout(20_000);

  it("is repeated when Retry-After says so, and not where that is after its time", async () => {
    const values = [() => "1", () => new Date(Date.now() + 2_500).toUTCString()];
    for (const value of values) {
      const retryAfter = value();
      const from = server.requests.length;
      server.answers = [
        ...server.requests.map(() => ({ status: 200, body: "{}" })),
        { status: 429, body: status("TooManyRequests", "later"), headers: { "Retry-After": retryAfter } },
        { status: 200, body: "{}" },
      ];
      await transport.send(request);
      const [first = 0, second = 0, third] = server.times.slice(from);
      assert.equal(third, undefined);
      assert.ok(second - first > 900, `${second - first} ms after Retry-After: ${retryAfter}`);
    }
    const before = server.requests.length;
    server.answers = [{ status: 503, body: "", headers: { "Retry-After": "120" } }];
    await assert.rejects(transport.send(request), /: 503 HTTP/);
    assert.equal(server.requests.length, before + 1);
  });

  it("is repeated a bounded number of times after an error of the server", async () => {
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
          error.message.startsWith(`create Secret shop/creds: ${code} Reason: because`) &&
          /because( \(the given kubeconfig, context "test"\))?\. Next: /.test(error.message) &&
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
    const impatient = await server.open({ requestMs: 1_000 });
    server.stop();
    await assert.rejects(
      impatient.send(request),
      /create Secret shop\/creds: ECONNREFUSED: the API server http:\/\/127\.0\.0\.1:\d+ cannot be reached \(the given kubeconfig, context "test"\)\. Next: /,
    );
  });
});
