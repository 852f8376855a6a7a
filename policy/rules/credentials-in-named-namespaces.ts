import { credentialsPlaceOf } from "../resources/credentials-place";
import { describe } from "../resources/judged-resource";
import { resourcePolicy } from "../rule";
import {
  namespaceProblem,
  namespacesDefaults,
  namespacesSettings,
  type NamespacesConfig,
} from "./namespaces";

/** Credentials go into namespaces that are named for them. */
export const credentialsInNamedNamespaces = resourcePolicy<NamespacesConfig>({
  name: "cosi-credentials-in-named-namespaces",
  description: "Secrets with credentials are written into the allowed namespaces only.",
  severity: "high",
  remediationSteps:
    "Give the access a namespace that is in `namespaces` and not in `deniedNamespaces`, or have the namespace added by those " +
    "who own the policy pack.",
  defaults: namespacesDefaults,
  settings: namespacesSettings,
  judge: (resource, config) => {
    const place = credentialsPlaceOf(resource);
    if (place === undefined) return undefined;
    const problem = namespaceProblem(place, config);
    return problem === undefined ? [] : [`${describe(resource)}: ${problem}`];
  },
});
