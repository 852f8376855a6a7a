import { type ServiceDefinition, status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { Calls, type Explain } from "../../../drivers/common/calls/calls";
import { DriverError } from "../../../drivers/common/driver-error";
import { createLog } from "../../../drivers/common/log";
import { type DriverServer, startServer } from "../../../drivers/common/server/driver-server";
import { refusal } from "./calls";
import { type Folders, makeFolders } from "./folders";
import { RawClient } from "./raw-client";

const PATH = "/test.Service/Call";

/** One RPC, whose messages are text. */
const definition = {
  call: {
    path: PATH,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value: string) => Buffer.from(value),
    requestDeserialize: String,
    responseSerialize: (value: string) => Buffer.from(value),
    responseDeserialize: String,
  },
} satisfies ServiceDefinition;

describe("the calls of a driver", () => {
  const logLines: string[] = [];
  let folders: Folders;
  let server: DriverServer;
  let client: RawClient;
  let answer: () => Promise<string>;
  let explain: Explain;

  const send = () => client.call(PATH, "00");

  before(async () => {
    folders = makeFolders();
    const log = createLog("info", (line) => logLines.push(line));
    const calls = new Calls(log, (error, attempt) => explain(error, attempt));
    const call = calls.unary({
      rpc: "Call",
      attempt: () => "do it",
      subject: () => ({}),
      answer: () => answer(),
    });
    server = await startServer({ path: folders.socket, mode: 0o600, variable: "ENDPOINT" }, [
      { definition, implementation: { call } },
    ]);
    client = new RawClient(folders.socket);
  });

  after(async () => {
    client.close();
    await server.stop(Promise.resolve());
    folders.remove();
  });

  beforeEach(() => {
    answer = () => Promise.reject(new Error("refused"));
    explain = () => new DriverError("invalid-argument", "refused");
  });

  afterEach(async () => {
    answer = () => Promise.resolve("ok");
    assert.equal(await send(), Buffer.from("ok").toString("hex"));
  });

  for (const [what, text, told] of [
    ["the first half of a character", "\ud83d", "\ufffd"],
    ["the second half of one", "\ude00", "\ufffd"],
    ["halves in the wrong order", "\ude00\ud83d", "\ufffd\ufffd"],
    ["a whole one", "😀", "😀"],
  ] as const) {
    it(`tell a reason with ${what} [GRPC-058] [DEP-052]`, async () => {
      explain = () => new DriverError("invalid-argument", `"${text}" is none`);
      const { details } = await refusal(send(), status.INVALID_ARGUMENT);
      assert.equal(details, `"${told}" is none`);
    });
  }

  it("answer INTERNAL, and go on, where the reason itself cannot be told [GRPC-058] [DEP-052]", async () => {
    explain = () => {
      throw new Error("no words for it");
    };
    const { details } = await refusal(send(), status.INTERNAL);
    assert.match(details, /^Call has ended, but the driver cannot tell how: look at its log/);
    assert.match(logLines.at(-1) ?? "", /"reply failed","rpc":"Call","reason":"no words for it"/);
  });
});
