/** What a part of the soak is told. */
export interface SoakOptions {
  /** The same seed tries the same cases. */
  readonly seed: number;
  /** How many moments at which a command is killed. */
  readonly points: number;
  /** API models whose commands are killed, by name; they share the points. */
  readonly models: readonly string[];
  /** Only these points, as a report names them, of the first model; then `points` says nothing. @default none given */
  readonly only: readonly string[];
  /** How many malformed replies. */
  readonly replies: number;
  /** Takes a line of progress. */
  readonly tell: (line: string) => void;
}
