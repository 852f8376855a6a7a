import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as crypto from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { SecretWatch } from "./secret-watch";
import { secretsOfState } from "./state-secrets";

const passphrase = "pass-phrase-of/the+run";
const secret = "s3cr3t/of the+state=";
const given = "g1ven/to-the-command";

interface CommandOfTest {
  readonly text?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What Pulumi writes to its backend. */
function stateWith(properties: object): string {
  const salt = crypto.randomBytes(8);
  const key = crypto.pbkdf2Sync(passphrase, salt, 1_000_000, 32, "sha256");
  const sealed = (value: unknown): object => {
    const nonce = crypto.randomBytes(12);
    const cipher = crypto.createCipheriv("aes-256-gcm", key, nonce);
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final(), cipher.getAuthTag()]);
    const ciphertext = `v1:${nonce.toString("base64")}:${text.toString("base64")}`;
    return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext };
  };
  const hidden = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, sealed(value)]));
  const provider = { type: "passphrase", state: { salt: `v1:${salt.toString("base64")}:v1:a:b` } };
  return JSON.stringify({ deployment: { secrets_providers: provider, resources: [{ outputs: hidden }] } });
}

describe("the watch over secrets", () => {
  const state = stateWith({
    credentials: { accessSecretKey: secret, endpoint: "http://127.0.0.1:9", protocol: "S3" },
    environment: { STORE_PASSWORD: given },
  });
  let folder: string;
  let temporary: string;
  let backend: string;
  let watch: SecretWatch;

  /** What the watch says of a command that does this. */
  const finding = async (
    does: () => void | Promise<void>,
    { text = "", args = ["up"], env = {} }: CommandOfTest = {},
  ): Promise<string> => {
    try {
      await watch.during({ args, env }, async () => {
        await does();
        return { text };
      });
      return "";
    } catch (error) {
      assert.ok(error instanceof Error);
      for (const hidden of [secret, passphrase, given])
        assert.ok(!error.message.includes(hidden), "a finding quotes it");
      return error.message;
    }
  };
  /** Runs a process of the run for as long as it takes to be seen. */
  const child = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> =>
    new Promise((resolve) => {
      const wait = ["-e", "setTimeout(() => {}, 600)", ...args];
      execFile(process.execPath, wait, { env: { HOME: folder, ...env } }, () => {
        resolve();
      });
    });

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "secret-watch-"));
    [temporary, backend] = [path.join(folder, "tmp"), path.join(folder, "backend")];
    for (const each of [temporary, backend]) fs.mkdirSync(each);
    fs.writeFileSync(path.join(backend, "test.json"), state);
    watch = new SecretWatch({ home: folder, temporary, backend, passphrase });
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it("knows what a state encrypts, and where it stands", async () => {
    const secrets = await secretsOfState(state, passphrase);
    assert.deepEqual(
      secrets.map(({ path: keys, text }) => `${keys.slice(-2).join(".")} ${text}`),
      [
        `credentials.accessSecretKey ${secret}`,
        "credentials.endpoint http://127.0.0.1:9",
        "credentials.protocol S3",
        `environment.STORE_PASSWORD ${given}`,
      ],
    );
    await assert.rejects(secretsOfState(state, "another"));
  });

  it("is silent where secrets are encrypted, asked for, or given to who needs them", async () => {
    const socket = `unix://${temporary}/cosi-a/driver.sock`;
    fs.mkdirSync(path.join(temporary, "cosi-a"), { mode: 0o700 });
    const driver = (): Promise<void> => child([], { COSI_ENDPOINT: socket, STORE_PASSWORD: given });
    assert.equal(await finding(driver, { text: "http://127.0.0.1:9 of S3" }), "");
    assert.equal(
      await finding(() => undefined, { text: secret, args: ["stack", "output", "--show-secrets"] }),
      "",
    );
    const cli = { PULUMI_CONFIG_PASSPHRASE: passphrase, TOKEN: secret };
    assert.equal(await finding(() => child([], cli), { env: cli }), "");
  });

  it("finds a secret in what is printed, also before it was known", async () => {
    assert.match(
      await finding(() => undefined, { text: `key ${secret}` }),
      /accessSecretKey.* \(plain\) in output 1 \(up\)/,
    );
    fs.rmSync(path.join(backend, "test.json"));
    watch = new SecretWatch({ home: folder, temporary, backend, passphrase });
    assert.equal(await finding(() => undefined, { text: JSON.stringify({ secret }), args: ["preview"] }), "");
    const later = (): void => {
      fs.writeFileSync(path.join(backend, "test.json"), state);
    };
    assert.match(await finding(later), /in output 1 \(preview\)/);
  });

  it("finds a secret in the state, its history and backups", async () => {
    fs.mkdirSync(path.join(backend, "history"));
    fs.writeFileSync(path.join(backend, "history", "old.json"), JSON.stringify({ a: secret }));
    assert.match(await finding(() => undefined), /accessSecretKey.* in .*history\/old\.json/);
  });

  it("finds a secret in the arguments of a process", async () => {
    assert.match(await finding(() => child([`key=${secret}`])), /in arguments of process \d+ \(pulumi\)/);
  });

  it("finds a secret in the environment of a process, and all of Pulumi's in that of a driver or a supervisor", async () => {
    assert.match(await finding(() => child([], { KEY: secret })), /in the environment of a process \(pulumi/);
    const COSI_ENDPOINT = `unix://${temporary}/cosi-a/driver.sock`;
    const driver = (): Promise<void> => child([], { COSI_ENDPOINT, PULUMI_HOME: "/x", OTHER: passphrase });
    const found = await finding(driver);
    assert.match(found, /^PULUMI_HOME in the environment of a process \(driver/m);
    assert.match(found, /^the passphrase \(plain\) in the environment of a process \(driver/m);
    const supervisor = ["pulumi-cosi/provider/driver/process/supervisor.js"];
    assert.match(
      await finding(() => child(supervisor, { PULUMI_CONFIG_PASSPHRASE: passphrase })),
      /^PULUMI_CONFIG_PASSPHRASE in the environment of a process \(supervisor/m,
    );
  });

  it("finds a secret in a temporary file, also in one that is gone when the command ends", async () => {
    const file = path.join(temporary, "notes");
    const writes = async (): Promise<void> => {
      fs.writeFileSync(file, Buffer.from(secret).toString("base64"));
      await new Promise((resolve) => setTimeout(resolve, 500));
      fs.rmSync(file);
    };
    assert.match(await finding(writes), /\(base64 at 0\) in .*\/notes/);
  });

  it("finds a folder of the package that others may enter", async () => {
    const opens = (): void => {
      fs.mkdirSync(path.join(temporary, "cosi-open"));
      fs.chmodSync(path.join(temporary, "cosi-open"), 0o755);
    };
    assert.match(await finding(opens), /cosi-open has the mode 755/);
  });
});
