import assert from "node:assert/strict";
import { KubernetesError } from "../../../provider/kubernetes/kubernetes-error";
import { secretKind } from "../../../provider/kubernetes/object";

const messageOf = (code: number, reason: string, detail: string): string =>
  new KubernetesError({
    verb: "create",
    kind: secretKind,
    reference: { namespace: "shop", name: "creds" },
    code,
    reason,
    detail,
    origin: { text: 'kubeconfig KUBECONFIG, context "prod"', isRecorded: false },
  }).message;

describe("the next step after what an API server says", () => {
  it("is about the webhook that denies a request with 401, not about the user's credentials", () => {
    const text = messageOf(
      401,
      "Unauthorized",
      'admission webhook "guard.example.com" denied the request: not you',
    );
    assert.match(text, /not you\. Next: satisfy the policy that denies it, then run the command again\.$/);
  });

  it("is about the user's credentials where the server does not know the user", () => {
    assert.match(
      messageOf(401, "Unauthorized", "Unauthorized"),
      /KUBECONFIG, context "prod"\)\. Next: renew the credentials/,
    );
  });

  it("is about the namespace that is going, not about a right", () => {
    const text = messageOf(
      403,
      "Forbidden",
      'secrets "creds" is forbidden: unable to create new content in namespace shop because it is being terminated',
    );
    assert.match(text, /Next: wait until the namespace is gone and create it again/);
  });

  it("is about the user's right where the server names it", () => {
    const text = messageOf(403, "Forbidden", 'User "deployer" cannot create resource "secrets"');
    assert.match(text, /Next: give the kubeconfig's user the right to do this/);
  });
});
