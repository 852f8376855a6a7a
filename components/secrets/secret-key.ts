import { LayoutError } from "./granted-access";

const longestKey = 253;

/**
 * A key under which a Secret can have a value. Source: Kubernetes, Secret, `data`.
 *
 * @throws LayoutError that names the key.
 */
export function requireSecretKey(key: string): void {
  const problem = secretKeyProblem(key);
  if (problem === undefined) return;
  throw new LayoutError(
    `the driver issued a credential with the key ${JSON.stringify(key)}, but keys of a Secret ${problem}: it has to rename ` +
      "the key",
  );
}

function secretKeyProblem(key: string): string | undefined {
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) return 'have letters, digits, "-", "_" and "." only';
  if (key.length > longestKey) return `have at most ${longestKey} characters`;
  return key === "." || key.startsWith("..") ? 'are not "." and do not begin with ".."' : undefined;
}
