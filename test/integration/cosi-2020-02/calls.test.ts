import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import {
  CreateBucketRequest,
  DeleteBucketRequest,
  GrantBucketAccessRequest,
  RevokeBucketAccessRequest,
} from "../../../gen/cosi-2020-02/cosi/v1/cosi";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import type { DriverReference } from "../../../provider/driver-resource/reference";
import { provider as nameGuard } from "../../../provider/kubernetes/name-guard";
import { CertificateAuthority } from "../../support/certificate-authority";
import { handlerReference, provisioner } from "../../support/cosi-2020-02";
import {
  FebruarySteps,
  keep,
  lifecycles,
  type BucketOptions,
  type BucketSteps,
} from "../../support/cosi-2020-02/february-steps";
import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import { StoringHandler } from "../../support/cosi-2020-02/storing-handler";
import { Lifecycle } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { TcpFront } from "../../support/tcp-front";
import { TlsFront } from "../../support/tls-front";
import { kinds } from "../kubernetes/cosi-2020-02/february";
import { owner } from "../kubernetes/objects";

const brownfield: BucketOptions = {
  bucketClass: { releasePolicy: "Retain", bucketIdentifier: { bucketName: "legacy" } },
};

describe("the driver of a Bucket (COSI proposal of 2020-02-27)", function () {
  this.timeout(180_000);
  let workflow: FebruaryWorkflow;
  let steps: FebruarySteps;
  let count = 0;

  before(async () => {
    workflow = await FebruaryWorkflow.start();
    steps = new FebruarySteps(workflow);
  });

  beforeEach(() => {
    count += 1;
    workflow.driver.forget();
    workflow.driver.buckets.clear();
    workflow.driver.accounts.clear();
    beginRun();
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  it("gets the fields of the contract, for whom and for what they are, and nothing of the cluster [K02-005] [K02-085]", async () => {
    for (const options of [{}, brownfield]) {
      count += 1;
      await steps.destroy(await steps.up(`plain${count}`, options));
    }
    const { calls } = workflow.driver.fake;
    for (const { metadata } of calls) {
      const known = ["user-agent", "pulumi-cosi-owner", "pulumi-cosi-request"];
      assert.deepEqual(
        Object.keys(metadata).filter((key) => !known.includes(key)),
        [],
      );
    }
    const { create, grant, revoke, delete: deletes } = workflow.driver.requests();
    const again = [
      ...create.map((request) => CreateBucketRequest.encode(request).finish()),
      ...deletes.map((request) => DeleteBucketRequest.encode(request).finish()),
      ...grant.map((request) => GrantBucketAccessRequest.encode(request).finish()),
      ...revoke.map((request) => RevokeBucketAccessRequest.encode(request).finish()),
    ].map((bytes) => bytes.length);
    // Nothing is lost in decoding: there is no field beside those of the contract.
    assert.deepEqual(
      again,
      calls.map(({ body }) => body.length),
    );
  });

  it("is that of the class's provisioner only, over a socket, TCP or TLS, on destroy too [K02-006] [K02-007] [K02-012]", async () => {
    const other = await new StoringHandler().start();
    const tcp = await new TcpFront(other.fake.socket).start();
    const authority = new CertificateAuthority();
    const tls = await new TlsFront(other.fake.socket, authority.issue(["localhost"])).start();
    const at = async (name: string, driver: DriverReference): Promise<BucketSteps> => {
      const bound = await steps.bindContent(name, {
        bucketClass: { provisioner: driver.driverName },
        inputs: { provisioner: driver.driverName },
      });
      const made = await keep(lifecycles.bucket, { ...steps.bucketInputs(bound), driver });
      return steps.deliver({ ...bound, made });
    };
    try {
      const changes = { driverName: "other.example.com" };
      const all = [
        await at(`socket${count}`, handlerReference(workflow.driver.fake.endpoint)),
        await at(`tcp${count}`, handlerReference(`127.0.0.1:${tcp.port}`, changes)),
        await at(
          `tls${count}`,
          handlerReference(tls.endpoint(), { ...changes, tls: { ca: authority.cert } }),
        ),
      ];
      const names = (driver: StoringHandler) =>
        driver.requests().create.map(({ RequestBucketName }) => RequestBucketName);
      const uids = all.map(({ bucket }) => bucket.uid);
      assert.deepEqual([names(workflow.driver), names(other)], [uids.slice(0, 1), uids.slice(1)]);
      for (const made of all) await steps.destroy(made);
      assert.deepEqual(workflow.driver.rpcs(), ["create", "delete"]);
      assert.deepEqual(other.rpcs(), ["create", "create", "delete", "delete"]);
    } finally {
      await closeConnections();
      tcp.stop();
      tls.stop();
      other.fake.stop();
    }
    for (const endpoint of ["store.example.com:9000", "0.0.0.0:9000", "127.0.0.1.example.com:9000"]) {
      const { failures } = await new Lifecycle(driverProvider).check(
        {},
        { logicalName: "store", contract: "cosi-2020-02", driverName: provisioner, endpoint },
      );
      assert.ok(/is on the network, .*without TLS/.test(failures.join()), `${endpoint}: ${failures.join()}`);
    }
  });

  it("is asked for fifty buckets of one class at once, each of its own name, content and Secrets [K02-073]", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `many${index}`);
    const all = await Promise.all(names.map((name) => steps.up(name)));
    const asked = workflow.driver.requests().create.map(({ RequestBucketName }) => RequestBucketName);
    assert.equal(new Set(asked).size, 50);
    assert.equal(asked.length, 50);
    assert.equal(new Set(all.map((made) => steps.contentName(made))).size, 50);
    assert.equal(
      new Set([...workflow.driver.accounts.values()].map(({ accessKeyId }) => accessKeyId)).size,
      50,
    );
    await Promise.all(all.map((made) => steps.destroy(made)));
    assert.equal(workflow.driver.buckets.size, 0);
  });

  it("is told in an error by RPC, code, words, address and the Bucket that it was for [K02-112]", async () => {
    const name = `denied${count}`;
    workflow.driver.refuse("create", { code: status.PERMISSION_DENIED, message: "no quota for AKFEB" });
    const bound = await steps.bindContent(name);
    const { endpoint } = workflow.driver.fake;
    await assert.rejects(keep(lifecycles.bucket, steps.bucketInputs(bound)), (error: Error) => {
      for (const part of [
        "CreateBucket",
        "PERMISSION_DENIED",
        "no quota for AKFEB",
        endpoint.slice("unix://".length),
        provisioner,
        `Bucket ${workflow.namespace}/${name}`,
        "Next:",
      ]) {
        assert.ok(error.message.includes(part), `${part} is not in ${error.message}`);
      }
      return true;
    });
  });

  it("makes another bucket with another BucketContent for a new Bucket of the same name [K02-030] [K02-038]", async () => {
    const name = `again${count}`;
    const first = await steps.up(name, { bucketClass: { releasePolicy: "Retain" } });
    await steps.destroy(first);
    beginRun();
    const second = await steps.up(name, { bucketClass: { releasePolicy: "Retain" } });
    assert.notEqual(steps.contentName(second), steps.contentName(first));
    const asked = workflow.driver.requests().create.map(({ RequestBucketName }) => RequestBucketName);
    assert.deepEqual(asked, [first.bucket.uid, second.bucket.uid]);
    await steps.destroy(second);
  });

  it("is not asked for a Bucket that somebody applied without a program, which stays as it is [K02-003]", async () => {
    const reference = { namespace: workflow.namespace, name: `applied${count}` };
    const { client, target } = workflow.cluster;
    const applied = await client.create(kinds.bucket, {
      metadata: reference,
      spec: { requestProtocol: "s3", bucketClassName: "gold" },
    });
    const guard = { kind: kinds.bucket, ...reference, owner, resource: "applied" };
    await assert.rejects(
      new Lifecycle(nameGuard).create({ ...guard, kubernetes: target }),
      /Bucket .*\/applied\d+ exists and was not made by pulumi-cosi; it stays as it is/,
    );
    await steps.destroy(await steps.up(`beside${count}`));
    assert.deepEqual(await client.get(kinds.bucket, reference), applied);
    assert.deepEqual(workflow.driver.rpcs(), ["create", "delete"]);
  });
});
