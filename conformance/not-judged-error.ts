/**
 * A check could not come to a verdict. The message is the reason that the report shows. A run in which a MUST could not
 * be judged so is no whole one, unless it is the driver's choice.
 */
export class NotJudgedError extends Error {
  override readonly name = "NotJudgedError";

  constructor(
    message: string,
    /** The driver does not have what the check needs, as it may. */
    readonly byChoice = false,
  ) {
    super(message);
  }
}
