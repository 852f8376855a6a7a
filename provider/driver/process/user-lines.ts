/** Takes a line for the user. */
export type Listener = (line: string) => void;

/** Pulumi shows what its host of dynamic providers prints, as information under the stack. */
let listener: Listener = (line) => {
  process.stdout.write(`${line}\n`);
};

/** Shows the user a line, in which no secret may be left. */
export function showUser(line: string): void {
  listener(line);
}

/** Has the lines go elsewhere: the engine hides what a plugin prints. */
export function showUserThrough(other: Listener): void {
  listener = other;
}
