import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { DriverDeleteBucketRequest } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { paths } from "../support/cosi-v1alpha1";
import { Refusal } from "./support/memory-driver";
import { idsWith, TestedDriver } from "./support/tested-driver";

const leftOut: readonly { readonly rpcs: readonly (keyof typeof paths)[]; readonly skipped: string[] }[] = [
  { rpcs: ["delete"], skipped: ["GRPC-023", "GRPC-077"] },
  { rpcs: ["revoke"], skipped: ["GRPC-018", "GRPC-026", "GRPC-027"] },
  { rpcs: ["delete", "revoke"], skipped: ["GRPC-023", "GRPC-026", "GRPC-049"] },
  { rpcs: ["delete", "grant", "revoke"], skipped: ["GRPC-023", "GRPC-025", "GRPC-026", "GRPC-049"] },
];

function unimplemented(path: string): Refusal {
  return new Refusal(status.UNIMPLEMENTED, `${path} is not implemented`);
}

describe("a driver that leaves out RPCs that are not REQUIRED", function () {
  this.timeout(120_000);
  let tested: TestedDriver | undefined;

  afterEach(() => tested?.stop());

  for (const { rpcs, skipped } of leftOut) {
    it(`is compliant without ${rpcs.join(", ")}, and what stays is listed [GRPC-129] [GRPC-130]`, async () => {
      const without = new Set<string>(rpcs.map((rpc) => paths[rpc]));
      tested = await TestedDriver.start([], (path) => (without.has(path) ? unimplemented(path) : undefined));
      const report = await tested.run({ checkCredentials: true });
      assert.deepEqual(idsWith(report, "fail"), []);
      assert.deepEqual(idsWith(report, "warning"), ["GRPC-117"]);
      assert.equal(report.compliant, true);
      for (const id of skipped) {
        const line = report.lines.find((entry) => entry.id === id);
        assert.equal(line?.status, "skipped", id);
        assert.match(line.reason ?? "", /UNIMPLEMENTED \(12\)/);
      }
      const { buckets, accounts } = tested.driver.state;
      assert.deepEqual(
        report.leftovers.map(({ kind, id }) => `${kind} ${id ?? ""}`).sort(),
        [
          ...[...buckets.keys()].map((name) => `bucket ${name}`),
          ...[...accounts.keys()].map((name) => `account ${name}`),
        ].sort(),
      );
      assert.equal(buckets.size === 0, !without.has(paths.delete));
    });
  }

  it("is not compliant where it has the RPC and says otherwise to a repeated call [GRPC-129]", async () => {
    const deleted = new Set<string>();
    tested = await TestedDriver.start([], (path, body) => {
      if (path !== paths.delete) return undefined;
      const { bucketId } = DriverDeleteBucketRequest.decode(body);
      if (deleted.has(bucketId)) return unimplemented(path);
      deleted.add(bucketId);
      return undefined;
    });
    assert.deepEqual(idsWith(await tested.run(), "fail"), ["GRPC-023"]);
  });

  it("is not compliant where a REQUIRED RPC says so to a wrong call [GRPC-129]", async () => {
    tested = await TestedDriver.start([], (path, body) =>
      path === paths.create && body.length === 0 ? unimplemented(path) : undefined,
    );
    assert.deepEqual(idsWith(await tested.run(), "fail"), ["GRPC-046"]);
  });
});
