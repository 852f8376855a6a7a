import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { mock } from "node:test";
import { contractOf } from "../../../../provider/contracts/registry";
import type { CallTarget } from "../../../../provider/contracts/contract";
import type { Failure } from "../../../../provider/driver/call/failure";
import { Course } from "../../../../provider/driver/call/course";
import { provisioner } from "../../../support/cosi-2020-07";

const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName: provisioner };
const underWay: Failure = {
  code: status.ABORTED,
  reason: "at work",
  undecodable: false,
  reading: { code: status.ABORTED, name: "DELETE_DELETE_INPROGRESS", underWay: true },
};

describe("a delete that is under way at the driver", () => {
  const { words } = contractOf("cosi-2020-07");
  const budgetSeconds = 60;

  afterEach(() => {
    mock.timers.reset();
  });

  /** A delete whose first attempt was answered so. */
  function begun(changes: Partial<CallTarget> = {}): Course {
    mock.timers.enable({ apis: ["Date"] });
    const method = { verb: "delete", path: "/cosi.v1.CosiController/DeleteBucket" } as const;
    const course = new Course(method, { ...target, ...changes }, budgetSeconds, words);
    course.begin();
    course.fail({ failure: underWay, driver: provisioner, sent: true });
    return course;
  }

  for (const [what, changes, seconds] of [
    ["ten minutes where the program does not say how long", {}, 600],
    ["as long as the program says", { patienceSeconds: 20 }, 20],
  ] as const) {
    it(`is waited for ${what}, and its progress and error say so [K07-102]`, () => {
      const course = begun(changes);
      mock.timers.tick(seconds * 1000 - 1);
      assert.equal(course.goesOnAfter(underWay, 0), true);
      assert.match(course.describe(underWay), new RegExp(`${seconds} s of ${seconds} s$`));
      mock.timers.tick(2);
      assert.equal(course.goesOnAfter(underWay, 0), false);
      const { message } = course.error({ failure: underWay, driver: provisioner, sent: true });
      assert.match(message, /^DeleteBucket: ABORTED \(DELETE_DELETE_INPROGRESS\): at work /);
    });
  }
});
