import { showUser } from "../driver/process/user-lines";
import { secretMask } from "../driver/secrets/secret-mask";

const given = new Set<string>();

/**
 * Tells the user something that stops nothing. Pulumi shows what a provider's host prints as information under the
 * stack, and what a plugin says as a warning of the resource; a text is told once per run, with the secrets that are known
 * masked.
 */
export function warn(kind: string, name: string, text: string): void {
  const line = secretMask.apply(`warning: ${kind} ${name}: ${text}`);
  if (given.has(line)) return;
  given.add(line);
  showUser(line);
}

/** Forgets what was said, as a new process does. */
export function forgetWarnings(): void {
  given.clear();
}
