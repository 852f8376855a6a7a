import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { KubernetesClient } from "../../../provider/kubernetes/client";
import { secretKind } from "../../../provider/kubernetes/object";
import { SharedReads } from "../../../provider/kubernetes/shared-reads";
import { kubeconfigOf } from "../../support/kubeconfig";

/** A read that ends when it is told to; its answer is its number. */
class Reader {
  readonly #ends: ((error?: Error) => void)[] = [];

  get count(): number {
    return this.#ends.length;
  }

  readonly read = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const number = this.#ends.length + 1;
      this.#ends.push((error) => {
        if (error === undefined) resolve(number);
        else reject(error);
      });
    });

  async end(number: number, error?: Error): Promise<void> {
    this.#ends[number - 1]?.(error);
    // What waits for it goes on.
    await new Promise(setImmediate);
  }
}

describe("reads that are shared", () => {
  let reader: Reader;
  let reads: SharedReads<number>;
  const get = (key = "one"): Promise<number> => reads.get(key, reader.read);

  beforeEach(() => {
    reader = new Reader();
    reads = new SharedReads();
  });

  it("give those who come during a read the next one, together, and never the one under way", async () => {
    const first = get();
    const others = Promise.all([get(), get(), get()]);
    assert.equal(reader.count, 1);
    await reader.end(1);
    assert.equal(await first, 1);
    assert.equal(reader.count, 2);
    const late = get();
    await reader.end(2);
    assert.deepEqual(await others, [2, 2, 2]);
    await reader.end(3);
    assert.equal(await late, 3);
    assert.equal(reader.count, 3);
  });

  it("begin at once where none is under way", async () => {
    const first = get();
    await reader.end(1);
    await first;
    void get();
    assert.equal(reader.count, 2);
  });

  it("go on after one that failed, whose error is for those who asked for it", async () => {
    const first = get();
    const others = [get(), get()];
    const failed = assert.rejects(first, /no answer/);
    await reader.end(1, new Error("no answer"));
    await failed;
    await reader.end(2);
    assert.deepEqual(await Promise.all(others), [2, 2]);
  });

  it("are of one key each", async () => {
    const both = Promise.all([get("one"), get("two")]);
    assert.equal(reader.count, 2);
    await reader.end(1);
    await reader.end(2);
    assert.deepEqual(await both, [1, 2]);
  });
});

describe("lists of objects", () => {
  const requests: string[] = [];
  let answers: number;
  let server: Server;
  let client: KubernetesClient;

  before(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? "");
      const isList = request.url?.includes("/secrets") === true;
      answers += isList ? 1 : 0;
      const item = { metadata: { name: `answer-${answers}` } };
      response.writeHead(200, { "Content-Type": "application/json" });
      setTimeout(() => response.end(JSON.stringify(isList ? { items: [item] } : item)), isList ? 50 : 0);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const cluster = { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
    client = await KubernetesClient.open(kubeconfigOf(cluster), undefined);
  });

  beforeEach(() => {
    requests.length = 0;
    answers = 0;
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const names = async (namespace: string): Promise<string[]> =>
    (await client.list(secretKind, { namespace })).map(({ metadata }) => metadata.name);

  it("are read twice for all who ask while one is under way, who see what is there from then on", async () => {
    const first = names("shop");
    const others = Promise.all(Array.from({ length: 20 }, () => names("shop")));
    assert.deepEqual(await first, ["answer-1"]);
    assert.deepEqual(new Set((await others).flat()), new Set(["answer-2"]));
    assert.equal(requests.length, 2);
  });

  it("are of one namespace each", async () => {
    await Promise.all([names("shop"), names("mail")]);
    assert.equal(requests.length, 2);
  });
});
