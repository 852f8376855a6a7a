import { fitsAny } from "../globs";
import type { CredentialsPlace } from "../resources/credentials-place";
import { textsSetting } from "../rule";

/** Settings of `cosi-credentials-in-named-namespaces` and `cosi-copied-credentials-in-named-namespaces`. */
export interface NamespacesConfig {
  /**
   * Namespaces that may have credentials; `*` stands for any characters.
   *
   * @default any
   */
  readonly namespaces: readonly string[];
  /**
   * Namespaces that may not have credentials, whatever `namespaces` says.
   *
   * @default `default` and those of the cluster itself, `kube-*`
   */
  readonly deniedNamespaces: readonly string[];
}

export const namespacesDefaults: NamespacesConfig = {
  namespaces: ["*"],
  deniedNamespaces: ["default", "kube-*"],
};

export const namespacesSettings = {
  namespaces: textsSetting(
    "Namespaces that may have credentials, * for any characters",
    namespacesDefaults.namespaces,
  ),
  deniedNamespaces: textsSetting(
    "Namespaces that may have none, whatever namespaces says",
    namespacesDefaults.deniedNamespaces,
  ),
};

/** What is wrong with the namespace that credentials go into, with the way on; `undefined` for none, or one not known yet. */
export function namespaceProblem(
  { field, namespace, isMissing }: CredentialsPlace,
  { namespaces, deniedNamespaces }: NamespacesConfig,
): string | undefined {
  if (isMissing) {
    return `${field} is missing, so that the credentials go wherever the provider leads. Next: name a namespace.`;
  }
  if (namespace === undefined) return undefined;
  const found = `${field} is ${JSON.stringify(namespace)}, and credentials may`;
  if (fitsAny(namespace, deniedNamespaces)) {
    return `${found} not be in ${quoted(deniedNamespaces)}. Next: give the access a namespace of its application.`;
  }
  if (fitsAny(namespace, namespaces)) return undefined;
  return `${found} be in ${quoted(namespaces)} only. Next: use one of these namespaces, or have it added to them.`;
}

function quoted(patterns: readonly string[]): string {
  return patterns.map((pattern) => JSON.stringify(pattern)).join(", ");
}
