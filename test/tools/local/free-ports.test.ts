import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";

import { freePorts, withFreePorts } from "../../../tools/local/free-ports";

describe("free ports", () => {
  it("are all different, also for several who ask at once, and can be listened on", async () => {
    const lists = await Promise.all([freePorts(10), freePorts(10), freePorts(10)]);
    assert.equal(new Set(lists.flat()).size, 30);
    const server = createServer().listen(lists[0][0], "127.0.0.1");
    await once(server, "listening");
    server.close();
  });

  it("are others at the next try when a server finds one taken", async () => {
    const tried: number[] = [];
    const result = await withFreePorts(1, ([port = 0]) => {
      tried.push(port);
      if (tried.length === 1)
        return Promise.reject(new Error("etcd ended: listen tcp: bind: address already in use"));
      return Promise.resolve("up");
    });
    assert.equal(result, "up");
    assert.equal(new Set(tried).size, 2);
  });

  it("are not tried again for an error of another kind, nor for ever", async () => {
    let tries = 0;
    const failing = (message: string) => () => {
      tries += 1;
      return Promise.reject(new Error(message));
    };
    await assert.rejects(withFreePorts(1, failing("no space left on device")), /no space left/);
    assert.equal(tries, 1);
    await assert.rejects(withFreePorts(1, failing("address already in use")), /already in use/);
    assert.equal(tries, 4);
  });
});
