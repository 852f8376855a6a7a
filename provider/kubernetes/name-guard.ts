import type * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../dynamic/check-failures";
import { hosted } from "../dynamic/hosted";
import { DynamicResource } from "../dynamic/resource";
import { select } from "../dynamic/select";
import { canonical, isRecord, isUnknown, sameValue } from "../dynamic/values";
import { warn } from "../run/warning";
import { connectKubernetes, type KubernetesClient } from "./client";
import { refuseController } from "./controller-conflict";
import type { DeepInput } from "./deep-input";
import { identityChanges } from "./identity";
import { RefusedError } from "./kubernetes-error";
import { namespaceProblem, objectNameProblem } from "./names";
import { describe, pathOf, type KubernetesKind, type KubernetesObject, type ObjectReference } from "./object";
import { isOwnedByStack, ownerAnnotation, resourceAnnotation } from "./ownership";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "./target";
import { targetOutput } from "./target-output";

/** The object that will be written, and who writes it. */
export interface NameGuardArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  kind: KubernetesKind;
  /** Left out for an object of the cluster. */
  namespace?: pulumi.Input<string> | undefined;
  name: pulumi.Input<string>;
  /** `<organization>/<project>/<stack>`: value of the annotation `pulumi-cosi/owner` on objects of this stack. */
  owner: string;
  /** Logical name of the component that writes the object: value of the annotation `pulumi-cosi/resource`. */
  resource: string;
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
}

interface NameGuardInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  kind: KubernetesKind;
  namespace?: string;
  name: string;
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
}

/**
 * Looks a name up before a custom resource is created there. @pulumi/kubernetes would merge into an object of that
 * name, and delete it on destroy: a foreign one stops the run here, and stays as it is. A refresh looks again, since
 * @pulumi/kubernetes tells objects by their names: what somebody made in the place of ours is one to it.
 */
export class NameGuard extends DynamicResource {
  /** The name, once it is sure that it may be written. */
  declare readonly name: pulumi.Output<string>;
  /** The copy that was made first, of the present key; only where something is copied. */
  declare readonly copied: pulumi.Output<Copied>;
  /** The fields that another resource tells; only where there are any. */
  declare readonly told: pulumi.Output<Record<string, string>>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/kubernetes:NameGuard";

  constructor(name: string, args: NameGuardArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = { copied: undefined, told: undefined, drift: undefined, schemaVersion: undefined };
    const props = { ...outputs, ...args, warnings: args.warnings ?? [] };
    super("cosi/kubernetes", "NameGuard", "kubernetes/name-guard", name, props, opts);
  }
}

const inputKeys = [
  "kubernetes",
  "kind",
  "namespace",
  "name",
  "owner",
  "resource",
  "conflictingDeployment",
  "warnings",
  "copied",
  "told",
] as const satisfies readonly (keyof NameGuardInputs)[];

/** Names that were found free in this run, so that two components of one program do not both get one. */
const guardsOfRun = new Set<string>();

/** Logic of {@link NameGuard}, called by Pulumi's host. */
export const provider = hosted<NameGuardInputs, NameGuardOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const failures = new CheckFailures();
    failures.judge("namespace", news.namespace, namespaceProblem);
    failures.judge("name", news.name, objectNameProblem);
    if (!sameValue(olds.warnings ?? [], news.warnings)) {
      const warnings = Array.isArray(news.warnings) ? news.warnings : [];
      for (const text of warnings) {
        if (!isUnknown(text)) warn(news.kind.kind, displayName(news), text);
      }
    }
    const kept = isRecord(olds.copied) && isRecord(news.copied) && olds.copied.key === news.copied.key;
    const copied = (kept ? olds.copied : news.copied) ?? null;
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
    const key = canonical([client.server, inputs.kind.kind, pathOf(inputs)]);
    if (guardsOfRun.has(key)) {
      throw new RefusedError(
        `${describe(inputs.kind, inputs)} is written by another resource of this program; choose another name`,
      );
    }
    guardsOfRun.add(key);
    try {
      await refuseForeign(client, inputs.kind, inputs, inputs);
    } catch (error) {
      guardsOfRun.delete(key);
      throw error;
    }
    return { id: idOf(inputs), outs: outputsOf(inputs) };
  },

  async update(_id, olds, news) {
    if ((olds.drift ?? []).length > 0) {
      const client = await connectKubernetes(news.kubernetes ?? {});
      await refuseForeign(client, news.kind, news, news);
    }
    return { outs: outputsOf(news) };
  },

  async read(id, props) {
    if (props === undefined) throw new Error(`the NameGuard ${id} is read from the state only`);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(props.kind, props);
    const ours = found === undefined || isOwnedByStack(found, props.owner);
    const drift = ours ? [] : [`the object of this name ${whose(found)}`];
    for (const text of drift)
      warn(props.kind.kind, pathOf(props), `${text}; it stays, and the next up stops`);
    const outs = outputsOf({ ...props, drift });
    return { id, props: outs, inputs: select(outs, inputKeys) as NameGuardOutputs };
  },

  delete() {
    return Promise.resolve();
  },
});

/**
 * Passes if a name is free, or taken by what this very component wrote in a run that was killed.
 *
 * @throws RefusedError that names the object, whose it is, and the way on.
 */
export async function refuseForeign(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  writer: { owner: string; resource: string },
): Promise<void> {
  const found = await client.get(kind, reference);
  if (found === undefined) return;
  if (!isOwnedByStack(found, writer.owner)) {
    throw new RefusedError(
      `${describe(kind, reference)} exists and ${whose(found)}; it stays as it is: choose another name, or delete it first`,
    );
  }
  const resource = found.metadata.annotations?.[resourceAnnotation];
  if (resource !== undefined && resource !== writer.resource) {
    throw new RefusedError(
      `${describe(kind, reference)} belongs to the resource ${JSON.stringify(resource)} of this stack; ` +
        `if that was renamed to ${JSON.stringify(writer.resource)}, give the option ` +
        `aliases: [{ name: ${JSON.stringify(resource)} }], otherwise choose another name`,
    );
  }
}

/** Of an object that this stack did not make. */
function whose({ metadata }: KubernetesObject): string {
  const owner = metadata.annotations?.[ownerAnnotation];
  return owner === undefined ? "was not made by pulumi-cosi" : `belongs to the stack ${owner}`;
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
    conflictingDeployment: inputs.conflictingDeployment ?? null,
    warnings: inputs.warnings ?? [],
    copied: inputs.copied ?? null,
    told: inputs.told ?? null,
    drift: inputs.drift ?? [],
    schemaVersion: 1,
  };
  return outputs as unknown as NameGuardOutputs;
}
