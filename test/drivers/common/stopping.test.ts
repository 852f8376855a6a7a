import { status, type sendUnaryData, type ServerUnaryCall, type ServiceDefinition } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { once, EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { startServer } from "../../../drivers/common/server/driver-server";
import { refusal } from "./calls";
import { makeFolders } from "./folders";
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

describe("a driver that is told to stop while a call is in flight", () => {
  it("takes no call any more, on the old connection or a new one, and answers the one in flight [GRPC-108]", async () => {
    const folders = makeFolders();
    const work = new EventEmitter();
    const taken: string[] = [];
    const call = ({ request }: ServerUnaryCall<string, string>, done: sendUnaryData<string>): void => {
      taken.push(request);
      if (taken.length > 1) {
        done(null, "too late");
        return;
      }
      work.once("end", () => {
        done(null, "ok");
      });
      work.emit("begin");
    };
    const socket = { path: folders.socket, variable: "TEST_ENDPOINT", mode: 0o600 };
    const server = await startServer(socket, [{ definition, implementation: { call } }]);
    const [old, fresh] = [new RawClient(folders.socket), new RawClient(folders.socket)];
    try {
      const begun = once(work, "begin");
      const inFlight = old.call(PATH, Buffer.from("first").toString("hex"));
      await begun;
      const stopped = server.stop(once(work, "end"));
      for (const client of [old, fresh]) {
        await refusal(client.call(PATH, Buffer.from("late").toString("hex")), status.UNAVAILABLE);
      }
      work.emit("end");
      assert.equal(await inFlight, Buffer.from("ok").toString("hex"));
      await stopped;
      assert.deepEqual(taken, ["first"]);
      assert.equal(existsSync(folders.socket), false);
    } finally {
      old.close();
      fresh.close();
      folders.remove();
    }
  });
});
