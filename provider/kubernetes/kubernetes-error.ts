import { describe, type KubernetesKind, type ObjectReference } from "./object";

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

/** A request to an API server failed; the message names verb, object, HTTP status and the server's own words. */
export class KubernetesError extends Error {
  override readonly name = "KubernetesError";

  constructor(readonly failure: KubernetesFailure) {
    const code = failure.code === undefined ? "" : `${failure.code} `;
    super(
      `${failure.verb} ${describe(failure.kind, failure.reference)}: ${code}${failure.reason}: ${failure.detail}`,
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

/** What is in the cluster does not allow the step; the message names the object and the way on. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}
