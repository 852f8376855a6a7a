import assert from "node:assert/strict";
import {
  endpointOf,
  endpointProblem,
  inClusterEndpoint,
} from "../../../../provider/models/objectbucket/endpoint";

describe("an endpoint in its parts", () => {
  const parts: [text: string, host: string, port: number, ssl: boolean, url: string][] = [
    ["http://h:8333/", "h", 8333, false, "http://h:8333"],
    ["https://h", "h", 443, true, "https://h"],
    ["h", "h", 80, false, "http://h"],
    ["h:443", "h", 443, true, "https://h"],
    ["https://h:8443", "h", 8443, true, "https://h:8443"],
    ["[::1]:9000", "[::1]", 9000, false, "http://[::1]:9000"],
    ["https://[2001:db8::1]", "[2001:db8::1]", 443, true, "https://[2001:db8::1]"],
    ["http://h:443", "h", 443, false, "http://h:443"],
    ["https://h:80", "h", 80, true, "https://h:80"],
    ["http://h:80", "h", 80, false, "http://h"],
    ["https://h:443/", "h", 443, true, "https://h"],
    ["h:80", "h", 80, false, "http://h"],
    ["HTTPS://S3.Example.com", "s3.example.com", 443, true, "https://s3.example.com"],
    ["10.0.0.7:9000", "10.0.0.7", 9000, false, "http://10.0.0.7:9000"],
  ];
  for (const [text, host, port, ssl, url] of parts) {
    it(`is ${host}, ${port} and ${ssl ? "TLS" : "plain text"} for ${text} [OBC-049]`, () => {
      assert.equal(endpointProblem(text), undefined);
      assert.deepEqual(endpointOf(text), { host, port, ssl, url });
    });
  }

  const refused: [text: string, problem: RegExp][] = [
    [
      "https://h/s3",
      /has the path "\/s3", for which the objects have no key: give scheme, host and port only/,
    ],
    ["h/s3", /has the path "\/s3"/],
    ["http://h//", /has the path "\/\/"/],
    ["https://h?X-Amz-Signature=s3cr3t", /has a query or a fragment behind its host/],
    ["https://h/#s3cr3t", /has a query or a fragment behind its host/],
    ["https://admin:s3cr3t@h", /has a user or a password in it/],
    ["s3cr3t@h", /has a user or a password in it/],
    ["ftp://h", /has the scheme "ftp", and a bucket is reached by http or https/],
    ["h:0", /has the port 0/],
    ["https://h:0", /has the port 0/],
    ["h:99999", /is neither a URL nor a host with port/],
    ["::1", /is neither a URL nor a host with port/],
    ["http://", /is neither a URL nor a host with port/],
    ["", /is empty: give scheme, host and port only/],
  ];
  for (const [text, problem] of refused) {
    it(`is refused for ${JSON.stringify(text)}, and nothing secret is repeated`, () => {
      const found = endpointProblem(text) ?? "";
      assert.match(found, problem);
      assert.ok(!found.includes("s3cr3t"), found);
      assert.throws(() => endpointOf(text), { message: `the endpoint ${found}` });
    });
  }
});

describe("the endpoint of a Rook object store in its cluster", () => {
  it("is its service, where store and namespace are told", () => {
    const service = "http://rook-ceph-rgw-my-store.rook-ceph.svc:80";
    const namespace = { objectStoreNamespace: "rook-ceph" };
    for (const name of [{ objectStoreName: "my-store" }, { objectStore: "my-store" }]) {
      assert.equal(inClusterEndpoint({ ...name, ...namespace }), service);
    }
    assert.deepEqual(endpointOf(service), {
      host: "rook-ceph-rgw-my-store.rook-ceph.svc",
      port: 80,
      ssl: false,
      url: "http://rook-ceph-rgw-my-store.rook-ceph.svc",
    });
  });

  it("is not told by one of them, nor by names that no service has", () => {
    const parameters: Record<string, string>[] = [
      {},
      { objectStoreName: "my-store" },
      { objectStoreNamespace: "rook-ceph" },
      { objectStoreName: "", objectStoreNamespace: "rook-ceph" },
      { objectStoreName: "My/Store", objectStoreNamespace: "rook-ceph" },
      { objectStoreName: "a".repeat(50), objectStoreNamespace: "rook-ceph" },
      { objectStoreName: "my-store", objectStoreNamespace: "rook.ceph" },
    ];
    for (const entry of parameters) assert.equal(inClusterEndpoint(entry), undefined, JSON.stringify(entry));
  });
});
