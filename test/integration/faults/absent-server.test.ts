import assert from "node:assert/strict";
import { sleep } from "../../../provider/driver/call/retry";
import { changeMetadata } from "../../../provider/kubernetes/metadata";
import type { KubernetesKind, ObjectReference } from "../../../provider/kubernetes/object";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import type { ApiPoint } from "../../support/faults/api-proxy";
import { ClaimWorld } from "../../support/faults/claim-world";
import { assertEnded } from "../../support/faults/small-stack";
import type { Rpc } from "../../support/workflows/storing-driver";

/** Ends a connection in the place of an answer. */
class Gone extends Error {}

/** A moment from which on no request is answered, and a command that follows. */
interface Absence {
  readonly what: string;
  readonly command: "up" | "destroy";
  /** The write before which, or with whose answer, the server goes away. */
  readonly write: RegExp;
  readonly stage: "before" | "after";
  /** RPCs of the command before that. */
  readonly sent: readonly Rpc[];
  /** The command that follows, and its RPCs. */
  readonly next: "up" | "destroy";
  readonly repeated: readonly Rpc[];
}

const absences: readonly Absence[] = [
  {
    what: "with the answer that the claim is protected",
    command: "up",
    write: /bucketclaim-protection/,
    stage: "after",
    sent: [],
    next: "destroy",
    repeated: [],
  },
  {
    what: "between the Bucket's finalizer and the create",
    command: "up",
    write: /create-sent":"/,
    stage: "before",
    sent: [],
    next: "up",
    repeated: ["create", "grant"],
  },
  {
    what: "between the Bucket's finalizer and the create",
    command: "up",
    write: /create-sent":"/,
    stage: "before",
    sent: [],
    next: "destroy",
    // Its id would be asked for if there were a bucket.
    repeated: ["create", "delete"],
  },
  {
    what: "after the create",
    command: "up",
    write: /"bucketReady":true/,
    stage: "before",
    sent: ["create"],
    next: "up",
    repeated: ["grant"],
  },
  {
    what: "after the grant",
    command: "up",
    write: /"accountID":"/,
    stage: "before",
    sent: ["create", "grant"],
    next: "destroy",
    repeated: ["revoke", "delete"],
  },
  {
    what: "with the answer that the Secret is written",
    command: "up",
    write: /"type":"Opaque"/,
    stage: "after",
    sent: ["create", "grant"],
    next: "up",
    repeated: [],
  },
  {
    what: "after the revoke",
    command: "destroy",
    write: /"accountID":null/,
    stage: "before",
    sent: ["revoke"],
    next: "destroy",
    repeated: ["revoke", "delete"],
  },
];

describe("an API server that is not there for a while (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(300_000);
  let world: ClaimWorld;

  before(async () => {
    world = await ClaimWorld.start();
  });

  after(async () => {
    await world.stop();
  });

  beforeEach(() => {
    world.reset();
  });

  /** An undisturbed life from up to destroy, each RPC once. */
  async function assertUndisturbed(): Promise<void> {
    const claim = await world.stack();
    assertEnded(await claim.stack.up());
    await world.assertGranted(claim);
    assertEnded(await claim.stack.destroy());
    await world.assertNothingLeft(claim);
    assert.deepEqual(world.driver.rpcs(), ["create", "grant", "revoke", "delete"]);
  }

  for (const [what, stage] of [
    ["before", "before"],
    ["with the answer to", "after"],
  ] as const) {
    it(`and ends the connection once ${what} each write: it is sent again, and no RPC is`, async () => {
      const cut = new Set<string>();
      world.api.at = (point) => {
        const write = withoutVersion(point);
        if (point.stage !== stage || cut.has(write)) return undefined;
        cut.add(write);
        throw new Gone();
      };
      await assertUndisturbed();
      assert.ok(cut.size >= 20, `${cut.size} writes`);
    });
  }

  it("and is slow with each request: all goes through, and nothing is done twice", async () => {
    world.api.at = async () => {
      await sleep(50);
      return undefined;
    };
    world.api.atRead = () => sleep(50);
    await assertUndisturbed();
  });

  it("and takes a write of somebody else between our look and our write: both are kept", async () => {
    const { client } = world.cluster;
    const met = new Set<string>();
    const kept = new Set<string>();
    world.api.at = async (point) => {
      const { kind, reference } = versioned(point) ?? {};
      const write = withoutVersion(point);
      if (kind === undefined || reference === undefined || met.has(write)) return undefined;
      met.add(write);
      const theirs = `write-${met.size}`;
      await changeMetadata(client, kind, reference, () => ({ annotations: { [theirs]: "theirs" } }));
      kept.add(`${kind.kind} ${theirs}`);
      return undefined;
    };
    const claim = await world.stack();
    assertEnded(await claim.stack.up());
    await world.assertGranted(claim);
    for (const kind of [bucketClaimKind, bucketKind, bucketAccessKind]) {
      const objects = await client.list(kind, kind === bucketKind ? {} : { namespace: claim.namespace });
      const found = objects.flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}));
      for (const name of kept) {
        const [of, annotation = ""] = name.split(" ");
        if (of === kind.kind) assert.ok(found.includes(annotation), name);
      }
    }
    assertEnded(await claim.stack.destroy());
    await world.assertNothingLeft(claim);
    assert.ok(met.size >= 8, `${met.size} writes`);
    assert.deepEqual(world.driver.rpcs(), ["create", "grant", "revoke", "delete"]);
  });

  for (const { what, command, write, stage, sent, next, repeated } of absences) {
    it(`${what} stops the ${command}, which says so; the ${next} after it leaves nothing undone`, async () => {
      const claim = await world.stack();
      if (command === "destroy") assertEnded(await claim.stack.up());
      world.driver.forget();
      world.api.at = (point) => {
        if (point.stage !== stage || !write.test(point.body)) return undefined;
        goAway();
        throw new Gone();
      };
      const { message } = await claim.stack[command]();
      assert.match(
        message,
        /: \w+: the API server https:\S+ cannot be reached \(the given kubeconfig, context "\S+"\)\. Next: check that the API server runs and can be reached/,
      );
      assert.deepEqual(world.driver.rpcs(), sent);
      world.api.at = () => undefined;
      world.api.atRead = () => undefined;
      world.driver.forget();
      assertEnded(await claim.stack[next]());
      assert.deepEqual(world.driver.rpcs(), repeated);
      if (next === "up") await world.assertGranted(claim);
      else await world.assertNothingLeft(claim);
    });
  }

  function goAway(): void {
    const gone = (): never => {
      throw new Gone();
    };
    world.api.at = gone;
    world.api.atRead = gone;
  }
});

function withoutVersion({ method, path, body }: ApiPoint): string {
  return `${method} ${path} ${body.replace(/"resourceVersion":"\d+"/, "")}`;
}

/** The object of a write that holds only if nobody else has written meanwhile; `undefined` for another write. */
function versioned({
  stage,
  path,
  body,
}: ApiPoint): { kind: KubernetesKind; reference: ObjectReference } | undefined {
  if (stage === "after" || !body.includes('"resourceVersion"')) return undefined;
  const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
  for (const kind of [bucketKind, bucketClaimKind, bucketAccessKind]) {
    const name = new RegExp(`/${kind.plural}/([^/]+)$`).exec(path)?.[1];
    if (name !== undefined) return { kind, reference: { namespace, name } };
  }
  return undefined;
}
