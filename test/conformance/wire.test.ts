import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import * as http2 from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runConformance } from "../../conformance/run";
import { Wire } from "../../conformance/wire";
import { options } from "./support/options";
import { idsWith } from "./support/tested-driver";

const path = "/cosi.v1alpha1.Identity/DriverGetInfo";
const patience = 10_000;

describe("a call of the conformance check, on the wire", function () {
  this.timeout(60_000);
  let folder: string;
  let socket: string;
  let server: http2.Http2Server;
  let wire: Wire;
  let answer: (stream: http2.ServerHttp2Stream) => void;
  const sessions = new Set<http2.ServerHttp2Session>();

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "conformance-wire-"));
    socket = join(folder, "driver.sock");
    server = http2.createServer();
    server.on("session", (session: http2.ServerHttp2Session) => sessions.add(session));
    server.on("stream", (stream: http2.ServerHttp2Stream) => {
      stream.on("error", () => undefined);
      stream.resume();
      answer(stream);
    });
    server.listen(socket);
    await once(server, "listening");
    wire = new Wire({ path: socket });
  });

  afterEach(async () => {
    wire.close();
    for (const session of sessions) session.destroy();
    server.close();
    await once(server, "close");
    rmSync(folder, { recursive: true, force: true });
  });

  const call = () => wire.unary(path, Buffer.alloc(0), patience);

  it("reads a status that comes alone, its message decoded and its details seen", async () => {
    answer = (stream) => {
      stream.respond(
        {
          ":status": 200,
          "content-type": "application/grpc",
          "grpc-status": "5",
          "grpc-message": "no bucket %22caf%C3%A9%22",
          "grpc-status-details-bin": "CAU=",
        },
        { endStream: true },
      );
    };
    assert.deepEqual(await call(), {
      code: 5,
      message: 'no bucket "café"',
      details: true,
      body: undefined,
      lost: undefined,
      late: false,
      neverSent: false,
    });
  });

  it("reads a message that comes in pieces, with its status in the trailers", async () => {
    answer = (stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => {
        stream.sendTrailers({ "grpc-status": "0" });
      });
      stream.write(Buffer.from([0, 0, 0]));
      stream.write(Buffer.from([0, 3, 0x0a]));
      stream.end(Buffer.from([1, 0x61]));
    };
    const { code, body } = await call();
    assert.equal(code, 0);
    assert.deepEqual(body, Buffer.from([0x0a, 1, 0x61]));
  });

  const faults: readonly [string, (stream: http2.ServerHttp2Stream) => void, RegExp][] = [
    [
      "a stream that is reset",
      (stream) => {
        stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
      },
      /NGHTTP2_INTERNAL_ERROR|HTTP\/2 code 2/,
    ],
    [
      "a reply without a status",
      (stream) => {
        stream.respond({ ":status": 200 }, { endStream: true });
      },
      /the reply has no grpc-status \(HTTP status 200/,
    ],
    [
      "a status that is no number",
      (stream) => {
        stream.respond({ ":status": 200, "grpc-status": "NOT_FOUND" }, { endStream: true });
      },
      /the reply has grpc-status "NOT_FOUND"/,
    ],
    [
      "a connection that breaks",
      (stream) => {
        stream.session?.destroy();
      },
      /./,
    ],
  ];
  for (const [what, fault, said] of faults) {
    it(`tells ${what} from a status, and the driver fails GRPC-058 [GRPC-129]`, async () => {
      answer = fault;
      const { code, lost } = await call();
      assert.equal(code, undefined);
      assert.match(lost ?? "", said);
      const report = await runConformance(options({ endpoint: `unix://${socket}` }));
      assert.ok(idsWith(report, "fail").includes("GRPC-058"));
    });
  }

  it("tells a code that gRPC does not name, and the driver fails GRPC-058 [GRPC-129]", async () => {
    answer = (stream) => {
      stream.respond({ ":status": 200, "grpc-status": "17", "grpc-message": "odd" }, { endStream: true });
    };
    const report = await runConformance(options({ endpoint: `unix://${socket}` }));
    const line = report.lines.find(({ id }) => id === "GRPC-058");
    assert.equal(line?.status, "fail");
    assert.match(line.problems[0]?.answered ?? "", /^code 17: odd$/);
  });

  it("tells a request that nobody has read from one that was not answered", async () => {
    answer = (stream) => {
      stream.session?.destroy();
    };
    assert.equal((await call()).neverSent, false);
    const nowhere = new Wire({ path: join(folder, "nobody.sock") });
    const reply = await nowhere.unary(path, Buffer.alloc(0), patience);
    assert.match(reply.lost ?? "", /ENOENT/);
    assert.equal(reply.neverSent, true);
  });

  it("gives up after its patience, and reaches a driver that came back after a broken connection", async () => {
    answer = () => undefined;
    assert.equal((await wire.unary(path, Buffer.alloc(0), 50)).lost, "no answer within 0.05 s");
    for (const session of sessions) session.destroy();
    answer = (stream) => {
      stream.respond({ ":status": 200, "grpc-status": "12" }, { endStream: true });
    };
    let reply = await call();
    // The client may not know yet that the connection is gone.
    if (reply.code === undefined) reply = await call();
    assert.equal(reply.code, 12);
  });
});
