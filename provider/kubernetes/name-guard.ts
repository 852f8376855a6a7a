import type * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../dynamic/check-failures";
import { hosted } from "../dynamic/hosted";
import { DynamicResource } from "../dynamic/resource";
import { select } from "../dynamic/select";
import { isRecord, isUnknown, sameValue, secretValues } from "../dynamic/values";
import { stateFormat } from "../dynamic/state-format";
import { warn } from "../run/warning";
import { connectKubernetes } from "./client";
import { refuseController } from "./controller-conflict";
import type { DeepInput } from "./deep-input";
import { recordedUidOf, refuseForeign, whose } from "./foreign-object";
import { identityChanges } from "./identity";
import { keepNamed } from "./kept-name";
import { RefusedError } from "./kubernetes-error";
import { warnOfMissingNamespace } from "./missing-namespace";
import { namespaceProblem, objectNameProblem } from "./names";
import { pathOf, type KubernetesKind } from "./object";
import { isOfStack } from "./ownership";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "./target";
import { targetOutput } from "./target-output";
import { writersOfRun } from "./writers";

/** The object that will be written, and who writes it. */
export interface NameGuardArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  kind: KubernetesKind;
  /** Left out for an object of the cluster. */
  namespace?: pulumi.Input<string> | undefined;
  name: pulumi.Input<string>;
  /** The program gives no name; the first one then stays, whatever an alias calls the component. @default false */
  isDefaultName?: boolean | undefined;
  /** `<organization>/<project>/<stack>`: value of the annotation `pulumi-cosi/owner` on objects of this stack. */
  owner: string;
  /** URN, below the stack, of the component that writes the object: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  /** Name of a Deployment that must not run, since it would act on the same objects. */
  conflictingDeployment?: string | undefined;
  /** What the user should know about the object's inputs; said in the run that sets or changes them. */
  warnings?: pulumi.Input<string[]> | undefined;
  /**
   * What the object copies from somewhere else. The copy stays while the key stays: an edit of the original changes
   * no object that exists.
   */
  copied?: DeepInput<Copied> | undefined;
  /**
   * Fields of the object that another resource tells. Where a preview does not know them, as that resource is
   * updated, they are what they were.
   */
  told?: DeepInput<Record<string, string>> | undefined;
}

/** A copy, and what it is a copy of. */
export interface Copied {
  key: string;
  value: Record<string, string>;
  /** The program marked a part of the original as secret. */
  secret?: boolean | null;
}

interface NameGuardInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  kind: KubernetesKind;
  namespace?: string;
  name: string;
  isDefaultName?: boolean | null;
  owner: string;
  resource: string;
  conflictingDeployment?: string;
  warnings?: string[];
  copied?: Copied | null;
  told?: Record<string, string> | null;
}

interface NameGuardOutputs extends NameGuardInputs {
  /** What a refresh found at the name that is not ours; the next `up` stops at it. */
  drift?: string[] | null;
  /** Of our object, as a refresh or a look-up has seen it: by it one is told of which somebody took the marks off. */
  uid?: string | null;
}

/**
 * Looks a name up before a custom resource is created there. @pulumi/kubernetes would merge into an object of that
 * name, and delete it on destroy: a foreign one stops the run here, and stays as it is. A refresh looks again, since
 * @pulumi/kubernetes tells objects by their names: what somebody made in the place of ours is one to it.
 */
export class NameGuard extends DynamicResource {
  /** The name, once it is sure that it may be written. */
  declare readonly name: pulumi.Output<string>;
  /** URN, below the stack, of the component that the object was first written by. */
  declare readonly resource: pulumi.Output<string>;
  /** The copy that was made first, of the present key; only where something is copied. */
  declare readonly copied: pulumi.Output<Copied>;
  /** The fields that another resource tells; only where there are any. */
  declare readonly told: pulumi.Output<Record<string, string>>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/kubernetes:NameGuard";

  constructor(name: string, args: NameGuardArgs, opts?: pulumi.CustomResourceOptions) {
    const props = { ...args, warnings: args.warnings ?? [] };
    super("cosi/kubernetes", "NameGuard", "kubernetes/name-guard", name, props, opts);
  }
}

const inputKeys = [
  "kubernetes",
  "kind",
  "namespace",
  "name",
  "isDefaultName",
  "owner",
  "resource",
  "conflictingDeployment",
  "warnings",
  "copied",
  "told",
] as const satisfies readonly (keyof NameGuardInputs)[];

/** Logic of {@link NameGuard}, called by Pulumi's host. */
export const provider = hosted<NameGuardInputs, NameGuardOutputs>({
  configure: configureKubernetes,

  check(olds, given) {
    const failures = new CheckFailures();
    const news = keepNamed(olds, given);
    failures.judge("namespace", news.namespace, namespaceProblem);
    failures.judge("name", news.name, objectNameProblem);
    const problem = writersOfRun.problemOf({ ...news, resource: given.resource });
    if (problem !== undefined) failures.add("name:", problem);
    if (!sameValue(olds.warnings ?? [], news.warnings)) {
      const warnings = Array.isArray(news.warnings) ? news.warnings : [];
      for (const text of warnings) {
        if (!isUnknown(text)) warn(news.kind.kind, displayName(news), text);
      }
    }
    const kept = isRecord(olds.copied) && isRecord(news.copied) && olds.copied.key === news.copied.key;
    const copied = withSecretValue((kept ? olds.copied : news.copied) ?? null);
    const kubernetes = keepTarget(olds.kubernetes, news.kubernetes) ?? null;
    const told = keepTold(olds.told, news.told);
    return Promise.resolve(failures.result({ ...news, kubernetes, copied, told }));
  },

  diff(_id, olds, news) {
    const replaces = identityChanges(olds, news, ["kind", "namespace", "name"]);
    // By the owner that is recorded a refresh tells what is ours.
    const recorded = ["copied", "told", "owner"] as const;
    const changes =
      replaces.length > 0 ||
      (olds.drift ?? []).length > 0 ||
      recorded.some((key) => !sameValue(olds[key], news[key])) ||
      !sameValue(olds.kubernetes ?? {}, news.kubernetes ?? {});
    return Promise.resolve({ changes, replaces });
  },

  async create(inputs) {
    const client = await connectKubernetes(inputs.kubernetes ?? {});
    if (inputs.conflictingDeployment !== undefined) {
      await refuseController(client, inputs.conflictingDeployment);
    }
    const problem = writersOfRun.problemOf(inputs, client.server);
    if (problem !== undefined) throw new RefusedError(problem);
    const found = await refuseForeign(client, inputs.kind, inputs, [inputs]);
    await warnOfMissingNamespace(client, inputs);
    return { id: idOf(inputs), outs: outputsOf({ ...inputs, uid: found?.metadata.uid ?? null }) };
  },

  async update(_id, olds, news) {
    let uid = olds.uid ?? null;
    if ((olds.drift ?? []).length > 0) {
      const client = await connectKubernetes(news.kubernetes ?? {});
      const found = await refuseForeign(client, news.kind, news, [news, olds], uid);
      uid = found?.metadata.uid ?? uid;
    }
    return { outs: outputsOf({ ...news, uid }) };
  },

  async read(id, props) {
    if (props === undefined) throw new Error(`the NameGuard ${id} is read from the state only`);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(props.kind, props);
    const ours = found === undefined || isOfStack(found, props, recordedUidOf(found, props.uid));
    const drift = ours ? [] : [`the object of this name ${whose(found, props)}`];
    for (const text of drift)
      warn(props.kind.kind, pathOf(props), `${text}; it stays, and the next up stops`);
    const uid = (ours ? found?.metadata.uid : undefined) ?? props.uid ?? null;
    const outs = outputsOf({ ...props, uid, drift });
    return { id, props: outs, inputs: select(outs, inputKeys) as NameGuardOutputs };
  },

  delete() {
    return Promise.resolve();
  },
});

/** What was copied stays secret, whatever the program says of the original now: Pulumi takes what is secret from it. */
function withSecretValue(copy: Copied | null): Copied | null {
  return copy?.secret === true ? { ...copy, value: secretValues(copy.value) } : copy;
}

function keepTold(
  olds: NameGuardInputs["told"],
  news: NameGuardInputs["told"],
): Record<string, string> | null {
  if (!isRecord(news)) return null;
  const known = Object.entries(news).map(
    ([key, value]) => [key, isUnknown(value) ? (olds?.[key] ?? value) : value] as const,
  );
  return Object.fromEntries(known);
}

function displayName({ namespace, name }: NameGuardInputs): string {
  return isUnknown(name) || isUnknown(namespace) ? "(name not known yet)" : pathOf({ namespace, name });
}

function idOf(inputs: NameGuardInputs): string {
  return `${inputs.kind.kind.toLowerCase()}/${pathOf(inputs)}`;
}

function outputsOf(inputs: NameGuardOutputs): NameGuardOutputs {
  const outputs = {
    ...inputs,
    kubernetes: targetOutput(inputs.kubernetes),
    namespace: inputs.namespace ?? null,
    isDefaultName: inputs.isDefaultName ?? null,
    conflictingDeployment: inputs.conflictingDeployment ?? null,
    warnings: inputs.warnings ?? [],
    copied: withSecretValue(inputs.copied ?? null),
    told: inputs.told ?? null,
    drift: inputs.drift ?? [],
    uid: inputs.uid ?? null,
    schemaVersion: stateFormat,
  };
  return outputs as unknown as NameGuardOutputs;
}
