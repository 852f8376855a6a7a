import assert from "node:assert/strict";
import { environmentProxy } from "../../../provider/kubernetes/proxy-environment";
import { secretKind } from "../../../provider/kubernetes/object";
import { EchoServer } from "../../support/echo-server";
import { withEnvironment } from "../../support/environment";
import { TunnelProxy } from "../../support/tunnel-proxy";

const api = "https://api.internal.example:6443";
const proxy = "http://proxy.example:3128";

describe("the proxy of the environment", () => {
  const named: readonly (readonly [server: string, environment: NodeJS.ProcessEnv, expected?: string])[] = [
    [api, {}],
    [api, { HTTPS_PROXY: "" }],
    [api, { HTTPS_PROXY: proxy }, proxy],
    [api, { https_proxy: proxy }, proxy],
    [api, { HTTPS_PROXY: "", https_proxy: proxy }, proxy],
    [api, { HTTPS_PROXY: proxy, https_proxy: "http://other" }, proxy],
    [api, { HTTPS_PROXY: "proxy.example:3128" }, proxy],
    [api, { HTTPS_PROXY: "socks5://proxy.example" }, "socks5://proxy.example"],
    [api, { HTTP_PROXY: proxy }],
    ["http://api.internal.example", { HTTP_PROXY: proxy }, proxy],
    ["http://api.internal.example", { HTTPS_PROXY: proxy }],
    ["https://localhost:6443", { HTTPS_PROXY: proxy }],
    ["https://127.0.0.2:6443", { HTTPS_PROXY: proxy }],
    ["https://[::1]:6443", { HTTPS_PROXY: proxy }],
    ["no URL", { HTTPS_PROXY: proxy }],
  ];
  for (const [server, environment, expected] of named) {
    it(`for ${server} with ${JSON.stringify(environment)} is ${expected ?? "none"}`, () => {
      assert.equal(environmentProxy(server, environment), expected);
    });
  }

  const exceptions: readonly (readonly [noProxy: string, server: string, isDirect: boolean])[] = [
    ["*", api, true],
    ["other.example, API.internal.example", api, true],
    ["internal.example", api, true],
    [".internal.example", api, true],
    ["*.internal.example", api, true],
    [".api.internal.example", api, false],
    ["nal.example", api, false],
    ["api.internal.example:6443", api, true],
    ["api.internal.example:443", api, false],
    ["api.internal.example:443", "https://api.internal.example", true],
    [",,", api, false],
    ["10.0.0.0/8", "https://10.9.8.7:6443", true],
    ["10.0.0.0/8", "https://11.9.8.7:6443", false],
    ["10.0.0.0/8", api, false],
    ["10.0.0.0/99", "https://10.9.8.7:6443", false],
    ["10.9.8.7", "https://10.9.8.7:6443", true],
    ["10.9.8.7:443", "https://10.9.8.7:6443", false],
    ["fd00::/8", "https://[fd00::1]:6443", true],
    ["fd00::1", "https://[fd00::1]:6443", true],
    ["[fd00::1]:6443", "https://[fd00::1]:6443", true],
    ["fd00::2", "https://[fd00::1]:6443", false],
  ];
  for (const [noProxy, server, isDirect] of exceptions) {
    it(`is ${isDirect ? "not " : ""}for ${server} where NO_PROXY is ${noProxy}`, () => {
      for (const name of ["NO_PROXY", "no_proxy"]) {
        const found = environmentProxy(server, { HTTPS_PROXY: proxy, [name]: noProxy });
        assert.equal(found, isDirect ? undefined : proxy);
      }
    });
  }

  it("is the way to the API server, where the kubeconfig names none", async () => {
    const server = new EchoServer(["api.internal.example"]);
    const proxies = [await TunnelProxy.start(() => server.port), await TunnelProxy.start(() => server.port)];
    const [ofEnvironment, ofKubeconfig] = proxies;
    const about = { verb: "get", kind: secretKind, reference: { namespace: "shop", name: "creds" } };
    const send = async (cluster: Record<string, unknown>) =>
      (await server.open({ server: api, ...cluster })).send({ method: "GET", path: "/x", about });
    const none = { https_proxy: undefined, NO_PROXY: undefined, no_proxy: undefined };
    try {
      await withEnvironment({ ...none, HTTPS_PROXY: ofEnvironment?.url }, async () => {
        await send({});
        await send({ "proxy-url": ofKubeconfig?.url });
      });
      assert.deepEqual(
        proxies.map(({ asked }) => asked),
        [["api.internal.example:6443"], ["api.internal.example:6443"]],
      );
    } finally {
      for (const each of proxies) each.stop();
      server.stop();
    }
  });
});
