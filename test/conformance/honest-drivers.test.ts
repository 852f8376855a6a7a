import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { status } from "@grpc/grpc-js";
import {
  AuthenticationType,
  DriverCreateBucketRequest,
  DriverCreateBucketResponse,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverGrantBucketAccessResponse,
  DriverRevokeBucketAccessRequest,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { paths } from "../support/cosi-v1alpha1";
import { Refusal } from "./support/memory-driver";
import type { Interceptor } from "./support/serve";
import { idsWith, line, TestedDriver } from "./support/tested-driver";

const provisioner: readonly string[] = [paths.create, paths.delete, paths.grant, paths.revoke];

describe("a conformance run holds nothing against a driver", function () {
  this.timeout(120_000);
  let tested: TestedDriver | undefined;

  const start = async (intercept?: Interceptor): Promise<TestedDriver> => {
    tested = await TestedDriver.start([], intercept);
    return tested;
  };

  afterEach(() => tested?.stop());

  for (const code of [status.RESOURCE_EXHAUSTED, status.UNAVAILABLE, status.ABORTED]) {
    it(`that answers ${status[code]} now and then, as a throttled store makes it [GRPC-129]`, async () => {
      let calls = 0;
      const driver = await start((path) =>
        provisioner.includes(path) && ++calls % 7 === 1
          ? new Refusal(code, "the store is busy, try again")
          : undefined,
      );
      const report = await driver.run({ timeoutSeconds: 5 });
      assert.deepEqual(idsWith(report, "fail"), []);
      assert.deepEqual(idsWith(report, "warning"), []);
      assert.equal(report.incomplete, null);
      assert.equal(report.compliant, true);
      assert.deepEqual(report.leftovers, []);
    });
  }

  it("that takes longer than --timeout, but for the silence itself, and names the option [GRPC-129]", async () => {
    const driver = await start((path) => (path === paths.create ? "silence" : undefined));
    const report = await driver.run({ timeoutSeconds: 0.3 });
    assert.deepEqual(idsWith(report, "fail"), ["GRPC-058"]);
    const [found] = line(report, "GRPC-058").problems;
    assert.match(found?.answered ?? "", /no answer within 0\.3 s/);
    assert.equal(found?.wanted, "a status within 0.3 s (--timeout gives it more time)");
    assert.equal(line(report, "GRPC-001").status, "skipped");
    assert.match(line(report, "GRPC-001").reason ?? "", /DriverCreateBucket .*--timeout/);
  });

  it("whose keys may only put, and tries them by that [GRPC-129]", async () => {
    const driver = await start();
    driver.store.isWriteOnly = true;
    const report = await driver.run({ checkCredentials: true });
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.deepEqual(idsWith(report, "warning"), []);
    assert.equal(report.compliant, true);
    assert.equal(line(report, "GRPC-018").reason, null);
    assert.match(line(report, "GRPC-077").reason ?? "", /cannot see whether its object is there/);
    assert.deepEqual([...driver.store.objects], []);
    driver.driver.faults = new Set(["revoke that does nothing"]);
    const leaky = await driver.run({ checkCredentials: true });
    assert.ok(idsWith(leaky, "fail").includes("GRPC-026"));
  });

  it("that wants a secret with each call, and says which key [GRPC-129]", async () => {
    const contextOf = (path: string, body: Buffer): ReadonlyMap<string, string> => {
      if (path === paths.delete) return DriverDeleteBucketRequest.decode(body).deleteContext;
      if (path === paths.revoke) return DriverRevokeBucketAccessRequest.decode(body).revokeAccessContext;
      return DriverCreateBucketRequest.decode(body).parameters;
    };
    const driver = await start((path, body) =>
      path !== paths.getInfo && path !== paths.grant && !contextOf(path, body).has("token")
        ? new Refusal(status.UNAUTHENTICATED, "the secret token is missing")
        : undefined,
    );
    const given = new Map([["token", "s3cr3t-of-the-user"]]);
    const other = new Map([...given, ["class", "other"]] as const);
    const report = await driver.run({
      parameters: given,
      accessParameters: given,
      otherParameters: other,
      otherAccessParameters: other,
    });
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.equal(report.compliant, true);
    assert.equal(line(report, "GRPC-049").status, "skipped");
    assert.match(line(report, "GRPC-049").reason ?? "", /^the driver wants the key token with each call: /);
    assert.equal(line(report, "GRPC-057").status, "pass");
    const without = await driver.run();
    assert.equal(without.compliant, false);
  });

  it("that names the field in words of its own, and warns where it names none [GRPC-129]", async () => {
    let words = "unsupported auth type requested";
    const driver = await start((path, body) => {
      if (path !== paths.grant) return undefined;
      const { authenticationType } = DriverGrantBucketAccessRequest.decode(body);
      return authenticationType === AuthenticationType.Key
        ? undefined
        : new Refusal(status.INVALID_ARGUMENT, words);
    });
    const report = await driver.run();
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.equal(line(report, "GRPC-006").status, "pass");
    words = "this cannot be done";
    const vague = await driver.run();
    assert.equal(line(vague, "GRPC-006").status, "warning");
    assert.match(line(vague, "GRPC-006").problems[0]?.wanted ?? "", /^\(SHOULD\) a message that names /);
    // The requirement has the name of a missing field for a MUST.
    assert.deepEqual(idsWith(vague, "fail"), ["GRPC-046"]);
  });

  it("whose ids hold a place, and whose messages have the name that was sent [GRPC-129]", async () => {
    const place = "eu/";
    const driver = await start((path, body) => {
      const answer = (bytes: Uint8Array): Uint8Array => driver.driver.answer(path, bytes);
      const bare = ({ bucketId }: { readonly bucketId: string }): string => bucketId.replace(place, "");
      if (path === paths.create) {
        const reply = DriverCreateBucketResponse.decode(answer(body));
        return DriverCreateBucketResponse.encode({
          ...reply,
          bucketId: `${place}${reply.bucketId}`,
        }).finish();
      }
      if (path === paths.delete) {
        const request = DriverDeleteBucketRequest.decode(body);
        return answer(DriverDeleteBucketRequest.encode({ ...request, bucketId: bare(request) }).finish());
      }
      if (path === paths.grant) {
        const request = DriverGrantBucketAccessRequest.decode(body);
        return answer(
          DriverGrantBucketAccessRequest.encode({ ...request, bucketId: bare(request) }).finish(),
        );
      }
      return undefined;
    });
    const report = await driver.run();
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.equal(line(report, "GRPC-059").status, "pass");
  });

  it("that checks the form of its account ids before all else [GRPC-129]", async () => {
    const names = new Map<string, string>();
    const driver = await start((path, body) => {
      if (path === paths.grant) {
        const reply = DriverGrantBucketAccessResponse.decode(driver.driver.answer(path, body));
        const accountId = String(createHash("sha256").update(reply.accountId).digest().readUInt32BE());
        names.set(accountId, reply.accountId);
        return DriverGrantBucketAccessResponse.encode({ ...reply, accountId }).finish();
      }
      if (path !== paths.revoke) return undefined;
      const request = DriverRevokeBucketAccessRequest.decode(body);
      if (request.accountId !== "" && !/^\d+$/.test(request.accountId)) {
        return new Refusal(status.INVALID_ARGUMENT, "account_id must be a number");
      }
      const accountId = names.get(request.accountId) ?? request.accountId;
      return driver.driver.answer(
        path,
        DriverRevokeBucketAccessRequest.encode({ ...request, accountId }).finish(),
      );
    });
    const report = await driver.run();
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.equal(report.compliant, true);
  });

  it("that refuses the second set of parameters for what it is, or gets the same set twice [GRPC-129]", async () => {
    const driver = await start((path, body) => {
      if (path !== paths.create && path !== paths.grant) return undefined;
      const { parameters } =
        path === paths.create
          ? DriverCreateBucketRequest.decode(body)
          : DriverGrantBucketAccessRequest.decode(body);
      return parameters.has("token")
        ? undefined
        : new Refusal(status.INVALID_ARGUMENT, "parameters: token is required");
    });
    const given = new Map([["token", "of-the-user"]]);
    const sets = [
      { other: new Map([["class", "b"]]), said: /--other-parameter .*a whole set .*token is required/ },
      { other: given, said: /^--other-parameter gives the same parameters as the first set/ },
    ];
    for (const { other, said } of sets) {
      const report = await driver.run({
        parameters: given,
        accessParameters: given,
        otherParameters: other,
        otherAccessParameters: other,
      });
      assert.deepEqual(idsWith(report, "fail"), []);
      assert.equal(line(report, "GRPC-020").status, "skipped");
      assert.match(line(report, "GRPC-020").reason ?? "", said);
      assert.match(line(report, "GRPC-024").reason ?? "", /--other-access-parameter/);
    }
  });
});
