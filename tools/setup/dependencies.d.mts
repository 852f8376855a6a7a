/**
 * Makes node_modules match package-lock.json: `npm ci`, unless it does already. One run at a time per checkout.
 *
 * It matches when the stamp inside node_modules was made from the same package.json files, lock and platform, or,
 * after an `npm ci` or `npm install` of the user's own, when npm's record of what it installed agrees with the lock.
 *
 * @param root - The folder of package.json.
 * @param say - Takes what is to be told while it works.
 * @returns what was done: "up to date" or "installed".
 * @throws Error with the end of npm's output when `npm ci` fails.
 */
export function installDependencies(root: string, say: (text: string) => void): Promise<string>;

/** The version of Node that the dependencies bring along, as `process.version` has it. */
export function pinnedNodeVersion(root: string): Promise<string>;
