import { create, read, remove, update } from "../bucket/life";
import { check, diff } from "../bucket/plan";
import type { BucketInputs, BucketOutputs } from "../bucket/state";
import { deploymentV1alpha1 } from "../contracts/deployment-v1alpha1";
import { deploymentProperties } from "../contracts/deployment-words";
import { hosted, type WholeProvider } from "../dynamic/hosted";
import { renamed } from "../dynamic/renamed";
import { judgedByType } from "../inputs/judged-by-type";
import { configureKubernetes } from "../kubernetes/target";

const core: WholeProvider<BucketInputs, BucketOutputs> = {
  configure: configureKubernetes,
  check: (olds, news) => Promise.resolve(check(olds, news, "cosi.Deployment")),
  diff: (_id, olds, news) => Promise.resolve(diff(olds, news)),
  create,
  read: (id, props) => read(id, props, deploymentV1alpha1.words),
  update,
  delete: remove,
};

/** Logic of `Deployment`, called by Pulumi's host: that of `Bucket` under other names. */
export const provider = hosted(judgedByType("Deployment", renamed(core, deploymentProperties)));
