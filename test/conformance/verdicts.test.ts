import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checks } from "../../conformance/checks";
import type { ConformanceOptions } from "../../conformance/options";
import type { Fault } from "./support/memory-driver";
import { idsWith, TestedDriver } from "./support/tested-driver";

const root = join(__dirname, "..", "..");

/** Numbers of a cell such as `001, 018–020` as ids. */
function idsOfCell(cell: string): string[] {
  return [...cell.matchAll(/(\d{3})(?:–(\d{3}))?/g)].flatMap(([, first = "", last = first]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, index) => `GRPC-${String(Number(first) + index).padStart(3, "0")}`,
    ),
  );
}

function duties(): { readonly id: string; readonly level: string }[] {
  const list = readFileSync(join(root, "docs/requirements/cosi-grpc-v1alpha1.md"), "utf8");
  const [, must = "", should = ""] = /^\| driver \| (.*?) \| (.*?) \|/m.exec(list) ?? [];
  return [
    ...idsOfCell(must).map((id) => ({ id, level: "MUST" })),
    ...idsOfCell(should).map((id) => ({ id, level: "SHOULD" })),
  ].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A fault, and the one duty that it breaks, as far as RPCs (and the store, if looked at) show. */
const faults: readonly {
  readonly fault: Fault;
  readonly id: string;
  readonly also?: readonly string[];
  readonly options?: Partial<ConformanceOptions>;
}[] = [
  { fault: "new key on each grant", id: "GRPC-025", options: { checkCredentials: true } },
  { fault: "ALREADY_EXISTS on an equal create", id: "GRPC-019", also: ["GRPC-020", "GRPC-057"] },
  { fault: "NOT_FOUND on a repeated delete", id: "GRPC-023" },
  { fault: "revoke that does nothing", id: "GRPC-026" },
  {
    fault: "revoke that does nothing",
    id: "GRPC-026",
    options: { checkCredentials: true },
  },
  { fault: "shared credentials", id: "GRPC-024" },
  {
    fault: "empty message",
    id: "GRPC-059",
    also: ["GRPC-006", "GRPC-033", "GRPC-043", "GRPC-046", "GRPC-065"],
  },
  { fault: "status details", id: "GRPC-060" },
  { fault: "over-limit ids", id: "GRPC-044", also: ["GRPC-043"] },
  { fault: "an id for each create", id: "GRPC-019" },
  { fault: "unknown parameters are taken", id: "GRPC-033" },
  { fault: "no name", id: "GRPC-007" },
  { fault: "grants on missing buckets", id: "GRPC-077" },
  { fault: "delete of a bucket with objects", id: "GRPC-077", options: { checkCredentials: true } },
  { fault: "secret keys with spaces", id: "GRPC-081" },
  { fault: "every type is granted", id: "GRPC-006", also: ["GRPC-046"] },
];

describe("the verdicts of the conformance check", function () {
  this.timeout(120_000);

  it("reports every driver duty of the list, by id and with its level, and passes a correct driver [GRPC-128] [GRPC-129]", async () => {
    const tested = await TestedDriver.start();
    try {
      const report = await tested.run({ checkCredentials: true });
      assert.deepEqual(
        report.lines.map(({ id, level }) => ({ id, level })),
        duties(),
      );
      assert.deepEqual(idsWith(report, "fail"), []);
      assert.deepEqual(idsWith(report, "warning"), []);
      assert.ok(idsWith(report, "pass").length > 25);
      assert.equal(report.compliant, true);
      assert.deepEqual(report.leftovers, []);
      for (const { id, reason, status } of report.lines) {
        if (status === "skipped") assert.ok(reason, `${id} is skipped without a reason`);
      }
    } finally {
      await tested.stop();
    }
  });

  for (const { fault, id, also = [], options = {} } of faults) {
    const looking = options.checkCredentials === true ? ", looking at the store" : "";
    it(`catches the fault "${fault}" under ${id}${looking} [GRPC-129]`, async () => {
      const tested = await TestedDriver.start([fault]);
      try {
        const report = await tested.run(options);
        assert.deepEqual(idsWith(report, "fail"), [id, ...also].sort());
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

  it("warns of a new key on each grant when it may not look at the store [GRPC-129]", async () => {
    const tested = await TestedDriver.start(["new key on each grant"]);
    try {
      const report = await tested.run();
      assert.deepEqual(idsWith(report, "warning"), ["GRPC-025"]);
      assert.equal(report.compliant, true);
    } finally {
      await tested.stop();
    }
  });

  it("takes a credential that comes again after a revoke as a sign only, and asks the store where it may [GRPC-129]", async () => {
    const tested = await TestedDriver.start();
    tested.driver.derivesKeys = true;
    try {
      const blind = await tested.run();
      assert.deepEqual(idsWith(blind, "fail"), []);
      assert.deepEqual(idsWith(blind, "warning"), ["GRPC-026"]);
      assert.equal(blind.compliant, true);
      const seeing = await tested.run({ checkCredentials: true });
      assert.deepEqual(idsWith(seeing, "fail"), []);
      assert.deepEqual(idsWith(seeing, "warning"), []);
    } finally {
      await tested.stop();
    }
  });

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

  it("reads the driver's message before its own mask, so that a parameter's value hides no field [GRPC-129]", async () => {
    const tested = await TestedDriver.start();
    try {
      const values = ["name", "bucket_id", "account_id", "parameters", "authentication_type"];
      for (const value of values) {
        const parameters = new Map([["class", value]]);
        const report = await tested.run({ parameters, accessParameters: parameters });
        assert.deepEqual(idsWith(report, "fail"), [], value);
      }
    } finally {
      await tested.stop();
    }
  });

  it("has one check for each id", () => {
    assert.equal(new Set(checks.map(({ id }) => id)).size, checks.length);
  });
});
