import { create, read, remove, update } from "./life";
import { check, diff } from "./plan";
import type { AccessInputs } from "./inputs";
import type { AccessOutputs } from "./state";
import { hosted } from "../dynamic/hosted";
import { judgedByType } from "../inputs/judged-by-type";
import { configureKubernetes } from "../kubernetes/target";

/** Logic of `BucketAccess`, called by Pulumi's host. */
export const provider = hosted(
  judgedByType<AccessInputs, AccessOutputs>(
    "BucketAccess",
    {
      configure: configureKubernetes,
      check: (olds, news) => Promise.resolve(check(olds, news)),
      diff: (_id, olds, news) => Promise.resolve(diff(olds, news)),
      create,
      read,
      update,
      delete: remove,
    },
    { endpoint: "defaultEndpoint", region: "defaultRegion" },
  ),
);
