/**
 * Ends a run on a system that the set-up does not serve before it has done anything.
 *
 * @param platform - `process.platform`.
 * @throws Error on Windows, with the way that works there.
 */
export function requireUnix(platform: string): void;
