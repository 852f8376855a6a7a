import type * as pulumi from "@pulumi/pulumi";
import { create, read, remove, update } from "./bucket-life";
import { check, diff } from "./bucket-plan";
import type { BucketInputs, BucketOutputs } from "./bucket-state";
import { configureKubernetes } from "./kubernetes/target";

/** Logic of `Bucket`, called by Pulumi's host. */
export const provider: pulumi.dynamic.ResourceProvider<BucketInputs, BucketOutputs> = {
  configure: configureKubernetes,
  check: (olds, news) => Promise.resolve(check(olds, news)),
  diff: (_id, olds, news) => Promise.resolve(diff(olds, news)),
  create,
  read,
  update,
  delete: remove,
};
