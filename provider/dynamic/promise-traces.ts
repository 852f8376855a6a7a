/** The function of the SDK that takes a stack trace for each of some hundred promises of a resource. */
const takesTraces = "debuggablePromise";

/** What stands for a trace in the SDK's message of a promise that never ends. */
const skipped =
  "(pulumi-cosi skips the traces of promises: mapping them to TypeScript takes a third of a program's time)";

/** What writes the stack of an error, as V8 asks for it. */
export type Prepare = (error: Error, frames: readonly NodeJS.CallSite[]) => unknown;

const skips = new WeakSet<Prepare>();

/** What Node.js has there of its own: while it is there, `--enable-source-maps` maps stacks, which no other hook can do. */
const ofNode = "ErrorPrepareStackTrace";

/**
 * Keeps the traces away from source maps that the SDK takes for its promises, to name one that never ends: `ts-node` looks each
 * line of each of them up, which is a third of a program's time. All other stacks are written as before. Where nobody
 * has set a hook, all is left to Node.js.
 */
export function skipPromiseTraces(): void {
  const prepare: unknown = Reflect.get(Error, "prepareStackTrace");
  if (!isPrepare(prepare) || prepare.name === ofNode || skips.has(prepare)) return;
  const skip: Prepare = (error, frames) => (isPromiseTrace(frames) ? skipped : prepare(error, frames));
  skips.add(skip);
  Error.prepareStackTrace = skip;
}

/** True for a trace that the SDK takes of one of its promises. */
export function isPromiseTrace([top]: readonly NodeJS.CallSite[]): boolean {
  return top?.getFunctionName() === takesTraces;
}

/** True for what somebody has set to write stacks. */
export function isPrepare(value: unknown): value is Prepare {
  return typeof value === "function";
}
