import assert from "node:assert/strict";
import { KubernetesClient } from "../../../provider/kubernetes/client";
import { requireCreatable, requireDeletable, type GoingObject } from "../../../provider/kubernetes/dry-run";
import { KubernetesError, RefusedError } from "../../../provider/kubernetes/kubernetes-error";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { untilHeeded } from "../../support/faults/heeded";
import { asNobody, cluster, newNamespace, type Cluster } from "./cluster";

const group = "rbac.authorization.k8s.io";
const roleKind: KubernetesKind = { apiVersion: `${group}/v1`, kind: "Role", plural: "roles" };
const roleBindingKind: KubernetesKind = {
  apiVersion: `${group}/v1`,
  kind: "RoleBinding",
  plural: "rolebindings",
};
const finalizer = "example.com/ours";

describe("a dry run", function () {
  this.timeout(120_000);
  let kube: Cluster;
  let namespace: string;
  /** Whoever has the rights that {@link grantGetAnd} gives, in the namespace. */
  let nobody: KubernetesClient;

  before(async () => {
    kube = await cluster();
    nobody = await KubernetesClient.open(asNobody(kube), undefined);
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
  });

  async function grantGetAnd(verb: string): Promise<void> {
    const name = "some";
    await kube.client.create(roleKind, {
      metadata: { namespace, name },
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", verb] }],
    });
    await kube.client.create(roleBindingKind, {
      metadata: { namespace, name },
      roleRef: { apiGroup: group, kind: "Role", name },
      subjects: [{ apiGroup: group, kind: "User", name: "nobody" }],
    });
    await untilHeeded("the right to get Secrets", mayGet);
  }

  async function mayGet(): Promise<boolean> {
    try {
      await nobody.get(secretKind, { namespace, name: "none" });
      return true;
    } catch (error) {
      if (error instanceof KubernetesError && error.forbidden) return false;
      throw error;
    }
  }

  async function held(): Promise<{ object: KubernetesObject; going: GoingObject }> {
    const metadata = { namespace, name: "held", finalizers: [finalizer, "example.com/others"] };
    const object = await kube.client.create(secretKind, { metadata });
    const reference = { namespace, name: "held" };
    return {
      object,
      going: { kind: secretKind, reference, uid: object.metadata.uid, finalizers: [finalizer] },
    };
  }

  it("of a deletion and of a patch changes nothing, and is no write that is remembered", async () => {
    const { object, going } = await held();
    const { reference } = going;
    assert.notEqual(
      (await kube.client.dryRunDelete(secretKind, reference))?.metadata.deletionTimestamp,
      undefined,
    );
    const patch = { metadata: { finalizers: null } };
    const patched = await kube.client.patch(secretKind, reference, patch, { dryRun: true });
    assert.equal(patched.metadata.finalizers, undefined);
    await requireDeletable(kube.client, [going, { ...going, known: object }, { ...going, isDeleted: false }]);
    const found = await kube.client.get(secretKind, reference);
    assert.deepEqual(found?.metadata, object.metadata);
    assert.equal(await kube.client.dryRunDelete(secretKind, { namespace, name: "none" }), undefined);
  });

  it("refuses what the user has no right to: the deletion, or the patch that takes the finalizer off", async () => {
    const { object, going } = await held();
    await assert.rejects(requireDeletable(nobody, [going]), RefusedError);
    await grantGetAnd("delete");
    const refused =
      /^RefusedError: no call was sent for it, .*: patch Secret \S+\/held: 403 Forbidden: .*Next: \S/;
    await assert.rejects(requireDeletable(nobody, [going]), refused);
    await assert.rejects(requireDeletable(nobody, [{ ...going, known: object }]), refused);
    await assert.rejects(requireDeletable(nobody, [{ ...going, isDeleted: false }]), refused);
    await requireDeletable(nobody, [{ ...going, finalizers: ["example.com/absent"] }]);
  });

  it("lets objects go that need no leave: gone, another one's by now, or being deleted already", async () => {
    await grantGetAnd("patch");
    const { going } = await held();
    const { reference } = going;
    await assert.rejects(
      requireDeletable(nobody, [going]),
      /^RefusedError: no call was sent for it, .*: delete Secret \S+\/held: 403 Forbidden: .*Next: \S/,
    );
    await requireDeletable(nobody, [{ ...going, uid: "of-one-that-is-gone" }]);
    await requireDeletable(nobody, [{ ...going, reference: { namespace, name: "none" } }]);
    await requireDeletable(kube.client, [{ ...going, uid: "of-one-that-is-gone" }]);
    await kube.client.delete(secretKind, reference);
    await requireDeletable(nobody, [going]);
    await requireDeletable(nobody, [{ ...going, known: await kube.client.get(secretKind, reference) }]);
    await kube.client.patch(secretKind, reference, { metadata: { finalizers: null } });
    await requireDeletable(nobody, [going]);
  });

  it("of a create is refused by its rights, and not as the name is taken", async () => {
    const { object } = await held();
    await requireCreatable(kube.client, secretKind, { metadata: { namespace, name: object.metadata.name } });
    await requireCreatable(kube.client, secretKind, { metadata: { namespace, name: "new" } });
    assert.equal(await kube.client.get(secretKind, { namespace, name: "new" }), undefined);
    await assert.rejects(
      requireCreatable(nobody, secretKind, { metadata: { namespace, name: object.metadata.name } }),
      (error) => error instanceof KubernetesError && error.forbidden,
    );
  });
});
