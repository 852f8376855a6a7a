import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { isPrepare, isPromiseTrace, skipPromiseTraces } from "./promise-traces";

/** Frames at the top of a stack that the SDK takes for its own: two of its functions, and three constructors. */
const framesOfSdk = 5;

/** The folder that this package was compiled to. */
const packageFolder = path.join(__dirname, "..", "..") + path.sep;

const modules = `${path.sep}node_modules${path.sep}`;

const hook = "prepareStackTrace";

/**
 * Makes the SDK see nothing but the program's own frames above a resource, until the returned function is called. The SDK
 * writes the whole stack of each registration to the state: for one that a component makes that is a kilobyte of lines of
 * this package, of the module loader and of the SDK, more than the resource itself, and the position that it shows would be
 * one of this package. So the state stays small, and what Pulumi shows is the line of the program.
 *
 * The traces of the promises that the SDK makes meanwhile are that of the registration, which is known by then.
 *
 * @returns undoes it; call it whatever happens.
 */
export function fromProgram(): () => void {
  skipPromiseTraces();
  const before = Object.getOwnPropertyDescriptor(Error, hook);
  const found: unknown = before?.value;
  const prepare = isPrepare(found) ? found : written;
  let ofRegistration: unknown = "";
  Error.prepareStackTrace = (error, frames): unknown => {
    if (isPromiseTrace(frames)) return ofRegistration;
    const [own, rest] = [frames.slice(0, framesOfSdk), frames.slice(framesOfSdk)];
    ofRegistration = prepare(error, [...own, ...rest.filter(isOfProgram)]);
    return ofRegistration;
  };
  return () => {
    if (before === undefined) Reflect.deleteProperty(Error, hook);
    else Object.defineProperty(Error, hook, before);
  };
}

/** As Node.js writes a stack where nobody else does. */
function written(error: Error, frames: readonly NodeJS.CallSite[]): string {
  return [error, ...frames].map(String).join("\n    at ");
}

function isOfProgram(frame: NodeJS.CallSite): boolean {
  const name = frame.getFileName() ?? "";
  const file = name.startsWith("file:") ? fileURLToPath(name) : name;
  return path.isAbsolute(file) && !file.startsWith(packageFolder) && !file.includes(modules);
}
