/**
 * A create, or update, that failed but whose resource must stay in the state, since its backend object may exist.
 * Pulumi records the resource as failed; the next `up` calls `update`, a `destroy` calls `delete`.
 */
export class FailedResourceError extends Error {
  override readonly name = "FailedResourceError";
  readonly reasons: readonly string[];

  /**
   * @param id The resource's id: the name that was sent, known before the call.
   * @param properties All inputs and outputs, `__provider` among them: without it `destroy` cannot find the provider.
   */
  constructor(
    message: string,
    readonly id: string,
    readonly properties: Readonly<Record<string, unknown>>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.reasons = [message];
  }
}

/**
 * The same failure with other properties, as whoever hands it on keeps them.
 *
 * @returns any other error as it is.
 */
export function withProperties(
  error: unknown,
  change: (properties: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): unknown {
  if (!(error instanceof FailedResourceError)) return error;
  const { message, id, properties, cause } = error;
  return new FailedResourceError(message, id, change(properties), { cause });
}

/** The same failure of a resource for which nothing was made: it is kept for what its object holds. */
export function withNothingMade({
  message,
  id,
  properties,
  cause,
}: FailedResourceError): FailedResourceError {
  return new FailedResourceError(message, id, { ...properties, nothingMade: true }, { cause });
}
