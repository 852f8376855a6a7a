import assert from "node:assert/strict";
import { creatableSecrets } from "../../../provider/kubernetes/creatable-secrets";
import { KubernetesClient } from "../../../provider/kubernetes/client";
import { RefusedError } from "../../../provider/kubernetes/kubernetes-error";
import { secretKind } from "../../../provider/kubernetes/object";
import { ClaimWorld } from "../../support/faults/claim-world";
import { deniedText, deny } from "../../support/faults/denying-policy";
import { fillQuota } from "../../support/faults/quota";
import { assertEnded } from "../../support/faults/small-stack";
import { asNobody, cluster, newNamespace } from "../kubernetes/cluster";

describe("a cluster that takes no new Secret (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(120_000);
  let world: ClaimWorld;

  before(async () => {
    world = await ClaimWorld.start();
  });

  after(() => world.stop());

  beforeEach(() => {
    world.reset();
    creatableSecrets.clear();
  });

  it("as its quota is used up: an up mints no key, and the same again ends once there is place", async () => {
    const made = await world.stack();
    const lift = await fillQuota(world.cluster.client, made.namespace);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const { stoppedAt, message } = await made.stack.up();
      assert.equal(stoppedAt, "access", message);
      assert.match(
        message,
        /^nothing was granted, as the Secret .*create Secret \S+\/rw-creds: 403 Forbidden: /,
      );
      assert.match(message, /exceeded quota: full.*Next: \S/);
      assert.deepEqual(world.driver.rpcs(), ["create"]);
    }
    await lift();
    assertEnded(await made.stack.up());
    assert.deepEqual(world.driver.rpcs(), ["create", "grant"]);
    await world.assertGranted(made);
    // What is there needs no place.
    const full = await fillQuota(world.cluster.client, made.namespace);
    assertEnded(await made.stack.up());
    assertEnded(await made.stack.destroy());
    await full();
    await world.assertNothingLeft(made);
  });

  it("as a policy denies it: the Secret itself tells, as a policy may go by what only that has, and the key is not lost", async () => {
    const made = await world.stack();
    const reference = { namespace: made.namespace, name: "rw-creds" };
    const lift = await deny(world.cluster.client, "CREATE", secretKind, reference);
    try {
      const { stoppedAt, message } = await made.stack.up();
      assert.equal(stoppedAt, "Secret", message);
      assert.ok(message.includes(deniedText), message);
    } finally {
      await lift();
    }
    assertEnded(await made.stack.up());
    assert.deepEqual(world.driver.rpcs(), ["create", "grant"]);
    await world.assertGranted(made);
    assertEnded(await made.stack.destroy());
    await world.assertNothingLeft(made);
  });

  it("for a user without the right: it is refused", async () => {
    const kube = await cluster();
    const nobody = await KubernetesClient.open(asNobody(kube), undefined);
    await assert.rejects(
      creatableSecrets.require(nobody, { namespace: "default", name: "rw-creds" }),
      (error) =>
        error instanceof RefusedError &&
        error.message.includes('User "nobody" cannot create resource "secrets"'),
    );
  });

  it("is asked for once in a namespace and a run, and anew after a refusal", async () => {
    const kube = await cluster();
    const client = await KubernetesClient.open(kube.kubeconfig, undefined);
    const namespaces = [await newNamespace(kube), await newNamespace(kube)];
    const asked: string[] = [];
    const create = client.create.bind(client);
    client.create = (kind, object, options) => {
      if (options?.dryRun === true) asked.push(object.metadata.namespace ?? "");
      return create(kind, object, options);
    };
    const ask = (): Promise<unknown> =>
      Promise.all(
        namespaces.flatMap((namespace) =>
          ["a", "b", "c"].map((name) => creatableSecrets.require(client, { namespace, name })),
        ),
      );
    await ask();
    await ask();
    assert.deepEqual(asked, namespaces);
    creatableSecrets.clear();
    const [namespace = ""] = namespaces;
    const lift = await fillQuota(kube.client, namespace);
    await assert.rejects(ask(), RefusedError);
    await lift();
    await ask();
    assert.equal(asked.filter((each) => each === namespace).length, 3);
  });
});
