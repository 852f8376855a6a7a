import type * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../dynamic/check-failures";
import { errorText } from "../dynamic/error-text";
import { FailedResourceError } from "../dynamic/failed";
import { containsUnknown, isRecord, sameValue } from "../dynamic/values";
import type { SecretObserver } from "../models/model";
import { warn } from "../run/warning";
import { connectKubernetes } from "./client";
import { decoded, driftOf, type DataForm } from "./data-object-form";
import type { DataObjectInputs, DataObjectRecord, DataOwner } from "./data-object-state";
import { createOrUpdate, removeDataObject, type WrittenMarks } from "./data-object-write";
import { identityChanges, keepUid } from "./identity";
import { isRefusal } from "./kubernetes-error";
import { namespaceProblem, objectNameProblem } from "./names";
import { pathOf, type KubernetesObject } from "./object";
import { isOwnedByUid } from "./ownership";
import { planOf, refreshed, requireRecorded } from "./recorded";
import { keepTarget } from "./target";

/** One kind, and what a resource of it does beside writing it. */
export interface DataObjectKind<Inputs, Outputs> {
  readonly form: DataForm;
  /** Inputs that a refresh gives back. */
  readonly inputKeys: readonly (keyof Inputs & keyof Outputs)[];
  /** Inputs, beside the content, of which a change is an update. */
  readonly changing?: readonly (keyof Inputs & keyof Outputs)[];
  /** What the state keeps. */
  readonly outputsOf: (written: Inputs & DataObjectRecord) => Outputs;
  /** Told of the data before anything else is done with it. */
  readonly remember?: (data: Record<string, string>) => void;
  /** What a write says in other objects. @default nothing */
  readonly observer?: (inputs: Inputs) => SecretObserver | undefined;
}

/**
 * Logic of a resource that writes one object with keys and values: it never takes over one of somebody else, keeps its UID
 * while what it holds changes, and restores what was edited or deleted by hand.
 */
export function dataObjectProvider<
  Inputs extends DataObjectInputs,
  Outputs extends Inputs & DataObjectRecord = Inputs & DataObjectRecord,
>(kind: DataObjectKind<Inputs, Outputs>) {
  const { form } = kind;
  const name = form.kind.kind;
  const content = ["data", "labels", "annotations", "finalizer", ...(kind.changing ?? [])] as const;

  async function write(inputs: Inputs, former?: WrittenMarks): Promise<Outputs> {
    kind.remember?.(inputs.data);
    const client = await connectKubernetes(inputs.kubernetes ?? {});
    let written: KubernetesObject | undefined;
    try {
      const observer = kind.observer?.(inputs);
      await observer?.beforeWrite();
      written = await createOrUpdate(client, form, inputs, former);
      await observer?.written();
    } catch (error) {
      if (written === undefined && isRefusal(error)) throw error;
      // It may have been made: kept in the state, so that the next command finds it.
      const uid = written?.metadata.uid ?? null;
      const outs = kind.outputsOf({ ...inputs, uid, drift: ["not written completely"] });
      const properties = Object.assign<Record<string, unknown>, Inputs, Outputs>({}, inputs, outs);
      throw new FailedResourceError(errorText(error), pathOf(inputs), properties, { cause: error });
    }
    return kind.outputsOf({ ...inputs, uid: written.metadata.uid ?? null, drift: [] });
  }

  return {
    check(olds: Inputs, news: Inputs): Promise<pulumi.dynamic.CheckResult<Inputs>> {
      const failures = new CheckFailures();
      failures.judge("namespace", news.namespace, namespaceProblem);
      failures.judge("name", news.name, objectNameProblem);
      failures.judge("data", news.data, (data) => {
        const wrong = Object.keys(data).find((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key));
        return wrong === undefined
          ? undefined
          : `has the key ${JSON.stringify(wrong)}: keys of a ${name} have letters, digits, "-", "_" and "."`;
      });
      return Promise.resolve(
        failures.result({
          ...news,
          kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
          owner: keepUid(olds.owner, news.owner),
        }),
      );
    },

    diff(_id: string, olds: Outputs, news: Inputs): Promise<pulumi.dynamic.DiffResult> {
      const replaces = identityChanges(identityOf(olds), identityOf(news), ["namespace", "name", "owner"]);
      const isChanged =
        content.some((key) => containsUnknown(news[key]) || !sameValue(olds[key], news[key])) ||
        isHeld(olds.owner) !== isHeld(news.owner);
      return Promise.resolve(planOf(olds, news, replaces, isChanged));
    },

    async create(inputs: Inputs): Promise<pulumi.dynamic.CreateResult<Outputs>> {
      return { id: pathOf(inputs), outs: await write(inputs) };
    },

    async update(_id: string, olds: Outputs, news: Inputs): Promise<pulumi.dynamic.UpdateResult<Outputs>> {
      return { outs: await write(news, olds) };
    },

    async read(id: string, recorded?: Outputs): Promise<pulumi.dynamic.ReadResult<Outputs>> {
      const props = requireRecorded(name, id, recorded);
      const client = await connectKubernetes(props.kubernetes ?? {});
      const found = await client.get(form.kind, props);
      if (found === undefined) return {};
      if (!isOwnedByUid(found, props.owner.uid)) {
        const text = "is no longer that of this stack; it stays as it is, and the next up stops";
        warn(name, pathOf(props), text);
        return {};
      }
      if (found.metadata.deletionTimestamp !== undefined) {
        warn(name, pathOf(props), "is being deleted; `pulumi up` writes it again with the same content");
      }
      const drift = driftOf(form, found, props);
      drift.push(...((await kind.observer?.(props)?.read()) ?? []));
      const uid = found.metadata.uid ?? null;
      return refreshed(
        id,
        kind.outputsOf({ ...props, data: decoded(form, found), uid, drift }),
        kind.inputKeys,
      );
    },

    async delete(_id: string, props: Outputs): Promise<void> {
      kind.remember?.(props.data);
      const client = await connectKubernetes(props.kubernetes ?? {});
      await kind.observer?.(props)?.removing();
      const found = await client.get(form.kind, props);
      if (found === undefined) return;
      if (!isOwnedByUid(found, props.owner.uid)) {
        warn(name, pathOf(props), "is not that of this stack, so it stays");
        return;
      }
      await removeDataObject(client, form, props, found);
    },
  };
}

/** Which object it is, and whose. */
function identityOf({ namespace, name, owner }: DataObjectInputs) {
  if (!isRecord(owner)) return { namespace, name, owner };
  const { apiVersion, kind, name: ownerName, uid } = owner;
  return { namespace, name, owner: { apiVersion, kind, name: ownerName, uid } };
}

/** Unlike the rest of a reference to the owner, this can be changed in place. */
function isHeld(owner: DataOwner): boolean {
  return isRecord(owner) && owner.blockOwnerDeletion === true;
}
