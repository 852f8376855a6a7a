import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { hasProc, listeners } from "../../conformance/proc";

describe("the listeners of a process", () => {
  for (const [bound, reached] of [
    ["127.0.0.1", "127.0.0.1"],
    ["127.0.0.2", "127.0.0.2"],
    ["0.0.0.0", "127.0.0.1"],
    ["::1", "::1"],
    ["::", "::1"],
  ] as const) {
    it(`of ${bound} are told with the address at which they answer`, async function () {
      if (!hasProc()) this.skip();
      const server = createServer();
      server.listen(0, bound);
      try {
        await once(server, "listening");
      } catch {
        // A machine without this address.
        this.skip();
      }
      try {
        const { port } = server.address() as AddressInfo;
        const found = listeners(process.pid).filter((listener) => listener.port === port);
        assert.deepEqual(found, [{ host: reached, port }]);
      } finally {
        server.close();
      }
    });
  }
});
