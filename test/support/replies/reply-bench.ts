import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { secretMask } from "../../../provider/driver/secrets/secret-mask";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { FailedResourceError } from "../../../provider/dynamic/failed";
import { isRecord } from "../../../provider/dynamic/values";
import { answers, driverName, paths } from "../cosi-v1alpha1";
import { SecretScanner } from "../end-to-end/secret-scanner";
import type { Answer } from "../fake-driver";
import { Lifecycle, wire, type Properties } from "../lifecycle";
import { beginRun } from "../run";
import { driverReference, quickSettings } from "../settings";
import { expectedEnding, type Ending } from "./expected-ending";
import { grpcHeaders, okAnswer, statusAnswer, type RawAnswer } from "./raw-answer";
import { RawDriver, type RawCall } from "./raw-driver";
import type { Rpc } from "./reply-bytes";
import { answerOf, type Reply, type ReplyCase } from "./reply-case";
import { credentialsIn, idIn, readFields } from "./wire-reading";

const unimplemented = 12;
const longestCase = 60_000;
const traceVariable = "PULUMI_COSI_TRACE";
const rpcs = Object.entries(paths) as [Rpc, string][];
/** No secret is as short; a shorter text stands elsewhere by chance. */
const shortestSecret = 8;

/** Waits that a reply cannot use up, and pauses that cost nothing. */
const waits = {
  callTimeoutSeconds: 50,
  connectTimeoutSeconds: 50,
  retryBudgetSeconds: 50,
  firstRetryDelayMilliseconds: 1,
};

/** Runs steps of resources against a driver whose replies are not as they should be, and judges what comes of them. */
export class ReplyBench {
  /** Replies that were sent to steps under test. */
  sent = 0;
  readonly #driver = new RawDriver((call) => this.#answer(call));
  readonly #bucket = new Lifecycle(bucketProvider);
  readonly #access = new Lifecycle(accessProvider);
  readonly #store = new Lifecycle(driverProvider);
  readonly #unhandled: unknown[] = [];
  /** Properties of a bucket and an access that are as they should be. */
  #made: { readonly bucket: Properties; readonly access: Properties } = { bucket: {}, access: {} };
  #run = new CaseRun();

  async start(): Promise<this> {
    process.on("unhandledRejection", this.#note);
    process.on("uncaughtException", this.#note);
    process.env[traceVariable] = "1";
    await this.#driver.start();
    const shown = capture();
    try {
      beginRun();
      this.#made = {
        bucket: (await this.#bucket.create(this.#bucketInputs("recorded", "secret/parameter"))).outputs,
        access: (await this.#access.create(this.#accessInputs("secret/parameter"))).outputs,
      };
    } finally {
      shown.release();
    }
    return this;
  }

  async stop(): Promise<void> {
    await closeConnections();
    await this.#driver.stop();
    Reflect.deleteProperty(process.env, traceVariable);
    process.off("unhandledRejection", this.#note);
    process.off("uncaughtException", this.#note);
  }

  /** Runs one case. @throws AssertionError that says which property it breaks. */
  async judge(given: ReplyCase): Promise<void> {
    beginRun();
    secretMask.clear();
    this.#run = new CaseRun();
    const shown = capture();
    try {
      await inTime(this.#steps(given));
      // A rejection that nobody handles is told after the microtasks.
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      shown.release();
    }
    assert.deepEqual(this.#unhandled.splice(0), [], "nothing is thrown beside the step");
    this.#judgeSecrets(given, [...shown.lines, ...this.#run.texts]);
  }

  readonly #note = (reason: unknown): void => {
    this.#unhandled.push(reason);
  };

  /** The step under test, and what the user does afterwards. */
  async #steps(given: ReplyCase): Promise<void> {
    const { parameter, keyId, secretKey } = given.secrets;
    switch (given.rpc) {
      case "getInfo":
        await this.#connect(given);
        break;
      case "create": {
        this.#run.script("create", given.replies, [parameter]);
        const inputs = this.#bucketInputs(given.named ? "photos" : undefined, parameter);
        await this.#make(given, this.#bucket, inputs, "bucketId");
        break;
      }
      case "grant": {
        this.#run.script("grant", given.replies, [parameter]);
        this.#run.script("revoke", given.revokes, [parameter], "granted");
        await this.#make(given, this.#access, this.#accessInputs(parameter), "accountId");
        break;
      }
      case "delete": {
        this.#run.script("delete", given.replies, [parameter]);
        this.#run.tell("create", String(this.#made.bucket["bucketId"]));
        const outputs = { ...this.#made.bucket, parameters: { password: parameter } };
        await this.#remove(given, this.#bucket, outputs);
        break;
      }
      case "revoke": {
        this.#run.script("revoke", given.replies, [parameter, keyId, secretKey]);
        this.#run.tell("grant", String(this.#made.access["accountId"]));
        const granted = { protocol: "S3", secrets: { accessKeyID: keyId, accessSecretKey: secretKey } };
        const outputs = { ...this.#made.access, parameters: { password: parameter }, granted };
        await this.#remove(given, this.#access, outputs);
        break;
      }
    }
  }

  /** Asks for the driver's name on a new connection. No other driver than the recorded one may be sent anything. */
  async #connect(given: ReplyCase): Promise<void> {
    await closeConnections();
    this.#run.script("getInfo", given.replies, []);
    this.#run.tell("create", String(this.#made.bucket["bucketId"]));
    const step =
      given.asks === "driver"
        ? this.#store.create({ ...quickSettings(this.#driver.endpoint), ...waits, logicalName: "store" })
        : this.#bucket.delete(this.#made.bucket);
    const { error } = await this.#attempt<unknown>(step);
    const named = this.#run.answered("getInfo").at(-1)?.id?.toString().toLowerCase();
    if (given.asks === "bucket" && error === undefined) assert.equal(named, driverName);
    const others = this.#run.calls.filter(({ rpc }) => rpc !== "getInfo");
    if (named !== driverName) assert.deepEqual(others, [], "another driver is sent nothing");
    this.#judgeIds("delete", "create");
    await closeConnections();
  }

  async #make(
    given: ReplyCase,
    life: Lifecycle,
    inputs: Properties,
    idKey: "bucketId" | "accountId",
  ): Promise<void> {
    const rpc = idKey === "bucketId" ? "create" : "grant";
    const end = idKey === "bucketId" ? "delete" : "revoke";
    const { error, result } = await this.#attempt(life.create(inputs));
    const name = result?.id ?? (error instanceof FailedResourceError ? error.id : "");
    const state = error instanceof FailedResourceError ? error.properties : result?.raw;
    const ending: Ending = error === undefined ? "done" : state === undefined ? "dropped" : "kept";
    const revoked = this.#run.calls.filter((call) => call.rpc === "revoke").length;
    const good: Reply = { kind: "message", message: { bytes: this.#fine(rpc, name), readable: "yes" } };
    const expected = expectedEnding(rpc, [...given.replies, good], { name, named: given.named });
    const attempts = this.#run.calls.filter((call) => call.rpc === rpc).length;
    if (expected !== undefined) {
      assert.equal(attempts, expected.attempts, "attempts");
      const withdraws = expected.ending === "dropped" && expected.id !== undefined;
      const after = withdraws ? this.#afterWithdrawal(given, name) : expected.ending;
      if (after !== undefined) assert.equal(ending, after, String(error));
      if (withdraws) assert.ok(revoked > 0, "an account that is of no use is revoked");
      else assert.equal(revoked, 0, "nothing is revoked");
      if (ending === "done") assert.equal(state?.[idKey], expected.id);
    }
    const told = this.#run.answered(rpc).filter(({ id }) => id !== undefined && id.length > 0);
    if (ending === "dropped" && told.length > 0) assert.ok(revoked > 0, "what was told is not forgotten");
    this.#run.adopt(rpc, name);
    if (state !== undefined) {
      this.#run.texts.push(withoutSecrets(state));
      this.#run.unscript();
      await this.#goOn(given, life, inputs, wire(state));
      const lives = this.#run.lives(rpc, end);
      if (expected !== undefined) assert.deepEqual(lives, [], "nothing is orphaned");
    }
    this.#judgeIds(end, rpc);
  }

  /** How a grant without usable credentials ends, by the answers to its revoke. */
  #afterWithdrawal(given: ReplyCase, name: string): Ending | undefined {
    const good: Reply = { kind: "message", message: { bytes: Buffer.alloc(0), readable: "yes" } };
    const revoke = expectedEnding("revoke", [...given.revokes, good], { name, named: true });
    if (revoke === undefined) return undefined;
    return revoke.ending === "done" ? "dropped" : "kept";
  }

  async #goOn(given: ReplyCase, life: Lifecycle, inputs: Properties, state: Properties): Promise<void> {
    beginRun();
    const outputs = given.next === "up" ? await life.update(state, inputs) : state;
    beginRun();
    await life.delete(outputs);
  }

  async #remove(given: ReplyCase, life: Lifecycle, outputs: Properties): Promise<void> {
    const rpc = given.rpc === "delete" ? "delete" : "revoke";
    const { error } = await this.#attempt(life.delete(outputs));
    const good: Reply = { kind: "message", message: { bytes: Buffer.alloc(0), readable: "yes" } };
    const expected = expectedEnding(rpc, [...given.replies, good], { name: "", named: true });
    if (expected !== undefined) {
      const attempts = this.#run.calls.filter((call) => call.rpc === rpc).length;
      assert.equal(attempts, expected.attempts, "attempts");
      assert.equal(error === undefined ? "done" : "stays", expected.ending, String(error));
    }
    this.#run.unscript();
    beginRun();
    if (error !== undefined) await life.delete(outputs);
    this.#judgeIds(rpc, rpc === "delete" ? "create" : "grant");
  }

  async #attempt<Result>(
    step: Promise<Result>,
  ): Promise<{ readonly error?: Error; readonly result?: Result }> {
    try {
      return { result: await step };
    } catch (error) {
      assert.ok(error instanceof Error && isOurs(error), `no error for a user: ${String(error)}`);
      this.#run.texts.push(error.message);
      if (error instanceof FailedResourceError) this.#run.texts.push(...error.reasons);
      return { error };
    }
  }

  /** Every delete or revoke names an id that the driver has told, byte for byte. */
  #judgeIds(rpc: "delete" | "revoke", toldBy: "create" | "grant"): void {
    for (const call of this.#run.calls.filter((one) => one.rpc === rpc)) {
      const id = idIn(call.body, rpc === "delete" ? 1 : 2) ?? Buffer.alloc(0);
      assert.ok(id.length > 0, `a ${rpc} without an id`);
      assert.ok(
        this.#run.hasTold(toldBy, id),
        `a ${rpc} of ${JSON.stringify(id.toString())}, which was not told`,
      );
      if (rpc === "revoke") assert.equal(String(idIn(call.body)), "b1");
    }
    const other = rpc === "delete" ? "revoke" : "delete";
    assert.ok(!this.#run.calls.some((call) => call.rpc === other), `a ${other} beside a ${rpc}`);
  }

  #judgeSecrets({ rpc, secrets }: ReplyCase, texts: readonly string[]): void {
    const known: Record<string, string> = { parameter: secrets.parameter };
    if (rpc === "revoke") Object.assign(known, { keyId: secrets.keyId, secretKey: secrets.secretKey });
    if (rpc === "getInfo") Reflect.deleteProperty(known, "parameter");
    for (const [index, secret] of this.#run.handed().entries()) known[`handed ${index}`] = secret;
    const all = Object.fromEntries(texts.map((text, index) => [`text ${index}`, text]));
    const found = new SecretScanner(known).find(all);
    const quoted = found.map((line) => `${line}: ${all[line.split(" in ").at(-1) ?? ""] ?? ""}`);
    assert.deepEqual(quoted, [], "no secret is shown");
  }

  #answer(call: RawCall): RawAnswer {
    const [rpc] = rpcs.find(([, path]) => path === call.path) ?? [];
    if (rpc === undefined) return statusAnswer(unimplemented, "unknown service");
    return this.#run.answer(
      rpc,
      call.body,
      () => this.#fine(rpc, nameIn(rpc, call.body)),
      () => {
        this.sent += 1;
      },
    );
  }

  /** A good reply. The ids are no names, so that none is taken for the other. */
  #fine(rpc: Rpc, name: string): Buffer {
    const all: Readonly<Record<Rpc, () => Answer>> = {
      getInfo: () => answers.info(),
      create: () => answers.created(`id of ${name}`),
      grant: () => answers.granted(`account of ${name}`),
      delete: () => answers.deleted(),
      revoke: () => answers.revoked(),
    };
    const answer = all[rpc]();
    return answer instanceof Uint8Array ? Buffer.from(answer) : assert.fail("a status");
  }

  #bucketInputs(name: string | undefined, parameter: string): Properties {
    return {
      driver: driverReference(this.#driver.endpoint, waits),
      logicalName: "b",
      deletionPolicy: "Delete",
      parameters: { password: parameter },
      secretParameters: true,
      ...(name === undefined ? {} : { name }),
    };
  }

  #accessInputs(parameter: string): Properties {
    return {
      driver: driverReference(this.#driver.endpoint, waits),
      logicalName: "a",
      bucketName: "b1",
      bucketId: "b1",
      parameters: { password: parameter },
      secretParameters: true,
    };
  }
}

/** What was said to a case, and what it sent. */
class CaseRun {
  readonly calls: { readonly rpc: Rpc; readonly body: Buffer }[] = [];
  /** Errors, and what the state keeps in plain text. */
  readonly texts: string[] = [];
  readonly #scripts = new Map<Rpc, { readonly replies: Reply[]; readonly known: () => readonly string[] }>();
  readonly #answered: { readonly rpc: Rpc; readonly message: Buffer; readonly seen: boolean }[] = [];
  readonly #told: { readonly rpc: Rpc; readonly id: Buffer }[] = [];

  /** @param more Secrets that the driver knows too: those that it has granted. */
  script(rpc: Rpc, replies: readonly Reply[], known: readonly string[], more?: "granted"): void {
    this.#scripts.set(rpc, {
      replies: [...replies],
      known: () => (more === undefined ? known : [...known, ...this.handed()]),
    });
  }

  /** From now on all is answered as it should be. */
  unscript(): void {
    this.#scripts.clear();
  }

  answer(rpc: Rpc, body: Buffer, fine: () => Buffer, count: () => void): RawAnswer {
    this.calls.push({ rpc, body });
    const script = this.#scripts.get(rpc);
    const reply = script?.replies.shift();
    if (script === undefined || reply === undefined) {
      const message = fine();
      this.#note(rpc, message);
      return okAnswer(message);
    }
    count();
    const answer = answerOf(reply, script.known());
    const tells = reply.kind !== "status" && reply.message.readable !== "no";
    if (tells && carries(answer, reply.message.bytes)) {
      // A caller never sees the message that stands before another status.
      this.#note(rpc, reply.message.bytes, answer.trailers["grpc-status"] === "0");
    }
    return answer;
  }

  /** Notes an id that stands in the state, or that a program takes by its name. */
  tell(rpc: Rpc, id: string): void {
    this.#told.push({ rpc, id: Buffer.from(id) });
  }

  /** A name counts as told where it is taken for the id, after ALREADY_EXISTS. */
  adopt(rpc: Rpc, name: string): void {
    if (rpc === "create") this.tell(rpc, name);
  }

  answered(rpc: Rpc): { readonly id: Buffer | undefined }[] {
    return this.#answered.filter((one) => one.rpc === rpc).map(({ message }) => ({ id: idIn(message) }));
  }

  hasTold(rpc: Rpc, id: Buffer): boolean {
    return this.#told.some((told) => told.rpc === rpc && told.id.equals(id));
  }

  /** The last id that was told and has not been ended. */
  lives(rpc: Rpc, end: "delete" | "revoke"): string[] {
    const last = this.answered(rpc).at(-1)?.id;
    if (last === undefined || last.length === 0) return [];
    const ended = this.calls
      .filter((call) => call.rpc === end)
      .map(({ body }) => idIn(body, end === "delete" ? 1 : 2));
    return ended.some((id) => id?.equals(last) === true) ? [] : [last.toString()];
  }

  /** Secrets that grants handed out, but for those that the driver has put where a text is in plain sight. */
  handed(): string[] {
    const grants = this.#answered
      .filter(({ rpc, seen }) => rpc === "grant" && seen)
      .map(({ message }) => message);
    const open = grants
      .map((message) => `${String(idIn(message))} ${[...keysIn(message)].join(" ")}`)
      .join(" ");
    const values = grants.flatMap((message) =>
      [...credentialsIn(message).values()].flatMap((entry) =>
        [...entry].flatMap(([key, value]) => (/(?:endpoint|region|expiryts)$/i.test(key) ? [] : [value])),
      ),
    );
    return values.filter(
      (value) =>
        value.length >= shortestSecret &&
        !/^(http:|2027-|0001-)/.test(value) &&
        !open.includes(value) &&
        !value.includes("\ufffd"),
    );
  }

  #note(rpc: Rpc, message: Buffer, seen = true): void {
    this.#answered.push({ rpc, message, seen });
    const id = idIn(message);
    if (id !== undefined) this.#told.push({ rpc, id });
  }
}

/** True if the answer has the message in it, whole, where gRPC has one. */
function carries({ headers, body = new Uint8Array() }: RawAnswer, message: Buffer): boolean {
  return headers?.[":status"] === grpcHeaders[":status"] && Buffer.from(body).includes(message);
}

function keysIn(message: Buffer): string[] {
  const entries = credentialsIn(message);
  return [...entries].flatMap(([entry, map]) => [entry, ...map.keys()]);
}

function nameIn(rpc: Rpc, body: Buffer): string {
  const number = rpc === "grant" ? 2 : 1;
  return readFields(body) === undefined ? "" : String(idIn(body, number));
}

/** The properties as the state shows them to everybody. */
function withoutSecrets(properties: object): string {
  return JSON.stringify(properties, (_key, value: unknown) =>
    isRecord(value) && value[pulumi.runtime.specialSigKey] === pulumi.runtime.specialSecretSig
      ? "[secret]"
      : value,
  );
}

/** True for an error that was made for a user to read, and not by a fault of the program. */
function isOurs({ name, message }: Error): boolean {
  return (
    ["Error", "DriverError", "WrongDriverError", "FailedResourceError"].includes(name) && message.length > 20
  );
}

/** Keeps what is written to standard output and error, until it is released. */
function capture(): { readonly lines: string[]; readonly release: () => void } {
  const lines: string[] = [];
  const released: (() => void)[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (text: string | Uint8Array): boolean => {
      lines.push(String(text));
      return true;
    };
    released.push(() => {
      stream.write = write;
    });
  }
  const release = (): void => {
    for (const each of released) each();
  };
  return { lines, release };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error("the case does not end"));
    }, longestCase);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
