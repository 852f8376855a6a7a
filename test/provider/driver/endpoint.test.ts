import assert from "node:assert/strict";
import { maximumSocketPathBytes, parseEndpoint } from "../../../provider/driver/endpoint";

/** An address with a socket path of so many bytes. */
function addressOf(bytes: number, filler = "n"): string {
  const frame = Buffer.byteLength("/.sock");
  const count = (bytes - frame) / Buffer.byteLength(filler);
  return `unix:///${filler.repeat(count)}.sock`;
}

describe("parseEndpoint", () => {
  it("takes an absolute path of a socket, and keeps the address as it is written", () => {
    for (const address of ["unix:///run/cosi/cosi.sock", "unix:///a b/é.sock", "unix:///.sock"]) {
      assert.deepEqual(parseEndpoint(address), { address, path: address.slice("unix://".length) });
    }
  });

  for (const [address, rule] of [
    ["/run/x.sock", "is not a UNIX domain socket"],
    ["unix:x.sock", "is not a UNIX domain socket"],
    ["tcp://127.0.0.1:9000", "is not a UNIX domain socket"],
    ["http://store/x.sock", "is not a UNIX domain socket"],
    ["localhost:9000", "is not a UNIX domain socket"],
    ["dns:///host:443", "is not a UNIX domain socket"],
    ["UNIX:///x.sock", "is not a UNIX domain socket"],
    ["", "is not a UNIX domain socket"],
    ["unix://host/x.sock", "has no absolute path"],
    ["unix://", "has no absolute path"],
    ["unix:///run/x.socket", "does not end in .sock"],
    ["unix:///run/x.sock/", "does not end in .sock"],
  ] as const) {
    it(`refuses ${JSON.stringify(address)} with the rule and the right form`, () => {
      assert.throws(
        () => parseEndpoint(address),
        (error: unknown) => {
          const text = String(error);
          return (
            text.includes(`${JSON.stringify(address)} ${rule}`) &&
            text.endsWith("unix:///<absolute path>.sock")
          );
        },
      );
    });
  }

  it("counts the bytes of the path, as the kernel does", () => {
    const longest = addressOf(maximumSocketPathBytes);
    assert.equal(Buffer.byteLength(parseEndpoint(longest).path), maximumSocketPathBytes);
    const tooLong = new RegExp(
      `has a path of ${maximumSocketPathBytes + 1} bytes.*at most ${maximumSocketPathBytes}`,
    );
    assert.throws(() => parseEndpoint(addressOf(maximumSocketPathBytes + 1)), tooLong);
    assert.throws(() => parseEndpoint(addressOf(maximumSocketPathBytes + 1, "é")), tooLong);
  });
});
