import { DriverError, type ErrorKind } from "../../common/driver-error";
import { shorten } from "../../common/text";

/**
 * Kinds by the error code of S3 or IAM (API references of both services, "Common errors"), without the suffix
 * `Exception`, which the SDK gives to some of the names and services to others.
 */
const KIND_BY_CODE: ReadonlyMap<string, ErrorKind> = new Map(
  Object.entries({
    "invalid-argument": [
      "InvalidBucketName",
      "InvalidArgument",
      "InvalidInput",
      "InvalidTag",
      "ValidationError",
      "MalformedPolicyDocument",
    ],
    "out-of-range": ["InvalidLocationConstraint", "IllegalLocationConstraint", "InvalidRegion"],
    "not-found": ["NoSuchBucket", "NoSuchEntity"],
    "already-exists": ["BucketAlreadyExists", "BucketAlreadyOwnedByYou", "EntityAlreadyExists"],
    "failed-precondition": [
      "BucketNotEmpty",
      "DeleteConflict",
      "InvalidBucketState",
      "NotImplemented",
      "InvalidAction",
      "MethodNotAllowed",
      "PermanentRedirect",
      "AuthorizationHeaderMalformed",
    ],
    "permission-denied": ["AccessDenied", "AllAccessDisabled", "AccountProblem"],
    unauthenticated: [
      "InvalidAccessKeyId",
      "SignatureDoesNotMatch",
      "InvalidClientTokenId",
      "UnrecognizedClient",
      "IncompleteSignature",
      "MissingAuthenticationToken",
      "ExpiredToken",
      "InvalidToken",
      "TokenRefreshRequired",
      "RequestTimeTooSkewed",
      "NotSignedUp",
      "OptInRequired",
    ],
    "resource-exhausted": [
      "SlowDown",
      "Throttling",
      "RequestLimitExceeded",
      "RequestThrottled",
      "TooManyRequests",
      "LimitExceeded",
      "TooManyBuckets",
    ],
    aborted: ["OperationAborted", "ConcurrentModification", "EntityTemporarilyUnmodifiable"],
    unavailable: [
      "InternalError",
      "ServiceFailure",
      "ServiceUnavailable",
      "RequestTimeout",
      "TimeoutError",
      // The SDK got no keys from their source, which may be a service with a fault of its own: nobody has refused any.
      "CredentialsProviderError",
    ],
  } satisfies Partial<Record<ErrorKind, string[]>>).flatMap(([kind, codes]) =>
    codes.map((code) => [code, kind as ErrorKind]),
  ),
);

/** Longest text of a store that is passed on. */
const MAX_REASON = 300;

/** The kind of an error code of S3 or IAM, or undefined for a code that is not known. */
export function kindOfCode(code: string): ErrorKind | undefined {
  return KIND_BY_CODE.get(code);
}

/**
 * The kind of what the core threw: a DriverError, or an error of the AWS SDK, which is a reply of the store or a
 * failure to get one. A code decides before the HTTP status, as stores agree more on codes.
 */
export function kindOf(error: unknown): ErrorKind {
  if (error instanceof DriverError) {
    return error.kind;
  }
  const known = kindOfCode(codeOf(error));
  if (known !== undefined) {
    return known;
  }
  const status = httpStatusOf(error);
  if (status === undefined) {
    return isConnectionFailure(error) ? "unavailable" : "internal";
  }
  if (status >= 500) {
    return "unavailable";
  }
  return status === 429 ? "resource-exhausted" : status === 403 ? "permission-denied" : "internal";
}

/** Answers that send a request for a bucket to the region in which the bucket lies. */
const OTHER_REGION: readonly string[] = ["PermanentRedirect", "AuthorizationHeaderMalformed"];

/** True if the store says that the bucket lies in another region, or that the whole store does. */
export function isOfOtherRegion(error: unknown): boolean {
  return OTHER_REGION.includes(codeOf(error));
}

/** True if IAM keeps a user for what still belongs to it. */
export function isDeleteConflict(error: unknown): boolean {
  return codeOf(error) === "DeleteConflict";
}

/** Answers of a store that does not have a feature. */
const NOT_SERVED: readonly string[] = ["NotImplemented", "MethodNotAllowed", "InvalidAction"];

/** Kinds of an answer 400 that is about what was sent, and not about who sent it or when. */
const ABOUT_CONTENT: readonly ErrorKind[] = ["invalid-argument", "internal"];

/**
 * The store's answer, if it says that it does not have a feature or cannot take what was sent: the same request gets it each
 * time. Undefined for any other fault.
 */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof DriverError) return undefined;
  const status = httpStatusOf(error);
  const refused =
    NOT_SERVED.includes(codeOf(error)) ||
    status === 405 ||
    status === 501 ||
    (status === 400 && ABOUT_CONTENT.includes(kindOf(error)));
  return refused ? reasonOf(error) : undefined;
}

/**
 * What a contract tells its caller: what failed, on which object, why.
 *
 * @param error - what the core threw: a DriverError, or an error of the AWS SDK.
 * @param attempt - what was tried, for example `create bucket "photos"`.
 */
export function toDriverError(error: unknown, attempt: string): DriverError {
  const kind = kindOf(error);
  const reason = error instanceof DriverError ? error.message : reasonOf(error);
  return new DriverError(kind, `cannot ${attempt}: ${reason}`, { cause: error });
}

/** Refused, reset, unknown host, certificate not accepted: errors with the code of a system call or of TLS. */
function isConnectionFailure(error: unknown): boolean {
  const code = property(error, "code");
  return typeof code === "string" && (!code.startsWith("ERR_") || /^ERR_(TLS|SSL)_/.test(code));
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim();
  const said = message === "" || message === code ? code : `${code}: ${message}`;
  const status = httpStatusOf(error);
  return shorten(status === undefined ? said : `the store answered ${status} ${said}`, MAX_REASON);
}

function codeOf(error: unknown): string {
  const name = property(error, "name");
  const code = property(error, "code");
  const found =
    typeof code === "string" && (name === "Error" || name === "AggregateError") ? code : String(name);
  return found.replace(/Exception$/, "");
}

function httpStatusOf(error: unknown): number | undefined {
  const status =
    property(property(error, "$metadata"), "httpStatusCode") ??
    property(property(error, "$response"), "statusCode");
  return typeof status === "number" ? status : undefined;
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
