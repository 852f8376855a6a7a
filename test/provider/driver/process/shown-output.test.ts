import assert from "node:assert/strict";
import * as fs from "node:fs";
import { status } from "@grpc/grpc-js";
import { Connection } from "../../../../provider/driver/connection";
import { closeConnections } from "../../../../provider/driver/connections";
import { superviseDriver } from "../../../../provider/driver/process/supervised-driver";
import type { ConnectionSettings } from "../../../../provider/driver/settings";
import { printed } from "../../../support/lifecycle";
import { quickSettings } from "../../../support/settings";
import { eventually } from "../../../support/stub-driver";

describe("what is shown of a driver that is started and ends", function () {
  this.timeout(120_000);
  afterEach(closeConnections);

  /** The error that a driver gives which is this script. */
  async function errorOf(script: string, changes: Partial<ConnectionSettings> = {}): Promise<string> {
    const { command = [], ...rest } = changes;
    const settings: ConnectionSettings = { ...quickSettings("unused"), connectTimeoutSeconds: 60 };
    delete settings.endpoint;
    const connection = new Connection({
      ...settings,
      ...rest,
      command: ["sh", "-c", script, "driver", ...command],
    });
    return connection.identity().then(
      () => assert.fail("the driver serves"),
      (error: unknown) => String(error),
    );
  }

  it("has short values of its environment masked as whole words, and ordinary words left [GRPC-109] [GRPC-115]", async () => {
    const environment = { PASSWORD: "hunter2", TLS: "true", LEVEL: "info", PORT: "12345", PIN: "123456" };
    const script = 'echo "login $PASSWORD/$PIN at $PORT: $TLS $LEVEL, xhunter2" >&2; exit 78';
    assert.match(
      await errorOf(script, { environment }),
      /exit status 78\nlogin \[secret\]\/\[secret\] at 12345: true info, xhunter2/,
    );
  });

  it("has each line of a secret of several lines masked", async () => {
    const key = "-----BEGIN KEY-----\nfirst-line-of-the-key\nsecond-line-of-the-key\n-----END KEY-----\n";
    const text = await errorOf('echo "$KEY" | sed -n 3p; exit 1', { environment: { KEY: key } });
    assert.match(text, /exit status 1\n\[secret\]/);
  });

  it("has the arguments of a secret command masked, and the value of a flag alone", async () => {
    const script = 'echo "unknown: $1; value ${1#*=}; also $2" >&2; exit 64';
    const command = ["--password=marker-of-a-flag", "pass123"];
    const shown = await errorOf(script, { command });
    assert.match(shown, /marker-of-a-flag/, "what is no secret is shown");
    await closeConnections();

    const other = ["--password=secret-of-a-flag", "word123"];
    const text = await errorOf(script, { command: other, secretCommand: true });
    assert.match(text, /exit status 64/);
    assert.ok(!text.includes("secret-of-a-flag") && !text.includes("word123"), text);
  });

  it("comes at once, though a process that left its group holds its output open [GRPC-109]", async () => {
    // The sleep ends by itself: nobody knows of it any more.
    const driver = await superviseDriver(["sh", "-c", "setsid sleep 20 & echo 'broken config' >&2; exit 78"]);
    const { path } = driver.endpoint;
    await eventually("the end is noticed", () => driver.ended() !== undefined);
    assert.match(driver.ended() ?? "", /exit status 78\nbroken config/);
    await driver.stop();
    assert.ok(!fs.existsSync(path.slice(0, -"/driver.sock".length)));
  });

  it("is why it could not be started, if it is TMPDIR", async () => {
    const { TMPDIR: before } = process.env;
    process.env["TMPDIR"] = "/nonexistent";
    try {
      assert.match(await errorOf("exit 1"), /ENOENT.*\/nonexistent\/cosi-.*set TMPDIR to a folder/);
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });

  it("is why it could not be started, if it is an argument that is none", async () => {
    assert.match(await errorOf("exit 1", { command: ["a\0b"] }), /could not be started: .*null bytes/);
  });
});

/** What the driver below does; `$NAME` in a text is a variable of its environment. */
interface Script {
  /** Written to stderr at each call that fails. */
  readonly says?: string;
  /** The code, and the words, of the answer to each call of the provisioner. @default OK, with the words as the id */
  readonly code?: number;
  readonly words?: string;
  /** The code of the answer to the question for its name. @default OK */
  readonly identity?: number;
}

/** Takes a {@link Script} as its argument: what stands in its environment is masked. */
const talking = `
  const { Server, ServerCredentials } = require("@grpc/grpc-js");
  const { COSI_ENDPOINT, ...environment } = process.env;
  const filled = process.argv[1].replaceAll(/[$]([A-Z]+)/g, (_, name) => environment[name]);
  const { says, code, words = "", identity } = JSON.parse(filled);
  const bytes = (value) => value;
  const method = {
    requestStream: false, responseStream: false,
    requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes,
  };
  const server = new Server();
  const serve = (path, code, reply) => {
    const answer = (_, callback) => {
      if (code === undefined) return callback(null, Buffer.concat([Buffer.from([0x0a, reply.length]), Buffer.from(reply)]));
      if (says !== undefined) console.error(says);
      callback({ code, details: words });
    };
    server.addService({ [path]: { ...method, path } }, { [path]: answer });
  };
  serve("/cosi.v1alpha1.Identity/DriverGetInfo", identity, "d.example.com");
  serve("/cosi.v1alpha1.Provisioner/DriverCreateBucket", code, words);
  serve("/cosi.v1alpha1.Provisioner/DriverDeleteBucket", code, "");
  server.bindAsync(COSI_ENDPOINT, ServerCredentials.createInsecure(), () => undefined);
`;

describe("what is shown of a driver that is started and stays", function () {
  this.timeout(120_000);
  afterEach(closeConnections);

  const environment = { PASSWORD: "hunter2", TLS: "true" };
  const started = (command: string[], changes: Partial<ConnectionSettings> = {}): Connection => {
    const settings: ConnectionSettings = { ...quickSettings("unused"), connectTimeoutSeconds: 60 };
    delete settings.endpoint;
    return new Connection({ ...settings, environment, command, ...changes });
  };
  const talker = (script: Script, changes: Partial<ConnectionSettings> = {}): Connection =>
    started([process.execPath, "--eval", talking, JSON.stringify(script)], changes);
  const target = { bucket: "b1", subject: "bucket b1", driverName: "d.example.com" };
  const create = ({ client }: Connection) => client.createBucket({ name: "b1", parameters: {} }, target);
  const errorOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => assert.fail("the call goes well"),
      (error: unknown) => String(error),
    );

  it("is what it wrote last, where an RPC error sends the user to its log, secrets masked [GRPC-062] [GRPC-115] [DEP-082]", async () => {
    const says = "one\ntwo\n\nthree\nfour\nfive\nlogin with $PASSWORD failed, tls $TLS";
    for (const [code, name] of [
      [status.UNKNOWN, "UNKNOWN"],
      [status.INTERNAL, "INTERNAL"],
      [99, "code 99"],
    ] as const) {
      const text = await errorOf(create(talker({ says, code, words: "see the log" })));
      const lines = "two\nthree\nfour\nfive\nlogin with [secret] failed, tls true";
      const error = `DriverCreateBucket: ${name}: see the log; it wrote last:\n${lines} (3 attempts in `;
      assert.ok(text.includes(error), text);
      assert.match(
        text,
        /Next: look at what the driver wrote last, as shown here, then run the command again\.$/,
      );
    }
    const wordless = await errorOf(create(talker({ says: "the reason", code: status.INTERNAL })));
    assert.match(
      wordless,
      /INTERNAL: the driver gave no reason; it wrote last:\n(the reason\n){2}the reason \(3 /,
    );
  });

  it("keeps the rest of a step that sends to its log [GRPC-062]", async () => {
    const { client } = talker({ says: "the reason", code: status.INVALID_ARGUMENT, words: "no" });
    assert.match(
      await errorOf(client.deleteBucket({ bucketId: "b1", context: {} }, target)),
      /INVALID_ARGUMENT: no; it wrote last:\nthe reason \[bucket b1, .*Next: the call carries what the state keeps of the create, so look for the reason in what the driver wrote last/s,
    );
  });

  it("is nothing where the next step is another one", async () => {
    const connection = talker({ says: "the reason", code: status.PERMISSION_DENIED, words: "no" });
    assert.match(await errorOf(create(connection)), /PERMISSION_DENIED: no \[bucket b1, /);
  });

  it("is that it wrote nothing, and how it would, where an RPC error sends the user to its log [GRPC-062]", async () => {
    assert.match(
      await errorOf(create(talker({ code: status.INTERNAL, words: "see the log" }))),
      /INTERNAL: see the log \(3 .*Next: look at the driver's output, which is empty: raise its log level by command or environment of the Driver, then run/,
    );
  });

  it("is what it wrote last where it makes no socket in time, secrets masked [GRPC-062] [GRPC-087] [GRPC-115]", async () => {
    const script = 'echo "cannot reach the store with $PASSWORD, again" >&2; echo more; exec sleep 60';
    assert.match(
      await errorOf(started(["sh", "-c", script], { connectTimeoutSeconds: 1 }).identity()),
      /no socket appeared at \S+ within 1 s; the driver is running and wrote last:\ncannot reach the store with \[secret\], again \[.*Next: correct command or environment of the Driver as this message suggests/s,
    );
    const mute = await errorOf(started(["sleep", "60"], { connectTimeoutSeconds: 1 }).identity());
    assert.match(
      mute,
      /no socket appeared at \S+ within 1 s; the driver is running and has written nothing \[/,
    );
  });

  it("is what it wrote last where it does not say who it is [GRPC-062] [GRPC-115]", async () => {
    for (const [identity, text] of [
      [status.INTERNAL, /DriverGetInfo failed: it failed; it wrote last:\nno store/],
      [
        status.UNAVAILABLE,
        /DriverGetInfo failed: it failed; the driver is running and wrote last:\nno store/,
      ],
    ] as const) {
      const connection = talker(
        { says: "no store", words: "it failed", identity },
        // Node has to start meanwhile.
        { connectTimeoutSeconds: 6 },
      );
      assert.match(await errorOf(connection.identity()), text);
    }
  });

  it("has short values of its environment masked in RPC errors and in the trace, as in its output [GRPC-084] [GRPC-062]", async () => {
    process.env["PULUMI_COSI_TRACE"] = "1";
    try {
      const words = "login with $PASSWORD failed, tls $TLS, x$PASSWORD";
      const said = "login with [secret] failed, tls true, xhunter2";
      const refused = talker({ code: status.PERMISSION_DENIED, words });
      const unknown = talker({ identity: status.UNAUTHENTICATED, words });
      const trace = await printed(async () => {
        assert.ok((await errorOf(create(refused))).includes(`PERMISSION_DENIED: ${said} [bucket b1`));
        assert.ok((await errorOf(create(unknown))).includes(`DriverGetInfo failed: ${said} [bucket b1`));
      });
      assert.equal(trace.filter((line) => line.endsWith(`→ "${said}"`)).length, 2, trace.join("\n"));

      const lines = await printed(async () => {
        const { reply } = await create(talker({ words: "at $PASSWORD" }));
        assert.equal(reply.bucketId, "at hunter2", "an id is passed on as it is");
      });
      assert.ok(lines.at(-1)?.endsWith('→ {"bucketId":"at [secret]"}'), lines.join("\n"));
    } finally {
      delete process.env["PULUMI_COSI_TRACE"];
    }
  });

  it("is nothing of the variables of another driver", async () => {
    const words = "hunter2 is no word of this one";
    await errorOf(create(talker({ code: status.PERMISSION_DENIED, words })));
    const other = talker({ code: status.PERMISSION_DENIED, words }, { environment: {} });
    assert.ok((await errorOf(create(other))).includes(words));
  });
});
