import type { Path } from "./properties";

/**
 * Where a resource says what rules ask for. There are several paths where versions of an API differ: all that a resource gives
 * are judged. What is left out, the resource has no say in.
 */
export interface Places {
  /** What becomes of the data when it goes. */
  readonly deletion?: readonly Path[];
  /** A field without which the data are deleted. */
  readonly deletesWithout?: Path | undefined;
  /** What was there before the program. */
  readonly existing?: readonly Path[];
  /** The driver that makes it, or grants it. */
  readonly driver?: readonly Path[];
  /** The driver of what it is for, which is its own where it names none. */
  readonly driverOfTarget?: Path;
  /** A mode of callers without credentials. */
  readonly anonymousMode?: readonly Path[];
  /** A bucket policy of S3. */
  readonly bucketPolicy?: readonly Path[];
  /** The Secret with credentials that it writes, or has written. */
  readonly secret?: SecretPlace;
}

/** Where a resource says what becomes of credentials. */
export interface SecretPlace {
  readonly namespace: Path;
  /**
   * Fields of which it gives one where there is a Secret.
   *
   * @default there always is one
   */
  readonly givenBy?: readonly Path[];
}
