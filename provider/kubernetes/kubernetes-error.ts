import { describe, type KubernetesKind, type ObjectReference } from "./object";
import { stepByWords } from "./server-words";

/** `reason` where no request was sent, as the kubeconfig's user has no credentials. */
export const authenticationFailed = "AuthenticationFailed";

/** `reason` of an answer that no API server gives: something between here and there sent it. */
export const foreignAnswer = "HTTP";
/** `reason` where the object, its kind or its namespace is not there. */
export const notFoundReason = "NotFound";
const forbiddenReason = "Forbidden";

/** Where the way to an API server comes from, for messages. */
export interface ConnectionOrigin {
  /** The kubeconfig and its context. */
  readonly text: string;
  /** True for the text of a kubeconfig: the state has it, and commands that run no program take it from there. */
  readonly isRecorded: boolean;
}

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
  /** How long the server wants to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly origin?: ConnectionOrigin;
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
    const next = isOfConnection(failure) ? connectionStep(failure) : nextStep(failure);
    const origin = isOfConnection(failure) && failure.origin !== undefined ? ` (${failure.origin.text})` : "";
    super(
      `${failure.verb} ${describe(failure.kind, failure.reference)}: ${code}${failure.reason}: ${said}${origin}. ` +
        `Next: ${next}, then run the command again.`,
    );
  }

  /** The object, its kind or its namespace is not there, in the words of an API server: any other server has a 404, too. */
  get notFound(): boolean {
    return this.failure.code === 404 && this.failure.reason === notFoundReason;
  }

  /** The object is there already, was changed by someone else meanwhile, or has another UID than was asked for. */
  get conflict(): boolean {
    return this.failure.code === 409;
  }

  /** Whoever asked has no right to. */
  get forbidden(): boolean {
    return this.failure.code === 403 && this.failure.reason === forbiddenReason;
  }

  /** True if the server said no; false if the request may have been carried out although no answer came. */
  get refused(): boolean {
    return this.failure.code !== undefined && this.failure.code >= 400 && this.failure.code < 500;
  }
}

/** True where the kubeconfig is to blame, or the way that it names. */
function isOfConnection({ code, reason, detail }: KubernetesFailure): boolean {
  if (code === undefined || reason === foreignAnswer) return true;
  return code === 401 && stepByWords(detail) === undefined;
}

function connectionStep({ code, reason, origin }: KubernetesFailure): string {
  if (code === 401) {
    // They run no program, and Pulumi gives them the config of the last update.
    const recorded =
      " (destroy and refresh use the kubeconfig of the last up: pulumi up, or --run-program, takes a new one)";
    return `renew the credentials of the kubeconfig's user${origin?.isRecorded === true ? recorded : ""}`;
  }
  if (reason === authenticationFailed) {
    return "correct what is named; kubectl has to be able to authenticate with the same kubeconfig and context, too";
  }
  if (reason === foreignAnswer && code !== undefined && code !== 429 && code < 500) {
    return "check that the kubeconfig's server is the API server, and that the proxy or load balancer in front of it reaches it";
  }
  return "check that the API server runs and can be reached";
}

function nextStep({ code, detail }: KubernetesFailure): string {
  const step = stepByWords(detail);
  if (step !== undefined) return step;
  if (code === undefined || code === 429 || code >= 500) {
    return "check that the API server runs and can be reached";
  }
  switch (code) {
    case 403:
      return "give the kubeconfig's user the right to do this, or satisfy the policy that denies it";
    case 404:
      return "run pulumi refresh, as the object, its kind or its namespace was removed";
    case 409:
      return "wait until nobody else changes the object";
    default:
      return "correct what the server names, or satisfy the policy that denies it";
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
