import type { KubernetesKind } from "../../../provider/kubernetes/object";

const kind = (name: string, plural: string): KubernetesKind => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: name,
  plural,
});

/** What a cluster's administrator denies writes by. */
export const validatingPolicyKind = kind("ValidatingAdmissionPolicy", "validatingadmissionpolicies");
export const validatingBindingKind = kind(
  "ValidatingAdmissionPolicyBinding",
  "validatingadmissionpolicybindings",
);
export const validatingWebhookKind = kind(
  "ValidatingWebhookConfiguration",
  "validatingwebhookconfigurations",
);

/** What changes writes on their way. */
export const mutatingPolicyKind = kind("MutatingAdmissionPolicy", "mutatingadmissionpolicies");
export const mutatingBindingKind = kind("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings");
