import type { Request } from "./names";

/** The request of an annotation that {@link requestMark} wrote; `undefined` for any other text. */
export function requestOfMark(mark: string): Request | undefined {
  const [namespace, name, uid, ...rest] = mark.split("/");
  if (namespace === undefined || name === undefined || uid === undefined || rest.length > 0) return undefined;
  return { namespace, name, uid };
}
