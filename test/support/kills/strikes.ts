import assert from "node:assert/strict";
import { assertRecovered } from "./assert-recovered";
import type { StoreDump } from "./dump";
import { KillHarness, type Outcome } from "./harness";
import type { NamedPoint, Point } from "./point";
import type { Subject } from "./subject";

/** One live key, which its Secrets have, and no account beside it. */
export const oneLiveKey = {
  usersWithoutAccess: [],
  accounts: [{ liveKeys: 1, inSecret: true }],
} as const satisfies Omit<StoreDump, "buckets">;

/** The points of a suite at work; within its tests alone. */
export interface Strikes {
  readonly harness: KillHarness;
  /** What became of the first point that fits. */
  readonly outcomeOf: (fits: (point: Point) => boolean) => Promise<Outcome | undefined>;
}

/**
 * Strikes the commands of a subject at points, with a test for each point; within a `describe`.
 *
 * @param commands Those that are learned. @default those of the points
 * @param idsOf What a point proves of the list of requirements, as it stands in the test's title.
 */
export function strikesAt(
  subject: Subject,
  namedPoints: readonly NamedPoint[],
  { commands, idsOf = () => "" }: StrikeOptions = {},
): () => Strikes {
  const points = namedPoints.map(([, point]) => point);
  let harness: KillHarness | undefined;
  let outcomes: readonly Promise<Outcome>[] = [];

  before(async () => {
    harness = await KillHarness.start(subject, commands ?? points.map(({ command }) => command));
    // They run side by side; each test waits for its own.
    outcomes = harness.try(points);
  });

  after(() => harness?.stop());

  for (const [index, [what]] of namedPoints.entries()) {
    it(`ends as an undisturbed one: ${what}${idsOf(what)}`, async () => {
      assertRecovered(await outcomes[index]);
    });
  }

  return () => {
    if (harness === undefined) throw new Error("the harness is started before the first test");
    return { harness, outcomeOf: async (fits) => outcomes[points.findIndex(fits)] };
  };
}

interface StrikeOptions {
  readonly commands?: readonly string[];
  readonly idsOf?: (what: string) => string;
}

/** After the command there is one bucket with one live key. */
export async function assertOneLiveKey({ harness }: Strikes, command: string): Promise<void> {
  const { buckets, ...users } = (await harness.reference(command)).dump.store;
  assert.equal(buckets.length, 1);
  assert.deepEqual(users, oneLiveKey);
}

/** After the command there is one bucket, and two accesses to it have a live key each. */
export async function assertShared({ harness }: Strikes, command: string): Promise<void> {
  const { buckets, accounts } = (await harness.reference(command)).dump.store;
  assert.equal(buckets.length, 1);
  assert.deepEqual(accounts, [...oneLiveKey.accounts, ...oneLiveKey.accounts]);
}

/** After the command there is no object, no bucket and no account. */
export async function assertNothingLeft({ harness }: Strikes, command: string): Promise<void> {
  const { objects, store } = (await harness.reference(command)).dump;
  assert.deepEqual(objects, []);
  assert.deepEqual(store, { buckets: [], usersWithoutAccess: [], accounts: [] });
}

/** After the command there is what an `up` leaves. */
export async function assertAsAfterUp({ harness }: Strikes, command: string): Promise<void> {
  const { dump } = await harness.reference(command);
  assert.deepEqual(dump, (await harness.reference("up")).dump);
}
