import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { secretKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import { errorText } from "../../../provider/dynamic/error-text";
import {
  validatingBindingKind,
  validatingPolicyKind,
  validatingWebhookKind,
} from "../../support/faults/admission-kinds";
import { cluster, newNamespace, type Cluster } from "./cluster";

const quotaKind: KubernetesKind = { apiVersion: "v1", kind: "ResourceQuota", plural: "resourcequotas" };

describe("what is to be done about a write that the API server refused", function () {
  this.timeout(120_000);
  let kube: Cluster;
  let namespace: string;

  beforeEach(async () => {
    kube = await cluster();
    namespace = await newNamespace(kube);
  });

  /** The error of a create of a Secret, once one is refused. */
  async function refusal(): Promise<string> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      try {
        await kube.client.create(secretKind, { metadata: { namespace, name: `creds-${attempt}` } });
      } catch (error) {
        return errorText(error);
      }
      // The server takes a moment to heed a policy.
      await sleep(100);
    }
    throw new Error("no create was refused");
  }

  const ofNamespace = () => ({ matchLabels: { "kubernetes.io/metadata.name": namespace } });
  const secretsOf = (rest: object) => ({
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["secrets"],
    ...rest,
  });

  for (const reason of ["Forbidden", "Invalid", "RequestEntityTooLarge"]) {
    it(`follows from the policy that denies it, also with the reason ${reason}`, async () => {
      const name = `no-secrets-${namespace}`;
      await kube.client.create(validatingPolicyKind, {
        metadata: { name },
        spec: {
          failurePolicy: "Fail",
          matchConstraints: {
            namespaceSelector: ofNamespace(),
            resourceRules: [secretsOf({ operations: ["CREATE"] })],
          },
          validations: [{ expression: "false", message: "no Secrets here", reason }],
        },
      });
      await kube.client.create(validatingBindingKind, {
        metadata: { name },
        spec: { policyName: name, validationActions: ["Deny"] },
      });
      try {
        const text = await refusal();
        assert.match(text, /no Secrets here/);
        assert.match(text, /Next: satisfy the policy that denies it, then run the command again\.$/);
      } finally {
        await kube.client.delete(validatingBindingKind, { name });
        await kube.client.delete(validatingPolicyKind, { name });
      }
    });
  }

  it("follows from the webhook that does not answer", async () => {
    const name = `away-${namespace}`;
    await kube.client.create(validatingWebhookKind, {
      metadata: { name },
      webhooks: [
        {
          name: "away.example.com",
          clientConfig: { url: "https://127.0.0.1:1/validate" },
          failurePolicy: "Fail",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          namespaceSelector: ofNamespace(),
          rules: [secretsOf({ operations: ["CREATE"] })],
        },
      ],
    });
    try {
      assert.match(
        await refusal(),
        /failed calling webhook "away\.example\.com".*Next: see to the admission webhook that the server names/,
      );
    } finally {
      await kube.client.delete(validatingWebhookKind, { name });
    }
  });

  it("follows from the quota that is used up", async () => {
    await kube.client.create(quotaKind, {
      metadata: { namespace, name: "few" },
      spec: { hard: { "count/secrets": "0" } },
    });
    // Nobody counts here without a controller manager; a quota that was never counted refuses everything.
    await kube.client.patchStatus(
      quotaKind,
      { namespace, name: "few" },
      {
        hard: { "count/secrets": "0" },
        used: { "count/secrets": "0" },
      },
    );
    assert.match(
      await refusal(),
      /exceeded quota: few.*Next: free some of the quota that the server names, or raise it/,
    );
  });
});
