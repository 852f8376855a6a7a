import type { Model } from "../model";
import { ContentObserver } from "./bucket-observer";
import { definitionsFor } from "./definitions";
import { kindsOf } from "./kinds";

/** The API of the COSI proposal of 2020-02-27, in a group. */
export function cosi202002Model(group: string): Model {
  const kinds = kindsOf(group);
  const without = (what: string) => (): never => {
    throw new Error(`the API of the COSI proposal of 2020-02-27 has no ${what} beside its Bucket`);
  };
  return {
    requests: { bucket: kinds.bucket.kind, access: kinds.bucket.kind },
    namesProvisioners: true,
    grantsAtCreate: true,
    wayToKeepData: "leave this Bucket as it is, and make one of a new name beside it",
    definitions: definitionsFor(group),
    observeBucket: (objects, request) => new ContentObserver(kinds, objects, request),
    observeAccess: without("access"),
    observeSecret: without("Secret of an access"),
  };
}
