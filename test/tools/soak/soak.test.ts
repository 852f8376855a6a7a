import assert from "node:assert/strict";
import { soakArguments } from "../../../tools/soak/arguments";
import { allPoints, pickPoints } from "../../../tools/soak/random-points";
import { reportText } from "../../../tools/soak/report";
import { parsePoint } from "../../support/kills/point";

const parts = ["kills", "replies"];
const models = ["claims", "requests"];
const call = { what: "rpc create", stage: "before" } as const;
const read = { what: "GET /api/v1/namespaces/shop/secrets/creds", stage: "before" } as const;
const store = { buckets: [], usersWithoutAccess: [], accounts: [] };
const dump = { objects: [], store, state: {} };

describe("the command line of the soak", () => {
  it("asks for 200 points and 100000 replies unless told otherwise", () => {
    const { points, replies, parts: chosen, report } = soakArguments([], parts, models);
    assert.deepEqual([points, replies, chosen, report], [200, 100_000, parts, ".setup/soak-report.txt"]);
  });

  it("takes a seed, and single points, which are of the kills", () => {
    const args = ["--seed", "7", "--point", "up/3/all", "--point", "up/4/cli"];
    const given = soakArguments(args, parts, models);
    assert.deepEqual([given.seed, given.only, given.parts], [7, ["up/3/all", "up/4/cli"], ["kills"]]);
  });

  it("takes all API models by turns, or the one that is named", () => {
    assert.deepEqual(soakArguments([], parts, models).models, models);
    assert.deepEqual(soakArguments(["--model", "requests"], parts, models).models, ["requests"]);
  });

  it("refuses what it does not know", () => {
    const given = (...args: string[]) => soakArguments(args, parts, models);
    assert.throws(() => given("--points", "many"), /--points many: give a whole number/);
    assert.throws(() => given("--part", "floods"), /the parts are kills, replies/);
    assert.throws(() => given("--model", "floods"), /--model floods: the models are claims, requests/);
    assert.throws(() => given("--sed", "7"), /--sed/);
  });
});

describe("random points of the soak", () => {
  const all = allPoints("up", { dump, passages: [call, { ...call, stage: "after" }] });

  it("are the same for the same seed, others for another one, and none twice", () => {
    const picked = pickPoints(all, 7, 9);
    assert.deepEqual(picked, pickPoints(all, 7, 9));
    assert.notDeepEqual(picked, pickPoints(all, 8, 9));
    assert.equal(new Set(picked).size, 9);
  });

  it("are texts that name a point again", () => {
    assert.deepEqual(parsePoint("up/1/driver for a moment"), {
      command: "up",
      moment: { passage: 1 },
      victim: "driver for a moment",
    });
    for (const text of all) assert.equal(parsePoint(text).command, "up");
    assert.throws(() => parsePoint("up/1/nobody"), /is no point: give command\/number\/victim/);
  });

  it("end no driver where none is called", () => {
    const victims = allPoints("refresh", { dump, passages: [read] }).map((text) => parsePoint(text).victim);
    assert.deepEqual(victims, ["all", "cli", "host", "interrupt", "interrupt twice"]);
  });
});

describe("the report of the soak", () => {
  it("has the seed, what was tried, and each failure with what repeats it", () => {
    const failures = ["up/3/all: before rpc create\nagain: …"];
    assert.equal(
      reportText(7, [{ title: "kills", tried: 2, failures }]),
      "soak with seed 7\n\nkills: 2 tried, 1 failed\n\n  up/3/all: before rpc create\n  again: …\n",
    );
  });
});
