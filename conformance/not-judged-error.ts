/** A check could not come to a verdict. The message is the reason that the report shows. */
export class NotJudgedError extends Error {
  override readonly name = "NotJudgedError";
}
