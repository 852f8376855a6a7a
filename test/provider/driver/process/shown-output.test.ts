import assert from "node:assert/strict";
import * as fs from "node:fs";
import { Connection } from "../../../../provider/driver/connection";
import { closeConnections } from "../../../../provider/driver/connections";
import { superviseDriver } from "../../../../provider/driver/process/supervised-driver";
import type { ConnectionSettings } from "../../../../provider/driver/settings";
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
