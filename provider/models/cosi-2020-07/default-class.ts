import type * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../../dynamic/check-failures";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { select } from "../../dynamic/select";
import { containsUnknown, isUnknown, sameValue } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import type { DeepInput } from "../../kubernetes/deep-input";
import { keepResource } from "../../kubernetes/kept-name";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { isOwnedByStack, resourceAnnotation } from "../../kubernetes/ownership";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { defaultClassesOfRun } from "./default-classes";
import { kindsOfModel } from "./kinds";
import { readBucketClass } from "./records";
import type { ApiProtocol } from "../cosi-proposals/protocols";

/** Inputs of {@link DefaultClassGuard}. */
export interface DefaultClassGuardArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  /** Name of the API model in a group. */
  model: string;
  className: pulumi.Input<string>;
  protocol: pulumi.Input<ApiProtocol>;
  isDefault: pulumi.Input<boolean>;
}

interface GuardInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  resource: string;
  model: string;
  className: string;
  protocol: ApiProtocol;
  isDefault: boolean;
}

/**
 * Makes sure, before a BucketClass is written as the default one of its protocol, that there is no other: a request that
 * names no class would else be refused. Two of one program are refused in the preview; what others have made is looked up
 * when the class is written.
 */
export class DefaultClassGuard extends DynamicResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/cosi20200708:DefaultClassGuard";

  constructor(name: string, args: DefaultClassGuardArgs, opts?: pulumi.CustomResourceOptions) {
    const file = "models/cosi-2020-07/default-class";
    super("cosi/cosi20200708", "DefaultClassGuard", file, name, { ...args }, opts);
  }
}

const inputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "model",
  "className",
  "protocol",
  "isDefault",
] as const satisfies readonly (keyof GuardInputs)[];

/** What the guard has looked up: another value may have a default class beside it. */
const judged = ["model", "className", "protocol", "isDefault"] as const;

/** Logic of {@link DefaultClassGuard}, called by Pulumi's host. */
export const provider = hosted<GuardInputs, GuardInputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const failures = new CheckFailures();
    if (!isUnknown(news.isDefault) && news.isDefault) {
      const problem = defaultClassesOfRun.problemOf(news);
      if (problem !== undefined) failures.add("isDefaultBucketClass", problem);
    }
    const kubernetes = keepTarget(olds.kubernetes, news.kubernetes) ?? null;
    return Promise.resolve(failures.result({ ...keepResource(olds, news), kubernetes }));
  },

  diff(_id, olds, news) {
    const changes = inputKeys.some((key) => containsUnknown(news[key]) || !sameValue(olds[key], news[key]));
    return Promise.resolve({ changes, replaces: [] });
  },

  async create(inputs) {
    await refuseSecondDefault(inputs, []);
    return { id: inputs.className, outs: outputsOf(inputs) };
  },

  async update(_id, olds, news) {
    const same = judged.every((key) => sameValue(olds[key], news[key]));
    // A class of another name gives way to this one in the same run.
    if (!same) await refuseSecondDefault(news, [olds.className]);
    return { outs: outputsOf(news) };
  },

  read(id, props) {
    if (props === undefined) throw new Error(`the DefaultClassGuard ${id} is read from the state only`);
    const outs = outputsOf(props);
    return Promise.resolve({ id, props: outs, inputs: select(outs, inputKeys) as GuardInputs });
  },

  delete() {
    return Promise.resolve();
  },
});

/** @throws RefusedError that names the default class which is there. */
async function refuseSecondDefault(inputs: GuardInputs, own: readonly string[]): Promise<void> {
  if (!inputs.isDefault) return;
  const client = await connectKubernetes(inputs.kubernetes ?? {});
  const { className, protocol, model } = inputs;
  const { bucketClass } = kindsOfModel(model);
  const who = describe(bucketClass, { name: className });
  const problem = defaultClassesOfRun.problemOf(inputs, client.server);
  if (problem !== undefined) throw new RefusedError(`${who}: isDefaultBucketClass ${problem}`);
  const others = await defaultsOf(client, inputs, [className, ...own]);
  if (others.length === 0) return;
  throw new RefusedError(
    `${who}: isDefaultBucketClass is true, and the cluster has a default class for protocol ${JSON.stringify(protocol)} ` +
      `already: ${others.join(", ")}; nothing was written. Next: leave isDefaultBucketClass out here, or have it set to ` +
      "false there first (by a class of this program with dependsOn)",
  );
}

/** Names of the default classes of a protocol, but for those that this very component has written. */
async function defaultsOf(
  client: KubernetesClient,
  inputs: GuardInputs,
  own: readonly string[],
): Promise<string[]> {
  const { bucketClass } = kindsOfModel(inputs.model);
  const isOwn = (object: KubernetesObject): boolean =>
    own.includes(object.metadata.name) ||
    (isOwnedByStack(object, inputs) && object.metadata.annotations?.[resourceAnnotation] === inputs.resource);
  return (await client.list(bucketClass))
    .filter((object) => object["isDefaultBucketClass"] === true && !isOwn(object))
    .filter((object) => readBucketClass(object)?.protocol === inputs.protocol)
    .map(({ metadata }) => metadata.name)
    .sort();
}

function outputsOf({ kubernetes, ...inputs }: GuardInputs): GuardInputs {
  const { owner, resource, model, className, protocol, isDefault } = inputs;
  const outs = {
    kubernetes: targetOutput(kubernetes),
    owner,
    resource,
    model,
    className,
    protocol,
    isDefault,
    schemaVersion: stateFormat,
  };
  return outs;
}
