import * as fs from "node:fs";
import * as path from "node:path";
import { status } from "@grpc/grpc-js";
import type { Check, Problem } from "../check";
import { NotJudgedError } from "../not-judged-error";
import type { Context } from "../context";
import { DriverStartError, isServed, type DriverControl } from "../driver-control";
import { endText, type DriverProcess } from "../driver-process";
import { codeText } from "../exchange";
import { verdict, wantOk } from "../judge";
import { listeners, processesOf, type Listener } from "../proc";
import { Wire, type WireReply } from "../wire";

const othersMayEnter = 0o077;
const permissions = 0o777;
/** A driver that fails fast does so within this time after it is able to serve, in milliseconds. */
const failFastMilliseconds = 2_000;

/** The process, which is there since the check needs `command`. */
export function controlOf({ control }: Context): DriverControl {
  if (control === undefined) throw new NotJudgedError("the driver is not started by the check");
  return control;
}

/** A start that must fail, with the endpoint in words. */
interface WrongStart {
  readonly said: string;
  readonly endpoint: string | undefined;
  readonly folder: string;
}

async function wrongStartProblems(control: DriverControl, wrong: WrongStart): Promise<Problem[]> {
  const driver = control.spawn(wrong.endpoint, {});
  const end = await driver.ended(control.startMilliseconds + failFastMilliseconds);
  const output = driver.stderr;
  driver.signal("SIGKILL");
  const found = (answered: string, wanted: string): Problem => ({ sent: wrong.said, answered, wanted });
  if (end === undefined) return [found("it runs", "an exit within 2 s, with a status other than 0")];
  const problems: Problem[] = [];
  if (end.code === 0 || end.code === null) problems.push(found(endText(end), "an exit status other than 0"));
  const { endpointVariable } = control;
  if (!output.includes(endpointVariable)) {
    problems.push(
      found("stderr does not name the variable", `a line on stderr that names ${endpointVariable}`),
    );
  }
  const left = fs.readdirSync(wrong.folder);
  if (left.length > 0) problems.push(found(`it left ${left.join(", ")}`, "no socket"));
  return problems;
}

/** Waits for the end of an instance that must not serve. */
async function wantsExit(driver: DriverProcess, control: DriverControl, sent: string): Promise<Problem[]> {
  const end = await driver.ended(control.startMilliseconds + failFastMilliseconds);
  driver.signal("SIGKILL");
  await driver.ended(failFastMilliseconds);
  if (end !== undefined && end.code !== 0 && end.code !== null) return [];
  const answered = end === undefined ? "it runs" : endText(end);
  return [{ sent, answered, wanted: "an exit with a status other than 0" }];
}

async function staleSocketProblems(context: Context, control: DriverControl): Promise<Problem[]> {
  context.disconnect();
  await control.stop("SIGKILL");
  const sent = "SIGKILL, then a start at the socket file that is left";
  try {
    await control.start();
  } catch (error) {
    if (!(error instanceof DriverStartError)) throw error;
    await control.restart();
    return [
      { sent, answered: context.mask.applyToDriverText(error.message), wanted: "a driver that serves there" },
    ];
  }
  const info = await context.getInfo();
  const wrong = wantOk(info, "the new driver serves at the old socket file");
  return wrong === undefined ? [] : [{ ...wrong, sent: `${sent}, then ${wrong.sent}` }];
}

async function secondInstanceProblems(context: Context, control: DriverControl): Promise<Problem[]> {
  const sent = "a second start at a socket on which a driver listens";
  const problems = await wantsExit(control.spawn(control.socket, {}), control, sent);
  context.disconnect();
  const first = (await isServed(control.socket)) ? await context.getInfo() : undefined;
  if (first?.code !== status.OK) {
    problems.push({
      sent,
      answered: first?.answered ?? "nobody listens there any more",
      wanted: "the first one serves",
    });
    await control.restart();
  }
  return problems;
}

async function regularFileProblems(control: DriverControl): Promise<Problem[]> {
  const file = control.otherSocket("file");
  const content = "not a socket";
  fs.writeFileSync(file, content);
  const sent = "a start at a path where a regular file is";
  const problems = await wantsExit(control.spawn(file, {}), control, sent);
  const intact = fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  if (!intact || fs.readFileSync(file, "utf8") !== content) {
    problems.push({ sent, answered: "the file was changed or removed", wanted: "the file as it was" });
  }
  return problems;
}

/** Asks for the driver's name at a TCP address. */
async function infoOver(listener: Listener, { contract, interrupt }: Context): Promise<WireReply> {
  const wire = new Wire(listener);
  try {
    return await wire.unary(contract.rpcs.getInfo.path, Buffer.alloc(0), failFastMilliseconds, interrupt);
  } finally {
    wire.close();
  }
}

export const socketChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-086", deployment: "DEP-071" },
    needs: ["command", "proc"],
    run: async (context) => {
      const control = controlOf(context);
      const problems: Problem[] = [];
      if (!fs.statSync(control.socket).isSocket()) {
        problems.push({
          sent: `a start with ${control.socket}`,
          answered: "no socket there",
          wanted: "a socket",
        });
      }
      const notes: string[] = [];
      for (const listener of processesOf(control.current.pid ?? 0).flatMap(listeners)) {
        const answered = await infoOver(listener, context);
        const where = `TCP ${listener.host} port ${listener.port}`;
        if (answered.code !== status.OK) {
          const how = answered.code === undefined ? answered.lost : codeText(answered.code);
          notes.push(`it also listens on ${where}, where DriverGetInfo ended so: ${how ?? "no status"}`);
          continue;
        }
        problems.push({
          sent: `DriverGetInfo to ${where}, where the driver listens`,
          answered: "OK (0)",
          wanted: "the contract on the UNIX socket only",
        });
      }
      return verdict(problems, notes.length === 0 ? undefined : notes.join("; "));
    },
  },
  {
    ids: { cosi: "GRPC-093" },
    needs: ["command"],
    run: (context) => {
      const mode = fs.statSync(controlOf(context).socket).mode & permissions;
      const answered = `a socket with mode 0${mode.toString(8)}`;
      const wide = (mode & othersMayEnter) !== 0;
      return Promise.resolve(
        verdict(wide ? [{ sent: "a start under umask 000", answered, wanted: "0600" }] : []),
      );
    },
  },
  {
    ids: { cosi: "GRPC-098", deployment: "DEP-075" },
    needs: ["command"],
    run: async (context) => {
      const control = controlOf(context);
      if (control.takesEndpointArgument) {
        return { is: "not-judged", reason: "the command gets the endpoint as an argument" };
      }
      return verdict([
        wantOk(await context.getInfo(), `the driver serves where ${control.endpointVariable} says`),
      ]);
    },
  },
  {
    ids: { cosi: "GRPC-099", deployment: "DEP-076" },
    needs: ["command"],
    run: async (context) => {
      const control = controlOf(context);
      if (control.takesEndpointArgument) {
        return { is: "not-judged", reason: "the command gets the endpoint as an argument" };
      }
      const folder = control.folder("wrong");
      const wrong: readonly Omit<WrongStart, "folder">[] = [
        { said: `a start without ${control.endpointVariable}`, endpoint: undefined },
        { said: "a start with another scheme (tcp://127.0.0.1:0)", endpoint: "tcp://127.0.0.1:0" },
        {
          said: "a start with a path that does not end in .sock",
          endpoint: `unix://${path.join(folder, "driver.socket")}`,
        },
      ];
      const problems: Problem[] = [];
      for (const start of wrong) problems.push(...(await wrongStartProblems(control, { ...start, folder })));
      return verdict(problems);
    },
  },
  {
    ids: { cosi: "GRPC-100", deployment: "DEP-076" },
    needs: ["command"],
    run: async (context) => {
      const control = controlOf(context);
      return verdict([
        ...(await staleSocketProblems(context, control)),
        ...(await secondInstanceProblems(context, control)),
        ...(await regularFileProblems(control)),
      ]);
    },
  },
  {
    ids: { cosi: "GRPC-103", deployment: "DEP-077" },
    needs: ["command"],
    run: async (context) => {
      const control = controlOf(context);
      const problems: Problem[] = [];
      const beside = fs
        .readdirSync(control.socketFolder)
        .filter((name) => name !== path.basename(control.socket));
      if (beside.length > 0) {
        problems.push({
          sent: "the calls of this run",
          answered: `${beside.join(", ")} beside the socket`,
          wanted: "the socket alone in its folder",
        });
      }
      const workingDirectory = control.folder("empty");
      context.disconnect();
      await control.stop("SIGTERM");
      fs.rmSync(control.socket, { force: true });
      try {
        await control.start({ workingDirectory, environment: { HOME: undefined } });
        const info = await context.getInfo();
        const wrong = wantOk(info, "the driver serves");
        if (wrong !== undefined) problems.push(wrong);
      } catch (error) {
        if (!(error instanceof DriverStartError)) throw error;
        problems.push({
          sent: "a start in an empty folder, without HOME",
          answered: context.mask.applyToDriverText(error.message),
          wanted: "a driver that serves",
        });
      }
      context.disconnect();
      await control.restart();
      return verdict(problems);
    },
  },
];
