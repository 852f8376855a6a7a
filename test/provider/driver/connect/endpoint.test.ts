import assert from "node:assert/strict";
import {
  maximumSocketPathBytes,
  parseEndpoint,
  requireTls,
} from "../../../../provider/driver/connect/endpoint";

/** An address with a socket path of so many bytes. */
function addressOf(bytes: number, filler = "n"): string {
  const frame = Buffer.byteLength("/.sock");
  const count = (bytes - frame) / Buffer.byteLength(filler);
  return `unix:///${filler.repeat(count)}.sock`;
}

describe("parseEndpoint", () => {
  it("takes an absolute path of a socket, and keeps the address as it is written", () => {
    for (const address of ["unix:///run/cosi/cosi.sock", "unix:///a b/é.sock", "unix:///.sock"]) {
      assert.deepEqual(parseEndpoint(address), {
        kind: "socket",
        address,
        path: address.slice("unix://".length),
      });
    }
  });

  it("takes a host and its port, as a name or an address", () => {
    for (const [address, host, port] of [
      ["dns:///cosi.example.com:443", "cosi.example.com", 443],
      ["dns:///10.0.0.1:65535", "10.0.0.1", 65_535],
      ["dns:///[::1]:1", "[::1]", 1],
    ] as const) {
      assert.deepEqual(parseEndpoint(address), { kind: "network", address, host, port });
    }
  });

  it("leaves it to requireTls to refuse a host without TLS, and no socket", () => {
    const host = parseEndpoint("dns:///host:443");
    requireTls(host, {});
    requireTls(parseEndpoint("unix:///x.sock"), undefined);
    assert.throws(() => {
      requireTls(host, undefined);
    }, /"dns:\/\/\/host:443" is on the network.*set the input tls; write it as .* dns:\/\/\/<host>:<port> together with tls$/);
  });

  for (const [address, rule] of [
    ["/run/x.sock", "is not a UNIX domain socket"],
    ["unix:x.sock", "is not a UNIX domain socket"],
    ["tcp://127.0.0.1:9000", "is not a UNIX domain socket"],
    ["http://store/x.sock", "is not a UNIX domain socket"],
    ["localhost:9000", "is not a UNIX domain socket"],
    ["https://store:443", "is not a UNIX domain socket"],
    ["UNIX:///x.sock", "is not a UNIX domain socket"],
    ["", "is not a UNIX domain socket"],
    ["unix://host/x.sock", "has no absolute path"],
    ["unix://", "has no absolute path"],
    ["unix:///run/x.socket", "does not end in .sock"],
    ["unix:///run/x.sock/", "does not end in .sock"],
    ["dns:host:443", "does not begin with dns:///"],
    ["dns://8.8.8.8/host:443", "does not begin with dns:///"],
    ["dns:///host", "has no host and port"],
    ["dns:///:443", "has no host and port"],
    ["dns:///host:443/path", "has no host and port"],
    ["dns:///user@host:443", "has no host and port"],
    ["dns:///host:0", "has a port that is not within 1 to 65535"],
    ["dns:///host:65536", "has a port that is not within 1 to 65535"],
  ] as const) {
    it(`refuses ${JSON.stringify(address)} with the rule and the right form`, () => {
      assert.throws(
        () => parseEndpoint(address),
        (error: unknown) => {
          const text = String(error);
          return (
            text.includes(`${JSON.stringify(address)} ${rule}`) &&
            text.endsWith("unix:///<absolute path>.sock, or as dns:///<host>:<port> together with tls")
          );
        },
      );
    });
  }

  it("counts the bytes of the path, as the kernel does", () => {
    const longest = addressOf(maximumSocketPathBytes);
    assert.deepEqual(parseEndpoint(longest), {
      kind: "socket",
      address: longest,
      path: longest.slice("unix://".length),
    });
    const tooLong = new RegExp(
      `has a path of ${maximumSocketPathBytes + 1} bytes.*at most ${maximumSocketPathBytes}`,
    );
    assert.throws(() => parseEndpoint(addressOf(maximumSocketPathBytes + 1)), tooLong);
    assert.throws(() => parseEndpoint(addressOf(maximumSocketPathBytes + 1, "é")), tooLong);
  });
});
