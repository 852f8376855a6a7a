/** What {@link withLock} may be told. */
export interface LockOptions {
  /** Called once when another run holds the lock, with that run's pid. */
  readonly onWait?: (pid: number) => void;
}

/**
 * Does `work` while no other run, in this process or in another one, does work under the same lock.
 *
 * A lock whose owner has ended (also by SIGKILL) is taken over. Its owner is known by pid and start time, so a
 * recycled pid holds nothing. An owner on another machine or in another container, where its pid cannot be looked
 * up, counts as ended when it has not renewed its lock for a minute.
 *
 * @param path - A path that nothing else uses; its folder is made.
 * @throws what `work` throws, after the lock is released.
 */
export function withLock<T>(path: string, work: () => Promise<T>, options?: LockOptions): Promise<T>;
