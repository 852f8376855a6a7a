export {
  cosiPolicyPack,
  policies,
  type CosiPolicyConfig,
  type CosiPolicyPackOptions,
  type RuleSettings,
} from "./pack";
export type { CommonConfig } from "./rule";
export { allowedDrivers, type AllowedDriversConfig } from "./rules/allowed-drivers";
export { brownfieldNeedsRetain } from "./rules/brownfield-needs-retain";
export { copiedCredentialsInNamedNamespaces } from "./rules/copied-credentials-in-named-namespaces";
export { credentialsInNamedNamespaces } from "./rules/credentials-in-named-namespaces";
export type { NamespacesConfig } from "./rules/namespaces";
export { noAnonymousWrite, type NoAnonymousWriteConfig } from "./rules/no-anonymous-write";
export { noDeleteInProduction, type NoDeleteInProductionConfig } from "./rules/no-delete-in-production";
