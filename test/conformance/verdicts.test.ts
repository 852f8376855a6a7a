import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checks } from "../../conformance/checks";
import { duties } from "../../conformance/duties";
import type { DutyList } from "../../conformance/duty";
import type { Fault } from "./support/memory-driver";
import type { SpokenContract } from "./support/speech";
import { idsWith, TestedDriver } from "./support/tested-driver";

const root = join(__dirname, "..", "..");

/** A contract whose drivers are judged, with the list of their duties. */
interface Subject {
  readonly contract: SpokenContract;
  readonly list: DutyList;
  readonly document: string;
  readonly prefix: string;
  /** Requirements that say how drivers are judged, for titles. */
  readonly runs: string;
  readonly judges: string;
}

const subjects: readonly Subject[] = [
  {
    contract: "cosi.v1alpha1",
    list: "cosi",
    document: "docs/requirements/cosi-grpc-v1alpha1.md",
    prefix: "GRPC",
    runs: "[GRPC-128] [GRPC-129]",
    judges: "[GRPC-129]",
  },
  {
    contract: "deployment.v1alpha1",
    list: "deployment",
    document: "docs/requirements/deployment-interface.md",
    prefix: "DEP",
    runs: "[DEP-090]",
    judges: "[DEP-090]",
  },
];

/** Numbers of a cell such as `001, 018–020` as ids. */
function idsOfCell(cell: string, prefix: string): string[] {
  return [...cell.matchAll(/(\d{3})(?:–(\d{3}))?/g)].flatMap(([, first = "", last = first]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, index) => `${prefix}-${String(Number(first) + index).padStart(3, "0")}`,
    ),
  );
}

function dutiesOf({ document, prefix }: Subject): { readonly id: string; readonly level: string }[] {
  const list = readFileSync(join(root, document), "utf8");
  const [, must = "", should = "", may = ""] = /^\| driver \| (.*?) \| (.*?) \|(.*?)\|$/m.exec(list) ?? [];
  return [
    ...idsOfCell(must, prefix).map((id) => ({ id, level: "MUST" })),
    ...idsOfCell(should, prefix).map((id) => ({ id, level: "SHOULD" })),
    ...idsOfCell(may, prefix).map((id) => ({ id, level: "MAY" })),
  ].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * A fault, and the duties that it breaks in each list, the first of them the one that it is about, as far as RPCs (and
 * the backend, if looked at) show.
 */
const faults: readonly {
  readonly fault: Fault;
  readonly ids: Readonly<Partial<Record<DutyList, readonly [string, ...string[]]>>>;
  readonly looks?: true;
}[] = [
  {
    fault: "new key on each grant",
    ids: { cosi: ["GRPC-025"], deployment: ["DEP-025"] },
    looks: true,
  },
  {
    fault: "ALREADY_EXISTS on an equal create",
    ids: {
      cosi: ["GRPC-019", "GRPC-020", "GRPC-057"],
      deployment: ["DEP-021", "DEP-022", "DEP-051"],
    },
  },
  { fault: "NOT_FOUND on a repeated delete", ids: { cosi: ["GRPC-023"], deployment: ["DEP-024"] } },
  { fault: "revoke that does nothing", ids: { cosi: ["GRPC-026"], deployment: ["DEP-027"] } },
  {
    fault: "revoke that does nothing",
    ids: { cosi: ["GRPC-026"], deployment: ["DEP-027"] },
    looks: true,
  },
  { fault: "shared credentials", ids: { cosi: ["GRPC-024"], deployment: ["DEP-026"] } },
  { fault: "one password for all accounts", ids: { cosi: ["GRPC-024"], deployment: ["DEP-026"] } },
  {
    fault: "cuts names",
    ids: { cosi: ["GRPC-003", "GRPC-024"], deployment: ["DEP-001", "DEP-025"] },
  },
  { fault: "cuts names behind ids", ids: { cosi: ["GRPC-003"], deployment: ["DEP-001"] } },
  { fault: "no bucket id", ids: { cosi: ["GRPC-003"], deployment: ["DEP-001"] } },
  { fault: "no account id", ids: { cosi: ["GRPC-047"], deployment: ["DEP-044"] } },
  {
    fault: "empty message",
    ids: {
      cosi: ["GRPC-059", "GRPC-033", "GRPC-046"],
      deployment: ["DEP-052", "DEP-032", "DEP-043"],
    },
  },
  { fault: "status details", ids: { cosi: ["GRPC-060"], deployment: ["DEP-052"] } },
  { fault: "over-limit ids", ids: { cosi: ["GRPC-044", "GRPC-043"], deployment: ["DEP-041"] } },
  { fault: "an id for each create", ids: { cosi: ["GRPC-019"], deployment: ["DEP-021"] } },
  { fault: "unknown parameters are taken", ids: { cosi: ["GRPC-033"], deployment: ["DEP-032"] } },
  { fault: "no name", ids: { cosi: ["GRPC-007"], deployment: ["DEP-007"] } },
  { fault: "grants on missing buckets", ids: { cosi: ["GRPC-077"] } },
  { fault: "delete of a bucket with objects", ids: { cosi: ["GRPC-077"] }, looks: true },
  { fault: "objects gone with a delete that is refused", ids: { cosi: ["GRPC-077"] }, looks: true },
  { fault: "secret keys with spaces", ids: { cosi: ["GRPC-081"], deployment: ["DEP-066"] } },
  {
    fault: "every type is granted",
    ids: { cosi: ["GRPC-006", "GRPC-046"], deployment: ["DEP-006", "DEP-043"] },
  },
];

for (const subject of subjects) {
  const { contract, list, runs, judges } = subject;
  const start = (given: readonly Fault[] = []): Promise<TestedDriver> =>
    TestedDriver.start(given, undefined, { contract });

  describe(`the verdicts of the conformance check of ${contract}`, function () {
    this.timeout(120_000);

    it(`reports every driver duty of the list, by id and with its level, and passes a correct driver ${runs}`, async () => {
      const tested = await start();
      try {
        const report = await tested.run(tested.looking());
        assert.equal(report.contract, contract);
        assert.deepEqual(
          report.lines.map(({ id, level }) => ({ id, level })),
          dutiesOf(subject),
        );
        assert.deepEqual(idsWith(report, "fail"), []);
        assert.deepEqual(idsWith(report, "warning"), []);
        assert.ok(idsWith(report, "pass").length >= report.lines.length / 2);
        assert.equal(report.compliant, true);
        assert.deepEqual(report.leftovers, []);
        for (const { id, reason, status } of report.lines) {
          if (status === "skipped") assert.ok(reason, `${id} is skipped without a reason`);
        }
      } finally {
        await tested.stop();
      }
    });

    for (const { fault, ids, looks } of faults) {
      const broken = ids[list];
      if (broken === undefined) continue;
      const [id] = broken;
      const looking = looks === true ? ", looking at the backend" : "";
      it(`catches the fault "${fault}" under ${id}${looking} ${judges}`, async () => {
        const tested = await start([fault]);
        try {
          const report = await tested.run(looks === true ? tested.looking() : {});
          assert.deepEqual(idsWith(report, "fail"), [...broken].sort());
          assert.equal(report.compliant, false);
          const line = report.lines.find((entry) => entry.id === id);
          for (const problem of line?.problems ?? []) {
            assert.ok(problem.sent !== "" && problem.answered !== "" && problem.wanted !== "");
          }
          assert.ok((line?.problems.length ?? 0) > 0);
        } finally {
          await tested.stop();
        }
      });
    }

    const repeatedGrant = list === "cosi" ? "GRPC-025" : "DEP-025";
    it(`warns of a new key on each grant when it may not look at the backend ${judges}`, async () => {
      const tested = await start(["new key on each grant"]);
      try {
        const report = await tested.run();
        assert.deepEqual(idsWith(report, "warning"), [repeatedGrant]);
        assert.equal(report.compliant, true);
      } finally {
        await tested.stop();
      }
    });

    const revoke = list === "cosi" ? "GRPC-026" : "DEP-027";
    it(`takes a credential that comes again after a revoke as a sign only, and asks the backend where it may ${judges}`, async () => {
      const tested = await start();
      tested.driver.derivesKeys = true;
      try {
        const blind = await tested.run();
        assert.deepEqual(idsWith(blind, "fail"), []);
        assert.deepEqual(idsWith(blind, "warning"), [revoke]);
        assert.equal(blind.compliant, true);
        const seeing = await tested.run(tested.looking());
        assert.deepEqual(idsWith(seeing, "fail"), []);
        assert.deepEqual(idsWith(seeing, "warning"), []);
      } finally {
        await tested.stop();
      }
    });

    it(`holds nothing against a driver whose backend takes a while to know of a key ${judges}`, async () => {
      const tested = await start();
      tested.store.learnsAfter = 1;
      try {
        const report = await tested.run(tested.looking());
        assert.deepEqual(idsWith(report, "fail"), []);
        assert.deepEqual(idsWith(report, "warning"), []);
      } finally {
        await tested.stop();
      }
    });

    it(`reads the driver's message before its own mask, so that a parameter's value hides no field ${judges}`, async () => {
      const tested = await start();
      try {
        const values = [
          "name",
          tested.driver.speech.idField,
          "account_id",
          "parameters",
          "authentication_type",
        ];
        for (const value of values) {
          const parameters = new Map([["class", value]]);
          const report = await tested.run({ parameters, accessParameters: parameters });
          assert.deepEqual(idsWith(report, "fail"), [], value);
        }
      } finally {
        await tested.stop();
      }
    });

    it("has a check for each duty, and a duty for each id of a check", () => {
      const judged = new Set(checks.flatMap(({ ids }) => ids[list] ?? []));
      assert.deepEqual(
        [...judged].sort(),
        duties[list].map(({ id }) => id),
      );
    });
  });
}

describe("the verdicts of the conformance check", function () {
  this.timeout(120_000);

  it("looks into the bucket of the sent name where the id is none that a store could have [GRPC-129]", async () => {
    const tested = await TestedDriver.start(["over-limit ids"]);
    try {
      const report = await tested.run({ checkCredentials: true, largeFields: true });
      const judged = report.lines.find(({ id }) => id === "GRPC-095");
      assert.equal(judged?.status, "pass", judged?.reason ?? "");
    } finally {
      await tested.stop();
    }
  });
});
