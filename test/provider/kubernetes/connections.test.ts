import assert from "node:assert/strict";
import { secretKind } from "../../../provider/kubernetes/object";
import type { ApiRequest } from "../../../provider/kubernetes/transport";
import { EchoServer } from "../../support/echo-server";
import { SocksProxy } from "../../support/socks-proxy";
import { TunnelProxy } from "../../support/tunnel-proxy";

const about = { verb: "delete", kind: secretKind, reference: { namespace: "shop", name: "creds" } } as const;
const path = "/api/v1/namespaces/shop/secrets/creds";
const get: ApiRequest = { method: "GET", path, about };
const remove: ApiRequest = { method: "DELETE", path, body: { kind: "DeleteOptions" }, about };
describe("the connections to an API server", () => {
  let server: EchoServer;

  beforeEach(() => {
    server = new EchoServer();
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
      if (cut > 1) response.end(" ".repeat(85) + "{}}");
      else setTimeout(() => request.socket.destroy(), 20);
    };
    await transport.send(get);
    assert.equal(cut, 2);
  });

  it("go through the proxy of the kubeconfig, and are kept there", async () => {
    const proxy = await TunnelProxy.start();
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
});
