import type * as pulumi from "@pulumi/pulumi";
import { isRecord } from "../../provider/dynamic/values";
import { asFound, namespaceNamed, referenceNamed } from "../kubernetes/named-values";
import { ProblemError } from "../kubernetes/problem";
import { judge } from "../kubernetes/scope";
import type { Scope } from "./installation";

/** An existing Secret. */
export interface SecretReferenceArgs {
  /** Name of the Secret. */
  name: pulumi.Input<string>;
  /** Namespace of the Secret. */
  namespace: pulumi.Input<string>;
}

/** A Secret by its name. Each part is judged, and becomes known, by itself. */
export interface NamedSecret {
  readonly namespace: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
}

/** True for a reference that is given. @throws ProblemError for what is none. */
export function isSecretGiven(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (isRecord(value) && !(value instanceof Promise)) return true;
  const found = value instanceof Promise ? "is a promise" : asFound(value);
  throw new ProblemError(`secretRef ${found}: give { name, namespace }, whose values may be outputs`);
}

/** K02-057: both parts are required. */
export function secretNamed(scope: Scope, { name, namespace }: SecretReferenceArgs): NamedSecret {
  return {
    namespace: judge<unknown, string>(scope, namespace, (value) =>
      namespaceNamed("secretRef.namespace", value),
    ),
    name: judge<unknown, string>(scope, name, (value) => referenceNamed("secretRef.name", value)),
  };
}
