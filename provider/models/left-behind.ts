import { describe, type KubernetesKind, type KubernetesObject } from "../kubernetes/object";

/** Those of our finalizers that are on an object. */
export function heldBy({ metadata }: KubernetesObject, own: readonly string[]): string[] {
  return own.filter((finalizer) => metadata.finalizers?.includes(finalizer) === true);
}

/** How it comes that something is in the backend and no resource of the state has it. */
export const howLeftBehind =
  "kept by `retainOnDelete` on one child alone, taken out by `pulumi state delete`, or left by a run that did not finish";

/**
 * Why an object is not deleted although its turn has come: what it stands for is in the backend, and whoever would have
 * ended it, and taken our finalizer off, is not in the state.
 *
 * @param held Our finalizers that are on it.
 * @param what It has in the backend, in the middle of a sentence.
 * @param canGo The object may go without a call. Nothing else keeps a record of what it stands for. @default true
 */
export function leftBehindText(
  kind: KubernetesKind,
  object: KubernetesObject,
  held: readonly string[],
  what: string,
  canGo = true,
): string {
  return (
    `${describe(kind, object.metadata)} may have ${what} in the backend (${held.join(", ")} is on), which no resource of the ` +
    `state has any more: ${howLeftBehind}; nothing was deleted. Next: run \`pulumi up\` first, with the resource in the ` +
    "program, which takes it up again; a `pulumi destroy` after that deals with it by its policy" +
    (canGo
      ? `. Or, to let the object go and leave the backend as it is: ${letGoCommand(kind, object, held)} , then run the command again`
      : "")
  );
}

/** The command that takes finalizers off an object, and leaves those of others on. */
function letGoCommand(
  kind: KubernetesKind,
  { metadata }: KubernetesObject,
  finalizers: readonly string[],
): string {
  const { namespace, name, finalizers: present = [] } = metadata;
  const left = present.filter((finalizer) => !finalizers.includes(finalizer));
  const patch = JSON.stringify({ metadata: { finalizers: left } });
  const where = namespace === undefined ? "" : ` -n ${namespace}`;
  return `kubectl patch${where} ${resourceOf(kind)} ${name} --type=merge -p '${patch}'`;
}

/** Commands that let an object go as it is, with nothing done in the backend. */
export function letGoAndDelete(
  kind: KubernetesKind,
  object: KubernetesObject,
  own: readonly string[],
): string {
  const { namespace, name } = object.metadata;
  const where = namespace === undefined ? "" : ` -n ${namespace}`;
  const held = heldBy(object, own);
  return [
    ...(held.length === 0 ? [] : [letGoCommand(kind, object, held)]),
    ...(object.metadata.deletionTimestamp === undefined
      ? [`kubectl delete${where} ${resourceOf(kind)} ${name} --ignore-not-found --wait=false`]
      : []),
  ].join(" && ");
}

/** With its group: `buckets` alone may be one of another group. */
function resourceOf({ apiVersion, plural }: KubernetesKind): string {
  return `${plural}.${apiVersion.split("/", 1).join()}`;
}
