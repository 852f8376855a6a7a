/** The user has ended the command. */
export class InterruptedError extends Error {}
