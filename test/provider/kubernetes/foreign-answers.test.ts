import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { KubernetesClient } from "../../../provider/kubernetes/client";
import { KubernetesError } from "../../../provider/kubernetes/kubernetes-error";
import { secretKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import { listen } from "../../support/echo-server";
import { kubeconfigOf } from "../../support/kubeconfig";

const claimKind: KubernetesKind = {
  apiVersion: "objectstorage.k8s.io/v1alpha2",
  kind: "BucketClaim",
  plural: "bucketclaims",
};
const reference = { namespace: "shop", name: "creds" };

/** An answer, as a server gives it. */
interface Given {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const kubeSystem: Given = { status: 200, body: '{"metadata":{"name":"kube-system","uid":"uid-1"}}' };
const statusOf = (code: number, reason: string): Given => ({
  status: code,
  body: JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason,
    code,
    message: "gone",
  }),
});
const backend: Given = {
  status: 404,
  body: "<html>default backend - 404</html>",
  headers: { "Content-Type": "text/html" },
};
/** As any server in Go, such as Traefik, sends it. */
const plainText: Given = {
  status: 404,
  body: "404 page not found\n",
  headers: { "Content-Type": "text/plain" },
};
const unknownGroup: Given = { ...plainText, headers: { ...plainText.headers, "Audit-Id": "c0ffee" } };
const json404: Given = { status: 404, body: '{"type":"error","code":"NotFound","message":"no cluster"}' };
const html: Given = { status: 200, body: "<html>Welcome</html>", headers: { "Content-Type": "text/html" } };

describe("an answer that is not an API server's", () => {
  let server: Server;
  let port: number;
  let first: Given;
  let then: Given;
  let asked: number;

  beforeEach(async () => {
    [first, asked] = [kubeSystem, 0];
    server = createServer((request, response) => {
      request.resume();
      asked += 1;
      const { status, body, headers } = asked === 1 ? first : then;
      response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
    });
    port = await listen(server);
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = () => KubernetesClient.open(kubeconfigOf({ server: `http://127.0.0.1:${port}` }), undefined);

  for (const [what, answer] of Object.entries({
    "a load balancer's page": backend,
    "a plain text": plainText,
    "another server's JSON": json404,
    "a page with 200": html,
    "nothing with 200": { status: 200, body: "" },
    "a list with 200": { status: 200, body: "[]" },
    "a redirect": { status: 302, body: "" },
    "a firewall's 403": { status: 403, body: "<html>Forbidden</html>" },
  } satisfies Record<string, Given>)) {
    it(`never means that an object is gone, or a write done: ${what}`, async () => {
      const client = await open();
      then = answer;
      const calls: Record<string, () => Promise<unknown>> = {
        get: () => client.get(claimKind, reference),
        "get of the core group": () => client.get(secretKind, reference),
        list: () => client.list(claimKind, { namespace: "shop" }),
        create: () => client.create(secretKind, { metadata: reference }),
        patch: () => client.patch(secretKind, reference, {}),
        delete: () => client.delete(secretKind, reference),
      };
      for (const [call, send] of Object.entries(calls)) {
        const error: unknown = await send().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof KubernetesError, call);
        assert.match(
          error.message,
          new RegExp(`: ${answer.status} HTTP: the answer is no (Status of|JSON object)`),
        );
        assert.match(
          error.message,
          /\(the given kubeconfig, context "test"\)\. Next: check that the kubeconfig's server is/,
        );
        assert.ok(!error.notFound && !error.forbidden, call);
      }
    });

    it(`tells no cluster's identity: ${what}`, async () => {
      first = answer;
      await assert.rejects(open(), /^KubernetesError: get Namespace kube-system: /);
    });
  }

  it("is told from the server's own: an object that is gone, and a group that it does not have", async () => {
    const client = await open();
    for (const answer of [statusOf(404, "NotFound"), unknownGroup]) {
      then = answer;
      assert.equal(await client.get(claimKind, reference), undefined);
      assert.deepEqual(await client.list(claimKind), []);
      assert.equal(await client.delete(claimKind, reference), true);
    }
    // The core group is always there.
    await assert.rejects(client.get(secretKind, reference), /404 HTTP/);
    then = statusOf(404, "NotFound");
    assert.equal(await client.get(secretKind, reference), undefined);
  });

  it("is one without items where a list was asked for", async () => {
    const client = await open();
    then = { status: 200, body: '{"status":"ok"}' };
    await assert.rejects(client.list(claimKind), /the API server sent something that is no list/);
    then = { status: 200, body: '{"kind":"BucketClaimList","items":null}' };
    assert.deepEqual(await client.list(claimKind), []);
  });

  it("leaves the identity open where the API server says that kube-system may not be read", async () => {
    first = statusOf(403, "Forbidden");
    assert.equal((await open()).clusterUid, null);
  });
});
