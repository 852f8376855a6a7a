import { runCommandLine } from "../../../cli/commands";

/** What `pulumi-cosi graph` says, and how it ends. */
export async function graph(
  args: readonly string[],
  input?: string,
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const code = await runCommandLine(["graph", ...args], {
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: input === undefined ? undefined : () => Promise.resolve(input),
    interactive: false,
    environment: { PATH: "" },
    interrupt: new AbortController().signal,
  });
  return { code, out, err };
}
