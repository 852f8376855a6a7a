import type { CustomResourceDefinition } from "../../kubernetes/definition";
import type { Model } from "../model";
import { GrantedAccessObserver } from "./access-observer";
import { ClaimedBucketObserver } from "./bucket-observer";
import type { ClaimedApi } from "./claimed-api";
import { AccessSecretObserver } from "./secret-observer";

/** The API model of these names. */
export function claimedModel(api: ClaimedApi, definitions: readonly CustomResourceDefinition[]): Model {
  const { kinds, words } = api;
  return {
    requests: { bucket: kinds.claim.kind, access: kinds.access.kind },
    namesProvisioners: false,
    grantsAtCreate: false,
    wayToKeepData:
      `set the ${words.claim}'s deletionPolicy to "Retain" and run pulumi up before this change (editing the class ` +
      `changes no existing ${words.bucket})`,
    definitions,
    observeBucket: (objects, request) => new ClaimedBucketObserver(api, objects, request),
    observeAccess: (objects) => new GrantedAccessObserver(api, objects),
    observeSecret: (objects) => new AccessSecretObserver(api, objects),
  };
}
