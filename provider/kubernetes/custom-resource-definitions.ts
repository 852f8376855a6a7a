import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { CheckFailures } from "../dynamic/check-failures";
import { FailedResourceError } from "../dynamic/failed";
import { hosted } from "../dynamic/hosted";
import { select } from "../dynamic/select";
import { containsUnknown, isRecord, sameValue } from "../dynamic/values";
import { stateFormat } from "../dynamic/state-format";
import { definitionsOf } from "../models/registry";
import { warn } from "../run/warning";
import { connectKubernetes, type KubernetesClient } from "./client";
import { refuseController } from "./controller-conflict";
import { type CustomResourceDefinition, kindOf, problemOf } from "./definition";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import { changeMetadata, type MetadataChange } from "./metadata";
import { customResourceDefinitionKind, describe, pathOf, type KubernetesObject } from "./object";
import { isMarkedByName, ownerAnnotation, stackIdProblem } from "./ownership";
import { movedServerProblem, stackServer, type StackServer } from "./stack-server";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "./target";
import { targetOutput } from "./target-output";
import { untilGone } from "./until-gone";

interface DefinitionsInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  model: string;
  owner: string;
  removeCrds?: boolean | null;
  givenStackId?: string | null;
  conflictingDeployment?: string | null;
  /** Filled in by `check`; a state of before has none, and no change for it. */
  stackServer?: StackServer | null;
}

interface DefinitionsOutputs extends DefinitionsInputs {
  /** Names of the definitions that this resource created. */
  created: string[];
  clusterUid: string | null;
  stackId: string;
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
}

const establishedWaitMs = 30_000;

/** Logic of `CustomResourceDefinitions`, called by Pulumi's host. */
export const provider = hosted<DefinitionsInputs, DefinitionsOutputs>({
  configure: configureKubernetes,

  async check(olds, news) {
    const failures = new CheckFailures();
    failures.judge("stackId", news.givenStackId ?? undefined, stackIdProblem);
    const server = await stackServer(news.kubernetes);
    const recorded = (server === undefined ? olds.stackServer : server) ?? null;
    const moved = movedServerProblem(olds.stackServer, server);
    if (moved !== undefined) failures.add("kubernetes:kubeconfig", moved);
    return failures.result({
      ...news,
      kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
      ...(recorded === null ? {} : { stackServer: recorded }),
    });
  },

  diff(_id, olds, news) {
    const changed =
      containsUnknown(news) ||
      !sameValue(olds.kubernetes ?? {}, news.kubernetes ?? {}) ||
      // By its name this stack tells the definitions that it may remove.
      !sameValue(olds.owner, news.owner) ||
      !sameValue(olds.removeCrds ?? false, news.removeCrds ?? false) ||
      !sameValue(olds.givenStackId ?? null, news.givenStackId ?? null) ||
      !sameValue(olds.conflictingDeployment, news.conflictingDeployment) ||
      (olds.stackServer !== undefined && !sameValue(olds.stackServer, news.stackServer));
    return Promise.resolve({ changes: changed || (olds.drift ?? []).length > 0, replaces: [] });
  },

  async create(inputs) {
    return {
      id: inputs.model,
      outs: await install(inputs, { created: [], clusterUid: null, stackId: randomUUID() }),
    };
  },

  async update(_id, olds, news) {
    return { outs: await install(news, olds, olds.owner) };
  },

  async read(id, props) {
    if (props === undefined) throw new Error(`the definitions of ${id} are read from the state only`);
    const client = await connectKubernetes({ ...props.kubernetes, clusterUid: props.clusterUid });
    const drift: string[] = [];
    for (const definition of definitionsOf(props.model)) {
      const { name } = definition.metadata;
      const found = await client.get(customResourceDefinitionKind, { name });
      if (found === undefined) drift.push(`${name} is gone`);
      else if (problemOf(definition, found) !== undefined) drift.push(`${name} is another one`);
    }
    const outs = outputsOf({ ...props, drift });
    const inputs = [
      "kubernetes",
      "model",
      "owner",
      "removeCrds",
      "givenStackId",
      "conflictingDeployment",
      "stackServer",
    ] as const;
    // What a program gave, of what is kept. Pulumi types inputs and outputs alike here.
    return { id, props: outs, inputs: select(outs, inputs) as DefinitionsOutputs };
  },

  async delete(_id, props) {
    if (props.removeCrds !== true || props.created.length === 0) return;
    const client = await connectKubernetes({ ...props.kubernetes, clusterUid: props.clusterUid });
    await uninstall(client, props);
  },
});

/** @param formerOwner What this stack was called when it marked what it has created. @default as it is called now */
async function install(
  inputs: DefinitionsInputs,
  olds: Pick<DefinitionsOutputs, "created" | "clusterUid" | "stackId">,
  formerOwner = inputs.owner,
): Promise<DefinitionsOutputs> {
  const { created: before, clusterUid } = olds;
  const stackId = inputs.givenStackId ?? olds.stackId;
  const client = await connectKubernetes({ ...inputs.kubernetes, clusterUid });
  if (typeof inputs.conflictingDeployment === "string") {
    await refuseController(client, inputs.conflictingDeployment);
  }
  const created = new Set(before);
  const result = (drift: string[]): DefinitionsOutputs =>
    outputsOf({
      ...inputs,
      created: [...created].sort(),
      clusterUid: clusterUid ?? client.clusterUid,
      stackId,
      drift,
    });
  const missing: CustomResourceDefinition[] = [];
  const ours: KubernetesObject[] = [];
  for (const definition of definitionsOf(inputs.model)) {
    const found = await client.get(customResourceDefinitionKind, definition.metadata);
    if (found === undefined) missing.push(definition);
    else requireUsable(definition, found);
    if (found !== undefined && before.includes(definition.metadata.name)) ours.push(found);
    // A run that was killed made it: its state knows nothing of it, nor of the id that it had.
    if (found !== undefined && isMarkedByName(found, inputs.owner)) created.add(definition.metadata.name);
  }
  for (const found of ours) await renameMark(client, found, formerOwner, inputs.owner);
  try {
    for (const definition of missing) {
      if (await createDefinition(client, definition, inputs.owner)) created.add(definition.metadata.name);
    }
    for (const definition of definitionsOf(inputs.model)) await untilEstablished(client, definition);
  } catch (error) {
    if (created.size === before.length) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const properties = { ...inputs, ...result(["not all definitions are installed"]) };
    throw new FailedResourceError(message, inputs.model, properties, { cause: error });
  }
  return result([]);
}

/**
 * Marks a definition that this stack has created with the name that the stack has by now; what carries the mark of another
 * stack stays as it is. Only `removeCrds` asks for the mark, so whoever may not write it can still use the definition.
 */
async function renameMark(
  client: KubernetesClient,
  found: KubernetesObject,
  formerOwner: string,
  owner: string,
): Promise<void> {
  if (formerOwner === owner) return;
  const { name } = found.metadata;
  const change = (object: KubernetesObject): MetadataChange | undefined =>
    isMarkedByName(object, formerOwner) ? { annotations: { [ownerAnnotation]: owner } } : undefined;
  try {
    await changeMetadata(client, customResourceDefinitionKind, { name }, change, found);
  } catch (error) {
    if (!(error instanceof KubernetesError && error.forbidden)) throw error;
    warn(
      customResourceDefinitionKind.kind,
      name,
      `keeps its mark of ${formerOwner}, as this stack was called, since you may not patch it: removeCrds would leave it`,
    );
  }
}

/** @returns False if somebody else created it meanwhile; that one is used. */
async function createDefinition(
  client: KubernetesClient,
  definition: CustomResourceDefinition,
  owner: string,
): Promise<boolean> {
  const { metadata, spec } = definition;
  const annotations = { ...metadata.annotations, [ownerAnnotation]: owner };
  try {
    await client.create(customResourceDefinitionKind, { metadata: { ...metadata, annotations }, spec });
    return true;
  } catch (error) {
    if (!(error instanceof KubernetesError && error.conflict)) throw error;
    const found = await client.get(customResourceDefinitionKind, definition.metadata);
    if (found === undefined) throw error;
    requireUsable(definition, found);
    return isMarkedByName(found, owner);
  }
}

function requireUsable(wanted: CustomResourceDefinition, found: KubernetesObject): void {
  const problem = problemOf(wanted, found);
  if (problem === undefined) return;
  throw new RefusedError(`${describe(customResourceDefinitionKind, found.metadata)} exists and ${problem}`);
}

/** Waits until the server serves the kind. */
async function untilEstablished(
  client: KubernetesClient,
  definition: CustomResourceDefinition,
): Promise<void> {
  const deadline = Date.now() + establishedWaitMs;
  for (;;) {
    const found = await client.get(customResourceDefinitionKind, definition.metadata);
    const status = found?.["status"];
    const listed = isRecord(status) && Array.isArray(status["conditions"]) ? status["conditions"] : [];
    const conditions = listed.filter(isRecord);
    if (conditions.some(({ type, status: state }) => type === "Established" && state === "True")) return;
    if (Date.now() >= deadline) {
      const text = conditions.map(
        (entry) => `${String(entry["type"])}=${String(entry["status"])} ${String(entry["message"])}`,
      );
      throw new RefusedError(
        `${describe(customResourceDefinitionKind, definition.metadata)} is not established after ` +
          `${establishedWaitMs / 1000} s: ${text.join("; ") || "no condition"}`,
      );
    }
    await pause(100);
  }
}

/** Deletes what this resource created, if no object of any of the kinds is left. */
async function uninstall(client: KubernetesClient, props: DefinitionsOutputs): Promise<void> {
  const ours = definitionsOf(props.model).filter(({ metadata }) => props.created.includes(metadata.name));
  for (const definition of ours) {
    const kind = kindOf(definition);
    const [left] = await client.list(kind, { limit: 1 });
    if (left === undefined) continue;
    throw new RefusedError(
      `removeCrds: true would delete ${describe(kind, left.metadata)} with its definition ` +
        `${definition.metadata.name}; delete the object first, or run \`pulumi up\` with removeCrds: false`,
    );
  }
  for (const { metadata } of ours) {
    const found = await client.get(customResourceDefinitionKind, metadata);
    if (found?.metadata.uid === undefined) continue;
    if (!isMarkedByName(found, props.owner)) {
      warn(
        customResourceDefinitionKind.kind,
        metadata.name,
        "is not marked as one of this stack, so it stays",
      );
      continue;
    }
    await client.delete(customResourceDefinitionKind, metadata, { uid: found.metadata.uid });
    await untilGone(client, customResourceDefinitionKind, { name: pathOf(metadata) }, found.metadata.uid);
  }
}

function outputsOf(outputs: DefinitionsOutputs): DefinitionsOutputs {
  const { kubernetes, model, owner, removeCrds, givenStackId, conflictingDeployment, stackServer } = outputs;
  const { created, drift, clusterUid, stackId } = outputs;
  const all = {
    kubernetes: targetOutput(kubernetes),
    model,
    owner,
    removeCrds: removeCrds ?? false,
    ...(typeof givenStackId === "string" ? { givenStackId } : {}),
    conflictingDeployment: conflictingDeployment ?? null,
    stackServer: stackServer ?? null,
    created,
    clusterUid,
    stackId,
    drift: drift ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}
