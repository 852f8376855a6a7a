import * as pulumi from "@pulumi/pulumi";
import { rememberCredentials } from "../credentials/remember";
import { CheckFailures } from "../dynamic/check-failures";
import { hosted } from "../dynamic/hosted";
import { DynamicResource } from "../dynamic/resource";
import { containsUnknown, sameValue } from "../dynamic/values";
import { secretsOfRun } from "../run/one-secret";
import { warn } from "../run/warning";
import { connectKubernetes } from "./client";
import type { DeepInput } from "./deep-input";
import { identityChanges, keepUid } from "./identity";
import { namespaceProblem, objectNameProblem } from "./names";
import { pathOf, secretKind } from "./object";
import { isOwnedByUid } from "./ownership";
import { decoded, driftOf } from "./secret-object";
import { inputsOf, outputsOf, type SecretInputs, type SecretOutputs, type SecretOwner } from "./secret-state";
import { observerOf, removeSecret, writeSecret } from "./secret-write";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "./target";

/** Inputs of {@link Secret}. */
export interface SecretArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  namespace: pulumi.Input<string>;
  name: pulumi.Input<string>;
  /** Becomes the Secret's ownerReference, by which its owner is told from others of the same name. */
  owner: DeepInput<SecretOwner>;
  /** Keys and values as plain text; secret in the state. */
  data: pulumi.Input<Record<string, string>>;
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Finalizer that keeps the Secret until this resource is deleted. @default none */
  finalizer?: string | undefined;
  /** Under another name it is written first, and the old one deleted last. @default false: the old one goes first */
  moves?: boolean | undefined;
  /** API model whose objects say that the Secret is there. @default none */
  model?: string | undefined;
}

/**
 * A Secret that this package writes by itself. Other than one of @pulumi/kubernetes it never takes a Secret over,
 * keeps its UID when its data changes, and has no copy of the data in an annotation.
 */
export class Secret extends DynamicResource {
  declare readonly namespace: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string>;
  declare readonly uid: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/kubernetes:Secret";

  constructor(name: string, args: SecretArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      ...args,
      data: pulumi.secret(args.data),
      uid: undefined,
      drift: undefined,
      schemaVersion: undefined,
    };
    super(
      "cosi/kubernetes",
      "Secret",
      "kubernetes/secret",
      name,
      props,
      pulumi.mergeOptions(opts, {
        additionalSecretOutputs: ["data"],
        // The option would take precedence over what the provider says.
        ...(args.moves === true ? {} : { deleteBeforeReplace: true }),
      }),
    );
  }
}

/** Logic of {@link Secret}, called by Pulumi's host. */
export const provider = hosted<SecretInputs, SecretOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const failures = new CheckFailures();
    failures.judge("namespace", news.namespace, namespaceProblem);
    failures.judge("name", news.name, objectNameProblem);
    failures.judge("data", news.data, (data) => {
      const wrong = Object.keys(data).find((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key));
      return wrong === undefined
        ? undefined
        : `has the key ${JSON.stringify(wrong)}: keys of a Secret have letters, digits, "-", "_" and "."`;
    });
    return Promise.resolve(
      failures.result({
        ...news,
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        owner: keepUid(olds.owner, news.owner),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces = identityChanges(olds, news, ["namespace", "name", "owner"]);
    const changes =
      replaces.length > 0 ||
      (olds.drift ?? []).length > 0 ||
      (["data", "labels", "finalizer", "model"] as const).some(
        (key) => containsUnknown(news[key]) || !sameValue(olds[key], news[key]),
      ) ||
      !sameValue(olds.kubernetes ?? {}, news.kubernetes ?? {});
    const isMoved = news.moves === true && replaces.every((property) => property === "name");
    return Promise.resolve({ changes, replaces, deleteBeforeReplace: !isMoved });
  },

  async create(inputs) {
    const outs = await writeSecret(inputs);
    if (inputs.moves === true) secretsOfRun.noteWritten(inputs);
    return { id: pathOf(inputs), outs };
  },

  async update(_id, olds, news) {
    return { outs: await writeSecret(news, olds.labels) };
  },

  async read(id, props) {
    if (props === undefined) throw new Error(`the Secret ${id} is read from the state only`);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(secretKind, props);
    if (found === undefined) return {};
    if (!isOwnedByUid(found, props.owner.uid)) {
      warn(
        "Secret",
        pathOf(props),
        `is no longer that of this stack; it stays as it is, and the next up stops`,
      );
      return {};
    }
    if (found.metadata.deletionTimestamp !== undefined) {
      warn("Secret", pathOf(props), "is being deleted; `pulumi up` writes it again with the same content");
    }
    const drift = driftOf(found, props);
    drift.push(...((await observerOf(props)?.read()) ?? []));
    const live = { ...props, data: decoded(found), uid: found.metadata.uid ?? null, drift };
    return { id, props: outputsOf(live), inputs: inputsOf(live) };
  },

  async delete(_id, props) {
    rememberCredentials(props.data);
    // `--replace` has it written before it is deleted, under the name that it has.
    if (secretsOfRun.isWritten(props)) return;
    const client = await connectKubernetes(props.kubernetes ?? {});
    await observerOf(props)?.removing();
    const found = await client.get(secretKind, props);
    if (found === undefined) return;
    if (!isOwnedByUid(found, props.owner.uid)) {
      warn("Secret", pathOf(props), "is not that of this stack, so it stays");
      return;
    }
    await removeSecret(client, props, found);
  },
});
