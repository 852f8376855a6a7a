/**
 * Pulumi's own complaint when the engine, after an error, has left before the program could say that it is done. It is
 * printed or not as time will have it, with a stack trace of Pulumi's.
 */
const engineHasLeft =
  /failed to deliver log message\.[^]*?(registerResourceOutputs|Channel has been shut down)[^]*?message severity: \w+/g;

/**
 * The part of a command's output that lists what was said, by resource. What stands in it was printed before, as it
 * happened.
 */
export function diagnostics(text: string): string {
  return text.split(/^Diagnostics:$/m)[1] ?? "";
}

/** RPCs that a command with PULUMI_COSI_TRACE=1 made, by name, in their order. */
export function tracedRpcs(text: string): string[] {
  const said = diagnostics(text) || text;
  return [...said.matchAll(/\brpc \/[\w.]+\/(\w+) /g)].flatMap(([, name]) =>
    name === undefined ? [] : [name],
  );
}

/** The errors that a command ended with, one text per resource or component. */
export function errors(text: string): string[] {
  return [...diagnostics(text.replaceAll(engineHasLeft, "")).matchAll(/^ {4}error: (.*)$/gm)]
    .map(([, message = ""]) => message)
    .filter((message) => !/^(update|preview) failed$/.test(message));
}

/** True if a line looks like one of a stack trace of Node. */
export function hasStackTrace(text: string): boolean {
  return /^.*\s{4}at .*[(:]\d+:\d+\)?$/m.test(text.replaceAll(engineHasLeft, ""));
}
