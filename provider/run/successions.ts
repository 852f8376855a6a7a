/** The account that is to serve an access from this run on. */
interface Successor {
  readonly name: string;
  /** What proves its login; `undefined` until it is granted and told. */
  readonly login?: readonly string[];
}

/**
 * What this run knows of the account that serves an access, for the end of those before it. The engine deletes a replaced
 * entry also where what takes its place has failed, if `--continue-on-error` is given, and then asks for nothing but that.
 *
 * A line stands for the accounts of one access, one after the other.
 */
export class Successions {
  readonly #successors = new Map<string, Successor>();
  readonly #endedFirst = new Set<string>();

  /** Notes that an account is to be granted, or brought to its end otherwise, and is not yet. */
  await(line: string, name: string): void {
    this.#successors.set(line, { name });
  }

  /** Notes that an account is granted, and its objects tell of it. @param login What proves its login. */
  serve(line: string, name: string, login: readonly string[]): void {
    this.#successors.set(line, { name, login });
  }

  /** Notes that an account ends before another one is granted in its place. */
  endFirst(line: string, name: string): void {
    this.#endedFirst.add(keyOf(line, name));
  }

  /** True if an account ends before another one is granted in its place. */
  endsFirst(line: string, name: string): boolean {
    return this.#endedFirst.has(keyOf(line, name));
  }

  /** Name of the account that is to take the place of this one, and has not yet; else `undefined`. */
  awaited(line: string, name: string): string | undefined {
    const successor = this.#otherThan(line, name);
    return successor?.login === undefined ? successor?.name : undefined;
  }

  /** What proves the login of the account that has taken the place of this one; `undefined` if the run knows of none. */
  loginAfter(line: string, name: string): readonly string[] | undefined {
    return this.#otherThan(line, name)?.login;
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#successors.clear();
    this.#endedFirst.clear();
  }

  #otherThan(line: string, name: string): Successor | undefined {
    const successor = this.#successors.get(line);
    return successor?.name === name ? undefined : successor;
  }
}

function keyOf(line: string, name: string): string {
  return JSON.stringify([line, name]);
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const successionsOfRun = new Successions();
