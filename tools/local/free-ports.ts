import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the range that the kernel takes for outgoing connections, so that none of those has a port when it is used. */
const LOWEST = 15_000;
const HIGHEST = 32_000;
const ATTEMPTS = 1_000;

const given = new Set<number>();

/**
 * Finds ports of 127.0.0.1 that nothing listens on; no port is given twice by this process. Another process may still
 * take one before it is used: {@link withFreePorts} tries again then.
 *
 * @throws Error when there are not enough.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && ports.length < count; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    ports.push(port);
  }
  if (ports.length < count) {
    throw new Error(
      `Only ${ports.length} of ${count} free ports found on 127.0.0.1 between ${LOWEST} and ${HIGHEST}.`,
    );
  }
  return ports;
}

/**
 * Starts servers on free ports, and once more on others when one was taken in between.
 *
 * @param start - Rejects with an error whose message holds the server's complaint about the port.
 */
export async function withFreePorts<T>(
  count: number,
  start: (ports: readonly number[]) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await start(await freePorts(count));
    } catch (error) {
      if (attempts >= 3 || !(error instanceof Error) || !isAboutPort(error.message)) throw error;
    }
  }
}

function isAboutPort(message: string): boolean {
  return /address already in use|EADDRINUSE|is not available on .* and cannot be used/i.test(message);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
