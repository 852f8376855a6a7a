import { isRecord } from "../../../provider/dynamic/values";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import type { RpcName } from "../faults/rpc-proxy";
import { commonCommands, destroyArgs, upArgs, type Command } from "./commands";
import { withoutClasses, type FoundAccess, type ProgramChoice, type Subject } from "./subject";

/** Of models with a claim and an access to it, whatever they call them. */
export const claimedCommands: readonly Command[] = [
  ...commonCommands,
  {
    name: "rotate",
    from: ["standing"],
    to: "rotated",
    args: upArgs,
    change: (choice) => ({ ...choice, rotation: "now" }),
  },
  { name: "destroy", from: ["standing", "rotated"], to: "empty", args: destroyArgs },
];

/** The name of an account after a rotation ends with what is random. */
const rotatedName = /(-r\d+)-[0-9a-f]{6}\b/g;

/** {@link Subject.steady} of them. */
export function steadyClaims(text: string, choice: ProgramChoice): string {
  return withoutClasses(text, choice).replaceAll(rotatedName, "$1");
}

/**
 * {@link Subject.accesses} of them: the access names its account and its Secret.
 *
 * @param kind That of accesses.
 * @param keysIn The key in a Secret, once for each place of it where it stands.
 */
export function accessesOf(
  kind: KubernetesKind,
  keysIn: (secret: KubernetesObject | undefined) => FoundAccess["keysInSecrets"],
): Subject["accesses"] {
  return (objects) =>
    objects
      .filter((object) => object.kind === kind.kind)
      .map((access) => {
        const secretName = textOf(access["spec"], "credentialsSecretName");
        const secret = objects.find(
          (object) => object.kind === secretKind.kind && object.metadata.name === secretName,
        );
        return { user: textOf(access["status"], "accountID"), keysInSecrets: keysIn(secret) };
      });
}

function textOf(record: unknown, field: string): string {
  return isRecord(record) ? String(record[field]) : "";
}

/** What the reply of a grant has, in every contract with the messages of cosi.v1alpha1. */
interface Granted {
  readonly credentials: ReadonlyMap<string, { readonly secrets: ReadonlyMap<string, string> }>;
}

/** {@link Subject.secretsOfReply} of a contract whose grants issue them. */
export function secretsOfGrant(decode: (reply: Uint8Array) => Granted): Subject["secretsOfReply"] {
  return (rpc: RpcName, reply) =>
    rpc === "grant" ? [...decode(reply).credentials.values()].flatMap(({ secrets }) => [...secrets]) : [];
}
