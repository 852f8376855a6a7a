import { create, read, remove, update } from "../bucket-access/life";
import { check, diff } from "../bucket-access/plan";
import type { AccessInputs } from "../bucket-access/inputs";
import type { AccessOutputs } from "../bucket-access/state";
import { deploymentProperties } from "../contracts/deployment-words";
import { hosted, type WholeProvider } from "../dynamic/hosted";
import { renamed } from "../dynamic/renamed";
import { judgedByType } from "../inputs/judged-by-type";
import { configureKubernetes } from "../kubernetes/target";

const core: WholeProvider<AccessInputs, AccessOutputs> = {
  configure: configureKubernetes,
  check: (olds, news) => Promise.resolve(check(olds, news, "cosi.Deployment")),
  diff: (_id, olds, news) => Promise.resolve(diff(olds, news)),
  create,
  read,
  update,
  delete: remove,
};

/** Logic of `DeploymentAccess`, called by Pulumi's host: that of `BucketAccess` under other names. */
export const provider = hosted(judgedByType("DeploymentAccess", renamed(core, deploymentProperties)));
