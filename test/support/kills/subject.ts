import type { KubernetesKind, KubernetesObject } from "../../../provider/kubernetes/object";
import type { RpcName, RpcPaths } from "../faults/rpc-proxy";
import type { Backend, BackendAccount } from "./backend";
import type { Command } from "./commands";

/** What commands may change in a program; no subject has all of it. */
export interface ProgramChoice {
  /** Class of the bucket's request. A change replaces request, bucket and access. */
  readonly bucketClass: "gold" | "silver";
  /** Class of the access. A change replaces the access. */
  readonly accessClass: "keys" | "spare";
  /** What triggers a rotation of the access. @default none */
  readonly rotation?: string;
  /** Another request that is bound to the bucket, beside the one that it was made for, or without it. @default none */
  readonly guest?: "beside" | "alone";
  /** The Secret of the bucket has its second name. A change moves it. @default false */
  readonly isSecretMoved?: boolean;
  /** The settings of the bucket are others than at the beginning. A change is a call. @default false */
  readonly isConfigChanged?: boolean;
}

export const firstChoice: ProgramChoice = { bucketClass: "gold", accessClass: "keys" };

/** An access as the cluster has it. */
export interface FoundAccess {
  /** Name of its account at the backend; `undefined` where none can be its. */
  readonly user: string | undefined;
  /** The key in each Secret that should have it; `undefined` where it is not there. */
  readonly keysInSecrets: readonly (string | undefined)[];
}

/** What is killed: commands over the program of one API model, and how what they leave behind is read. */
export interface Subject {
  /** Name for people. */
  readonly name: string;
  /** Name of the API model in states. */
  readonly model: string;
  /** What the package exports its components as. */
  readonly module: string;
  /** `<group>/<version>` of its objects. */
  readonly apiVersion: string;
  /** Kinds of its objects. */
  readonly kinds: readonly KubernetesKind[];
  /** RPCs by which the driver is called. */
  readonly rpcPaths: RpcPaths;
  /** Starts what its driver makes things at, for one lane. */
  startBackend(): Promise<Backend>;
  /** In an order in which they can be run one after the other. */
  readonly commands: readonly Command[];
  /** Namespaces of a program; each begins with the given name. */
  namespaces(namespace: string): readonly string[];
  /**
   * The program. All that is named in the cluster has the namespace in its name, so that programs of several namespaces
   * are there at once.
   *
   * @param endpoint Of the driver.
   */
  programText(namespace: string, endpoint: string, choice: ProgramChoice): string;
  /** What is random in a name that the program's objects have, or a matter of the choice, is called the same. */
  steady(text: string, choice: ProgramChoice): string;
  /**
   * The accesses among a program's objects.
   *
   * @param accounts All that the backend has.
   */
  accesses(
    objects: readonly KubernetesObject[],
    accounts: readonly BackendAccount[],
  ): readonly FoundAccess[] | Promise<readonly FoundAccess[]>;
  /** Texts of a reply that issues credentials, by name; nothing of any other reply. */
  secretsOfReply(rpc: RpcName, reply: Uint8Array): (readonly [name: string, value: unknown])[];
}

/** A text with the classes named by whether the request and the access are of them. */
export function withoutClasses(text: string, { bucketClass, accessClass }: ProgramChoice): string {
  return text
    .replace(/\b(?:gold|silver)\b/g, (name) => (name === bucketClass ? "claimed" : "unclaimed"))
    .replace(/\b(?:keys|spare)\b/g, (name) => (name === accessClass ? "used" : "unused"));
}

/** A text of a Secret. */
export function dataOf(secret: KubernetesObject | undefined, key: string): string | undefined {
  const data = secret?.["data"] as Record<string, string> | undefined;
  const encoded = data?.[key];
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString();
}
