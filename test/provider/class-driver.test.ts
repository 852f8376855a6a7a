import assert from "node:assert/strict";
import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { provider as driverProvider } from "../../provider/driver-resource/provider";
import { secretOutput } from "../../provider/dynamic/values";
import { driversOfRun } from "../../provider/run/drivers";
import { controllerReference } from "../support/cosi-2020-07";
import { Lifecycle, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference } from "../support/settings";

const here = controllerReference("unix:///here.sock");
const elsewhere = controllerReference("unix:///elsewhere.sock", {
  driverName: "stores/other.example.com",
  seed: "ffeeddccbbaa99887766554433221100",
});

const common = {
  kubernetes: { kubeconfig: "kubeconfig" },
  bucket: { name: "bucket-photos-shop", uid: "" },
  claim: { namespace: "shop", name: "photos", uid: "uid-1" },
};
const proposal = { ...common, model: "cosi-2020-07:cosi.io" };

const bucket = {
  provider: new Lifecycle(bucketProvider),
  inputs: { logicalName: "photos", name: "uid-1", bucketClassName: "gold", objects: proposal },
  made: { bucketId: "uid-1", bucketInfo: null, adopted: false, drift: null },
};
const access = {
  provider: new Lifecycle(accessProvider),
  inputs: {
    logicalName: "web",
    name: "bucketaccess-web-shop",
    bucketName: "uid-1",
    bucketId: "uid-1",
    bucketAccessClassName: "keys",
    objects: {
      ...proposal,
      access: { namespace: "shop", name: "web", uid: "uid-2" },
      account: { name: "bucketaccess-web-shop", uid: "uid-3" },
      secretName: "keys",
    },
  },
  made: { accountId: "bucketaccess-web-shop", granted: { protocol: "S3", secrets: {} }, drift: null },
};

describe("a class of the proposal of 2020-07-08 that goes to another driver", () => {
  beforeEach(beginRun);

  for (const [what, { provider, inputs, made }] of Object.entries({ bucket, access })) {
    it(`moves no ${what} that was made by it [K07-059]`, async () => {
      const { inputs: olds } = await provider.check({}, { ...inputs, driver: here });
      beginRun();
      const { inputs: news } = await provider.check(olds, { ...inputs, driver: elsewhere });
      assert.deepEqual(news["driver"], here);
      const { changes, replaces } = await provider.diff({ ...olds, ...made }, news);
      assert.deepEqual([changes, replaces], [false, []]);
    });

    it(`keeps the keys of the driver that the ${what} stays at secret in the state`, async () => {
      const keys = {
        environment: { AWS_SECRET_ACCESS_KEY: "hush" },
        tls: { key: "PEM", serverName: "here" },
      };
      const driver = {
        ...here,
        ...keys,
        endpoint: undefined,
        command: ["driver", "hush"],
        secretCommand: true,
      };
      const { inputs: olds } = await provider.check({}, { ...inputs, driver });
      beginRun();
      const host = what === "bucket" ? bucketProvider : accessProvider;
      const checked: unknown = await host.check(olds as never, { ...inputs, driver: elsewhere } as never);
      const { driver: kept } = (checked as { inputs: { driver: Properties } }).inputs;
      assert.deepEqual(kept["environment"], secretOutput(keys.environment));
      assert.deepEqual(kept["command"], secretOutput(driver.command));
      assert.deepEqual(kept["tls"], { key: secretOutput("PEM"), serverName: "here" });
    });

    it(`follows the driver of the ${what} where that is moved, and misleads no other`, async () => {
      const { inputs: olds } = await provider.check({}, { ...inputs, driver: here });
      beginRun();
      const drivers = new Lifecycle(driverProvider);
      const moved = { ...here, endpoint: "unix:///moved.sock", callTimeoutSeconds: 7 };
      const ofDriver = { ...moved, logicalName: "here" };
      const state = { ...ofDriver, demandedDriverName: moved.driverName, schemaVersion: 1 };
      const unmoved = await drivers.diff(state, ofDriver);
      assert.equal(unmoved.changes, false);
      const { inputs: news } = await provider.check(olds, { ...inputs, driver: elsewhere });
      assert.deepEqual(news["driver"], moved);
      const { changes, replaces } = await provider.diff({ ...olds, ...made }, news);
      assert.deepEqual([changes, replaces], [true, []]);
      assert.equal(driversOfRun.current(here).endpoint, moved.endpoint);
    });

    it(`takes the ${what} of another class along`, async () => {
      const { inputs: olds } = await provider.check({}, { ...inputs, driver: here });
      beginRun();
      const name = what === "bucket" ? "bucketClassName" : "bucketAccessClassName";
      const other = { ...inputs, [name]: "silver", driver: elsewhere };
      const { inputs: news } = await provider.check(olds, other);
      assert.equal((news["driver"] as Properties)["endpoint"], elsewhere.endpoint);
    });
  }

  it("says nothing of a class of the living API, whose driver the bucket follows", async () => {
    const inputs = { ...bucket.inputs, objects: { ...common, model: "objectstorage.k8s.io/v1alpha1" } };
    const { inputs: olds } = await bucket.provider.check(
      {},
      { ...inputs, driver: driverReference("unix:///a.sock") },
    );
    beginRun();
    const driver = driverReference("unix:///b.sock", {
      driverName: "other.example.com",
      seed: "ff".repeat(16),
    });
    const { inputs: news } = await bucket.provider.check(olds, { ...inputs, driver });
    assert.equal((news["driver"] as Properties)["endpoint"], "unix:///b.sock");
  });
});

describe("what only the contract of 2020-07-08 has a field for", () => {
  beforeEach(beginRun);

  const failuresOf = async (
    { provider, inputs }: typeof bucket | typeof access,
    changes: Properties,
  ): Promise<string[]> => {
    const bare = { ...inputs, objects: undefined, driver: here };
    return (await provider.check({}, { ...bare, ...changes })).failures;
  };
  const old = driverReference("unix:///old.sock");

  it("is refused in the preview for another contract", async () => {
    const text = /^(\w+) is given, and the contract cosi\.v1alpha1 has no field for it: leave it out$/;
    const cases = [
      [bucket, { anonymousAccess: "ro" }],
      [access, { policyActions: { allow: ["read"] } }],
      [access, { serviceAccount: { namespace: "shop", name: "web" } }],
    ] as const;
    for (const [resource, given] of cases) {
      const [failure = "", ...others] = await failuresOf(resource, { ...given, driver: old });
      assert.equal(text.exec(failure)?.[1], Object.keys(given)[0]);
      assert.deepEqual(others, []);
      assert.deepEqual(await failuresOf(resource, given), []);
    }
  });

  it("is judged by its value, too", async () => {
    assert.match(
      (await failuresOf(bucket, { anonymousAccess: "all" })).join(),
      /^anonymousAccess is "all", and the modes are: private, ro, wo, rw$/,
    );
    assert.match(
      (await failuresOf(access, { policyActions: { allow: ["a,b"] } })).join(),
      /^policyActions cannot be sent: the policy action "a,b" has a comma/,
    );
  });

  it("replaces an access where it changes", async () => {
    const { inputs: olds } = await access.provider.check({}, { ...access.inputs, driver: here });
    for (const change of [
      { policyActions: { deny: ["write"] }, bucketAccessClassName: "others" },
      { serviceAccount: { namespace: "shop", name: "web" } },
    ]) {
      beginRun();
      const { inputs: news } = await access.provider.check(olds, {
        ...access.inputs,
        driver: here,
        ...change,
      });
      const { replaces } = await access.provider.diff({ ...olds, ...access.made }, news);
      assert.deepEqual(replaces, [Object.keys(change)[0]]);
    }
  });
});
