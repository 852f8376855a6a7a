import { canonical } from "../../dynamic/values";
import { placeOf, type ConnectionSettings } from "../settings";
import { KeyedLock, Semaphore } from "./locks";

const bucketLock = new KeyedLock();
const semaphores = new Map<string, Semaphore>();

/**
 * Runs a call when no other one is in flight for its bucket at this driver, whatever connection it goes through
 * (GRPC-037).
 */
export function inTurnOfBucket<T>(
  settings: ConnectionSettings,
  bucket: string,
  call: () => Promise<T>,
): Promise<T> {
  return bucketLock.run(canonical([placeOf(settings), bucket]), call);
}

/**
 * Runs an attempt when the driver may take one more. Several connections may lead to one driver: the smallest
 * `maxConcurrentCalls` of those that have made a call counts for all.
 */
export function inTurnOfDriver<T>(settings: ConnectionSettings, attempt: () => Promise<T>): Promise<T> {
  const place = placeOf(settings);
  const semaphore = semaphores.get(place) ?? new Semaphore();
  semaphores.set(place, semaphore);
  if (settings.maxConcurrentCalls !== undefined) semaphore.lowerTo(settings.maxConcurrentCalls);
  return semaphore.run(attempt);
}

/** Forgets the limits of all drivers. */
export function forgetTurns(): void {
  semaphores.clear();
}
