import assert from "node:assert/strict";
import { reportText } from "../../conformance/report-text";
import { TestedDriver } from "./support/tested-driver";

describe("a conformance run that tries credentials at a store", function () {
  this.timeout(120_000);

  it("waits for no answer longer than --timeout, and removes what it made [GRPC-130]", async () => {
    const tested = await TestedDriver.start();
    tested.store.isSilent = () => true;
    try {
      const report = await tested.run({ checkCredentials: true, timeoutSeconds: 1 });
      assert.match(reportText(report), /the store did not answer for account .*: no answer within 1 s/);
      assert.deepEqual([...tested.driver.state.buckets.keys()], []);
      assert.deepEqual([...tested.driver.state.accounts.keys()], []);
    } finally {
      await tested.stop();
    }
  });

  it("ends at once when the user ends it while the store is silent, and removes what it made [GRPC-130]", async () => {
    const interrupt = new AbortController();
    const tested = await TestedDriver.start();
    tested.store.isSilent = () => {
      setTimeout(() => {
        interrupt.abort();
      }, 50);
      return true;
    };
    const start = Date.now();
    try {
      const report = await tested.run(
        { checkCredentials: true, timeoutSeconds: 60 },
        { signal: interrupt.signal },
      );
      assert.equal(report.incomplete, "the run was interrupted");
      assert.ok(Date.now() - start < 30_000);
      assert.deepEqual([...tested.driver.state.accounts.keys()], []);
      assert.deepEqual([...tested.driver.state.buckets.keys()], []);
      assert.deepEqual(report.leftovers, []);
    } finally {
      await tested.stop();
    }
  });

  it("removes what it put although the user ends it in between [GRPC-130]", async () => {
    const interrupt = new AbortController();
    const tested = await TestedDriver.start();
    tested.store.isSilent = (method) => {
      if (method !== "GET" || tested.store.objects.size === 0) return false;
      interrupt.abort();
      return true;
    };
    try {
      const report = await tested.run(
        { checkCredentials: true, timeoutSeconds: 60 },
        { signal: interrupt.signal },
      );
      assert.equal(interrupt.signal.aborted, true);
      assert.deepEqual([...tested.store.objects], []);
      assert.deepEqual(report.leftovers, []);
    } finally {
      await tested.stop();
    }
  });

  it("removes the versions of what it put, where a bucket keeps them [GRPC-130]", async () => {
    const tested = await TestedDriver.start();
    tested.store.keepsVersions = true;
    try {
      const report = await tested.run({ checkCredentials: true });
      assert.ok(report.lines.some(({ id, status }) => id === "GRPC-095" && status === "pass"));
      assert.deepEqual([...tested.driver.state.buckets.keys()], []);
      assert.deepEqual(report.leftovers, []);
    } finally {
      await tested.stop();
    }
  });

  it("puts no more than one object where the keys may not remove its version, and lists its bucket [GRPC-130]", async () => {
    const tested = await TestedDriver.start();
    Object.assign(tested.store, { keepsVersions: true, letsRemoveVersions: false });
    try {
      const report = await tested.run({ checkCredentials: true });
      assert.equal(report.leftovers.length, 1);
      assert.deepEqual(
        report.leftovers.map(({ name }) => name),
        [...tested.driver.state.buckets.keys()],
      );
      const line = report.lines.find(({ id }) => id === "GRPC-095");
      assert.equal(line?.status, "skipped");
      assert.match(
        line.reason ?? "",
        /the store keeps versions of objects, which the granted keys may not remove/,
      );
    } finally {
      await tested.stop();
    }
  });

  it("shows no granted key that the store quotes [GRPC-130]", async () => {
    const tested = await TestedDriver.start();
    const quoted = new Set<string>();
    tested.store.saysToMakers = (keyId) => {
      quoted.add(keyId);
      return `access key ${keyId} may not use this call here`;
    };
    try {
      const report = await tested.run({ checkCredentials: true });
      const texts = reportText(report) + JSON.stringify(report);
      assert.match(texts, /access key \[secret\] may not use this call here/);
      assert.ok(quoted.size > 0);
      for (const keyId of quoted) assert.equal(texts.includes(keyId), false);
    } finally {
      await tested.stop();
    }
  });
});
