import { runCommandLine } from "../../../cli/commands";

/** What `pulumi-cosi review` says, and how it ends. */
export async function reviewOf(
  args: readonly string[],
  input = "",
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const code = await runCommandLine(["review", ...args], {
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: () => Promise.resolve(input),
    interactive: false,
    environment: process.env,
    interrupt: new AbortController().signal,
  });
  return { code, out, err };
}
