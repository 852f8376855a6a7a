import type { Model } from "../model";
import { RequestedAccessObserver } from "./access-observer";
import { RequestedBucketObserver } from "./bucket-observer";
import { definitionsFor } from "./definitions";
import { kindsOf } from "./kinds";
import { RequestedSecretObserver } from "./secret-observer";

/** The API of the COSI proposal of 2020-07-08, in a group. */
export function cosi202007Model(group: string): Model {
  const kinds = kindsOf(group);
  return {
    requests: { bucket: kinds.bucketRequest.kind, access: kinds.bucketAccessRequest.kind },
    namesProvisioners: true,
    grantsAtCreate: false,
    wayToKeepData: "leave this request as it is, and make one of a new name beside it",
    definitions: definitionsFor(group),
    observeBucket: (objects, request) => new RequestedBucketObserver(kinds, objects, request),
    observeAccess: (objects) => new RequestedAccessObserver(kinds, objects),
    observeSecret: (objects) => new RequestedSecretObserver(kinds, objects),
  };
}
