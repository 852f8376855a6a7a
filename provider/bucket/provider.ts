import { create, read, remove, update } from "./life";
import { check, diff } from "./plan";
import type { BucketInputs, BucketOutputs } from "./state";
import { hosted } from "../dynamic/hosted";
import { judgedByType } from "../inputs/judged-by-type";
import { configureKubernetes } from "../kubernetes/target";

/** Logic of `Bucket`, called by Pulumi's host. */
export const provider = hosted(
  judgedByType<BucketInputs, BucketOutputs>("Bucket", {
    configure: configureKubernetes,
    check: (olds, news) => Promise.resolve(check(olds, news)),
    diff: (_id, olds, news) => Promise.resolve(diff(olds, news)),
    create,
    read: (id, props) => read(id, props),
    update,
    delete: remove,
  }),
);
