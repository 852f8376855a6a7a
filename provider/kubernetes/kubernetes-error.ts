import { describe, type KubernetesKind, type ObjectReference } from "./object";

/** `reason` where no request was sent, as the kubeconfig's user has no valid credentials. */
export const authenticationFailed = "AuthenticationFailed";

/** What is known of a request to an API server that failed. */
export interface KubernetesFailure {
  /** `get`, `list`, `create`, `patch`, `patch status of`, `delete`. */
  readonly verb: string;
  readonly kind: KubernetesKind;
  readonly reference: ObjectReference;
  /** HTTP status; `undefined` if no answer came. */
  readonly code: number | undefined;
  /** The server's `reason` (`NotFound`, `Conflict`, …), or the code of the connection's error. */
  readonly reason: string;
  /** The server's message, or what is known of the connection; never a body, a header or a value of a Secret. */
  readonly detail: string;
}

/**
 * A request to an API server failed; the message names verb, object, HTTP status, the server's own words and what to do
 * about it.
 */
export class KubernetesError extends Error {
  override readonly name = "KubernetesError";

  constructor(readonly failure: KubernetesFailure) {
    const code = failure.code === undefined ? "" : `${failure.code} `;
    const said = failure.detail.replace(/\.+$/, "");
    super(
      `${failure.verb} ${describe(failure.kind, failure.reference)}: ${code}${failure.reason}: ${said}. Next: ` +
        `${nextStep(failure)}, then run the command again.`,
    );
  }

  /** The object, its kind or its namespace is not there. */
  get notFound(): boolean {
    return this.failure.code === 404;
  }

  /** The object is there already, was changed by someone else meanwhile, or has another UID than was asked for. */
  get conflict(): boolean {
    return this.failure.code === 409;
  }

  /** Whoever asked has no right to. */
  get forbidden(): boolean {
    return this.failure.code === 403;
  }

  /** True if the server said no; false if the request may have been carried out although no answer came. */
  get refused(): boolean {
    return this.failure.code !== undefined && this.failure.code >= 400 && this.failure.code < 500;
  }
}

function nextStep({ code, reason }: KubernetesFailure): string {
  if (code === 401 || reason === authenticationFailed)
    return "renew the credentials of the kubeconfig's user";
  if (code === undefined || code === 429 || code >= 500) {
    return "check that the API server runs and can be reached";
  }
  switch (code) {
    case 403:
      return "give the kubeconfig's user the right to do this, or meet the policy that denies it";
    case 404:
      return "run pulumi refresh, as the object, its kind or its namespace was removed";
    case 409:
      return "wait until nobody else changes the object";
    default:
      return "correct what the server names, or meet the policy that denies it";
  }
}

/** What is in the cluster does not allow the step; the message names the object and the way on. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** True if nothing was done: the server said no, or what is in the cluster does. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RefusedError || (error instanceof KubernetesError && error.refused);
}
