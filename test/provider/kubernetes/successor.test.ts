import assert from "node:assert/strict";
import { hosted, type WholeProvider } from "../../../provider/dynamic/hosted";
import type { KubernetesKind, KubernetesObject } from "../../../provider/kubernetes/object";
import {
  ownerAnnotation,
  resourceAnnotation,
  stackIdAnnotation,
} from "../../../provider/kubernetes/ownership";
import { isOurs, refuseForeignSuccessor } from "../../../provider/kubernetes/successor";
import { beginRun } from "../../support/run";

const kind: KubernetesKind = { apiVersion: "example.com/v1", kind: "Claim", plural: "claims" };
const kubernetes = { stackId: "5f0e7a52-6a0f-4f6e-9a59-0d8b5b8d3c11" };
const before = { owner: "organization/shop/before", kubernetes };
const now = { owner: "organization/shop/now", kubernetes };

const objectOf = (
  owner: string | undefined,
  stackId: string | undefined,
  uid = "uid-1",
): KubernetesObject => ({
  metadata: {
    namespace: "shop",
    name: "photos",
    uid,
    annotations: {
      ...(owner === undefined ? {} : { [ownerAnnotation]: owner }),
      ...(stackId === undefined ? {} : { [stackIdAnnotation]: stackId }),
    },
  },
});

/** A resource of the program of this run is checked. */
async function check(inputs: object): Promise<void> {
  const nothing = (): Promise<never> => Promise.reject(new Error("is not called"));
  const provider: WholeProvider<object, object> = {
    check: (_olds, news) => Promise.resolve({ inputs: news }),
    diff: nothing,
    create: nothing,
    read: nothing,
    update: nothing,
    delete: nothing,
  };
  await hosted(provider).check({}, inputs);
}

describe("what a deletion takes for an object of the stack", () => {
  beforeEach(beginRun);
  after(beginRun);

  it("is the recorded one, whoever took its marks off", () => {
    for (const [owner, stackId] of [
      [before.owner, kubernetes.stackId],
      [before.owner, undefined],
      [undefined, kubernetes.stackId],
      [undefined, undefined],
    ] as const) {
      assert.equal(isOurs(objectOf(owner, stackId), "uid-1", before), true);
    }
    assert.equal(isOurs(objectOf(undefined, undefined), "uid-2", before), false);
    assert.equal(isOurs(objectOf(undefined, undefined), "", before), false);
  });

  it("is one of another UID with the marks of the stack, such as a restored one, and none with half of them", () => {
    assert.equal(isOurs(objectOf(before.owner, kubernetes.stackId), "uid-2", before), true);
    assert.equal(isOurs(objectOf(before.owner, undefined), "uid-2", before), false);
    assert.equal(isOurs(objectOf(undefined, kubernetes.stackId), "uid-2", before), false);
  });

  it("is none that another stack has marked, even where a mark is all that the state has", () => {
    assert.equal(isOurs(objectOf(now.owner, kubernetes.stackId), "uid-1", before), false);
    assert.equal(isOurs(objectOf(before.owner, "another"), "uid-1", before), false);
    assert.equal(isOurs(objectOf(now.owner, kubernetes.stackId), "uid-1", { kubernetes }), true);
    assert.equal(isOurs(objectOf(now.owner, "another"), "uid-1", { kubernetes }), false);
    assert.equal(isOurs(objectOf(now.owner, "another"), "uid-1", {}), true);
  });

  it("is one with the name that the program of this very run has for the stack: its entry has the former name", async () => {
    const renamed = objectOf(now.owner, kubernetes.stackId);
    assert.equal(isOurs(renamed, "uid-1", before), false);
    // Those of a preview that does not know the stack's id, and of owners that are objects, say nothing.
    await check({ owner: now.owner, kubernetes: { stackId: "" } });
    await check({ owner: { name: now.owner }, kubernetes });
    assert.equal(isOurs(renamed, "uid-1", before), false);
    await check(now);
    assert.equal(isOurs(renamed, "uid-1", before), true);
    assert.equal(isOurs(objectOf("organization/shop/other", kubernetes.stackId), "uid-1", before), false);
    beginRun();
    await check({ objects: now });
    assert.equal(isOurs(renamed, "uid-1", before), true);
  });

  it("is none of another UID that another component of the stack has made, and the recorded one whoever is its component", () => {
    const ours = { ...before, resource: "cosi:objectstorage:BucketClaim::photos" };
    const made = (uid: string, resource: string): KubernetesObject => {
      const { metadata } = objectOf(before.owner, kubernetes.stackId, uid);
      return {
        metadata: { ...metadata, annotations: { ...metadata.annotations, [resourceAnnotation]: resource } },
      };
    };
    const renamed = "cosi:objectstorage:BucketClaim::pictures";
    assert.equal(isOurs(made("uid-2", ours.resource), "uid-1", ours), true);
    assert.equal(isOurs(made("uid-2", renamed), "uid-1", ours), false);
    assert.equal(isOurs(made("uid-1", renamed), "uid-1", ours), true);
    assert.equal(isOurs(made("uid-2", renamed), "uid-1", { ...ours, resource: "" }), true);
    const found = made("uid-2", renamed);
    assert.throws(
      () => refuseForeignSuccessor(kind, found.metadata, found, "uid-1", ours),
      /uid-1 is recorded, and it was made by the resource "cosi:objectstorage:BucketClaim::pictures", so it stays as it is\./,
    );
  });

  it("is refused where it is another stack's, with a way on that deletes nothing", () => {
    const refuse = (found: KubernetesObject): void => {
      refuseForeignSuccessor(kind, found.metadata, found, "uid-1", before);
    };
    assert.throws(
      () => {
        refuse(objectOf(now.owner, kubernetes.stackId));
      },
      {
        message:
          "Claim shop/photos belongs to the stack organization/shop/now; nothing was sent for it, and it stays as it is. Next: if " +
          "that stack has it now, with its data, drop the entry of this stack with pulumi state delete, or the whole of an old " +
          "stack with pulumi stack rm --force, never with pulumi destroy. If that stack is this one, renamed, or where the entry " +
          "was moved to, let pulumi up come to its end, then run the command again",
      },
    );
    assert.throws(() => {
      refuse(objectOf(undefined, "another"));
    }, /^RefusedError: Claim shop\/photos belongs to another stack: its pulumi-cosi\/stack-id is another, /);
    assert.throws(() => {
      refuse(objectOf(undefined, undefined, "uid-2"));
    }, /is not the one of this stack, which is gone/);
  });
});
