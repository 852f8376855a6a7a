/** The signals that end a run. */
export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/**
 * Registers what has to be ended when this run is: on SIGINT, SIGTERM, SIGHUP, or when the run that started this
 * process is gone. What was registered last is closed first, since it may need what was there before it. After 30 seconds
 * at the latest the process exits, with 128 + the number of the signal. More signals meanwhile change nothing, since npm and a terminal both send one.
 *
 * @returns a function that takes the registration back.
 */
export function onShutdown(close: (signal: EndingSignal) => Promise<void>): () => void;

/**
 * Ends the run, as SIGTERM does, when the process that started this one is gone. npm starts a script through a shell;
 * a signal to npm ends both and does not reach the script.
 */
export function endWithParent(): void;

/** Whether the run is being ended: nothing new may be started. */
export function isShuttingDown(): boolean;
