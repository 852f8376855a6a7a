import * as path from "node:path";
import { fileURLToPath } from "node:url";

/** Frames at the top of a stack that the SDK takes for its own: two of its functions, and three constructors. */
const framesOfSdk = 5;

/** The folder that this package was compiled to. */
const packageFolder = path.join(__dirname, "..", "..") + path.sep;

type Prepare = NonNullable<typeof Error.prepareStackTrace>;

/**
 * Makes the SDK see nothing but the program's own frames above a resource, until the returned function is called. The SDK
 * writes the whole stack of each registration to the state: for one that a component makes that is a kilobyte of lines of
 * this package, of the module loader and of the SDK, more than the resource itself, and the position that it shows would be
 * one of this package. So the state stays small, and what Pulumi shows is the line of the program.
 *
 * @returns undoes it; call it whatever happens.
 */
export function fromProgram(): () => void {
  const before = Error.prepareStackTrace;
  const prepare: Prepare = before ?? ((error, frames) => [error, ...frames].map(String).join("\n    at "));
  Error.prepareStackTrace = (error, frames) =>
    prepare(error, [
      ...frames.slice(0, framesOfSdk),
      ...frames.slice(framesOfSdk).filter(isOfProgram),
    ]) as unknown;
  return () => {
    Error.prepareStackTrace = before;
  };
}

function isOfProgram(frame: NodeJS.CallSite): boolean {
  const name = frame.getFileName() ?? "";
  const file = name.startsWith("file:") ? fileURLToPath(name) : name;
  return path.isAbsolute(file) && !file.startsWith(packageFolder) && !file.includes(modules);
}

const modules = `${path.sep}node_modules${path.sep}`;
