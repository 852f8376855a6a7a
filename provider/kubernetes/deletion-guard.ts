import type * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../dynamic/check-failures";
import { hosted } from "../dynamic/hosted";
import { DynamicResource } from "../dynamic/resource";
import { connectKubernetes } from "./client";
import type { DeepInput } from "./deep-input";
import { identityChanges, keepUid } from "./identity";
import type { KubernetesKind } from "./object";
import { planOf, refreshed, requireRecorded } from "./recorded";
import { refuseForeignSuccessor } from "./successor";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "./target";
import { targetOutput } from "./target-output";

/** An object that is written, and who wrote it. */
export interface DeletionGuardArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  kind: KubernetesKind;
  object: DeepInput<WrittenReference>;
  /** `<organization>/<project>/<stack>`: value of the annotation `pulumi-cosi/owner` on objects of this stack. */
  owner: string;
}

/** A written object, by its UID. */
interface WrittenReference {
  /** Left out for an object of the cluster. */
  namespace?: string | undefined;
  name: string;
  /** Absent where a preview cannot ask the API server. */
  uid?: string | undefined;
}

interface DeletionGuardInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  kind: KubernetesKind;
  object: WrittenReference;
  owner: string;
}

/**
 * Looks at an object before it is deleted. @pulumi/kubernetes goes by names, and would delete what somebody made in the place of
 * ours: a foreign one stops the run here, and stays as it is. It is for objects that no bucket and no access belongs to, whose
 * own deletion would look: classes and roles. Created after its object, it goes before it.
 */
export class DeletionGuard extends DynamicResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/kubernetes:DeletionGuard";

  constructor(name: string, args: DeletionGuardArgs, opts?: pulumi.CustomResourceOptions) {
    super("cosi/kubernetes", "DeletionGuard", "kubernetes/deletion-guard", name, { ...args }, opts);
  }
}

const inputKeys = [
  "kubernetes",
  "kind",
  "object",
  "owner",
] as const satisfies readonly (keyof DeletionGuardInputs)[];

/** Logic of {@link DeletionGuard}, called by Pulumi's host. */
export const provider = hosted<DeletionGuardInputs, DeletionGuardInputs>({
  configure: configureKubernetes,

  check(olds, news) {
    return Promise.resolve(
      new CheckFailures().result({
        ...news,
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        object: keepUid(olds.object, news.object),
      }),
    );
  },

  diff(_id, olds, news) {
    // An object that will be replaced is deleted first, and this one before it.
    const replaces = identityChanges(olds, news, ["kind", "object"]);
    return Promise.resolve(planOf(olds, news, replaces, olds.owner !== news.owner));
  },

  create(inputs) {
    return Promise.resolve({ id: inputs.object.uid ?? inputs.object.name, outs: outputsOf(inputs) });
  },

  update(_id, _olds, news) {
    return Promise.resolve({ outs: outputsOf(news) });
  },

  /** What has the object's name now the guard of the name tells, see `NameGuard`. */
  read(id, recorded) {
    return Promise.resolve(
      refreshed(id, outputsOf(requireRecorded("DeletionGuard", id, recorded)), inputKeys),
    );
  },

  async delete(_id, { kubernetes, kind, object, owner }) {
    const client = await connectKubernetes(kubernetes ?? {});
    const found = await client.get(kind, object);
    refuseForeignSuccessor(kind, object, found, object.uid ?? "", { owner, kubernetes });
  },
});

function outputsOf(inputs: DeletionGuardInputs): DeletionGuardInputs {
  return { ...inputs, kubernetes: targetOutput(inputs.kubernetes) };
}
