import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { mock } from "node:test";
import { KubernetesClient } from "../../../../provider/kubernetes/client";
import { awaitSecretName } from "../../../../provider/models/cosi-2020-02/app-secret";
import { kubeconfigOf } from "../../../support/kubeconfig";

const secret = { namespace: "shop", name: "photos" };
const bucket = { namespace: "shop", name: "photos", uid: "11111111-1111-4111-8111-111111111111" };
const foreign = { apiVersion: "v1", kind: "Secret", metadata: { ...secret, uid: "of-somebody-else" } };

describe("the wait for the name of an application's Secret", () => {
  let looks: number;
  let server: Server;

  beforeEach(async () => {
    looks = 0;
    server = createServer((request, response) => {
      const isLook = request.url?.includes("/secrets/") === true;
      looks += isLook ? 1 : 0;
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(isLook ? foreign : { metadata: { name: "kube-system", uid: "cluster" } }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });

  afterEach(() => {
    mock.restoreAll();
    server.closeAllConnections();
    server.close();
  });

  async function client(): Promise<KubernetesClient> {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const cluster = { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
    return KubernetesClient.open(kubeconfigOf(cluster), undefined);
  }

  for (const [what, seconds, given] of [
    ["two minutes where the program does not say how long", 120, undefined],
    ["two minutes where the state has no time", 120, null],
    ["as long as the program says", 20, 20],
  ] as const) {
    it(`lasts ${what} [K02-026]`, async () => {
      const api = await client();
      // The first look is just before the end, the second one at it; there is no third one.
      const times = [0, seconds * 1000 - 1, seconds * 1000];
      mock.method(Date, "now", () => times[looks] ?? assert.fail("it looks on"));
      await assert.rejects(
        awaitSecretName(api, secret, bucket, given),
        /^RefusedError: .*photos exists and was not made for Bucket shop\/photos, after a wait of .*\(secretTimeout\)/,
      );
      assert.equal(looks, 2);
    });
  }
});
