import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as deployment from "../../../components/deployment";
import * as objectstorage from "../../../components/objectstorage";
import { Driver } from "../../../provider/driver-resource/driver";
import { custom, dynamic, postgres, program, runs, type Changes } from "./mocks";

/** What a program without types may give. */
const untyped = (value: unknown) => value as never;
const nothing = untyped(undefined);
const laterNothing = untyped(pulumi.output(undefined));

describe("the arguments of the components of platform.plural.sh/v1alpha1", function () {
  this.timeout(60_000);

  const refused: [string, Changes, RegExp][] = [
    [
      "a policy in another spelling",
      { deploymentClass: { deletionPolicy: "delete" } },
      /DeploymentClass small: deletionPolicy is "delete": give "Retain", "Delete"/,
    ],
    [
      "a request's policy in another spelling",
      { request: { deletionPolicy: "retain" } },
      /DeploymentRequest orders: deletionPolicy is "retain": give "Retain", "Delete"/,
    ],
    [
      "a driver's name that is too long",
      { deploymentClass: { driverName: "a".repeat(64) } },
      /driverName is "a{64}": give 1 to 63/,
    ],
    [
      "the name of another driver",
      { deploymentClass: { driverName: "other.example.com" } },
      /driverName is "other\.example\.com", and the driver calls itself "cosi\.example\.com"/,
    ],
    [
      "another authentication [DEP-005]",
      { accessClass: { authenticationType: "login" } },
      /DeploymentAccessClass login: authenticationType is "login": give "Key", "IAM"/,
    ],
    [
      "a class without driver",
      { deploymentClass: { driver: nothing } },
      /DeploymentClass small: driver is missing/,
    ],
    [
      "an access class without driver",
      { accessClass: { driver: nothing } },
      /DeploymentAccessClass login: driver is missing/,
    ],
    [
      "an access class without authentication",
      { accessClass: { authenticationType: nothing } },
      /DeploymentAccessClass login: authenticationType is missing/,
    ],
    [
      "a request of neither class nor Deployment",
      { request: { deploymentClass: nothing } },
      /DeploymentRequest orders: deploymentClass and existingDeployment are both missing/,
    ],
    [
      "a request without namespace",
      { request: { namespace: nothing } },
      /DeploymentRequest orders: namespace is missing/,
    ],
    [
      "a request whose namespace turns out to be nothing",
      { request: { namespace: laterNothing } },
      /DeploymentRequest orders: namespace is missing/,
    ],
    [
      "an access in another namespace than its request",
      { access: { namespace: "other" } },
      /DeploymentAccess orders-rw: namespace is "other", and the request is in "shop"/,
    ],
    ...(["namespace", "deploymentRequest", "deploymentAccessClass", "credentialsSecretName"] as const).map(
      (argument): [string, Changes, RegExp] => [
        `an access without ${argument}`,
        { access: { [argument]: nothing } },
        new RegExp(`DeploymentAccess orders-rw: ${argument} is missing`),
      ],
    ),
    [
      "an access whose Secret's name turns out to be nothing",
      { access: { credentialsSecretName: laterNothing } },
      /DeploymentAccess orders-rw: credentialsSecretName is missing/,
    ],
  ];
  for (const [what, changes, message] of refused) {
    it(`refuse ${what}, in a preview and at up`, async () => {
      for (const preview of [true, false]) await assert.rejects(program(changes, { preview }), message);
    });
  }

  it("refuse a class and an existing Deployment together", async () => {
    const source = () => {
      const deploymentClass = new deployment.DeploymentClass("small", { driver: postgres() });
      const existingDeployment = new deployment.Deployment("ledger", {
        deploymentClass,
        existingDeploymentId: "ledger",
      });
      new deployment.DeploymentRequest("books", { namespace: "shop", deploymentClass, existingDeployment });
    };
    await assert.rejects(
      runs(source),
      /deploymentClass and existingDeployment are both given: leave one of them out/,
    );
  });

  it("take a driver of the sister package", async () => {
    await runs(() => {
      const driver = new Driver("db", { contract: "database.v1alpha1", endpoint: "unix:///run/db/db.sock" });
      new deployment.DeploymentClass("small", { driver });
    });
  });

  it("refuse a driver that makes buckets, and those of buckets one that makes deployments", async () => {
    const buckets = () => new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
    const makesBuckets =
      /Class of-buckets: driver has the contract cosi\.v1alpha1, where a driver makes buckets: use cosi\.Bucket/;
    const wrong: [() => void, RegExp][] = [
      [() => new deployment.DeploymentClass("of-buckets", { driver: buckets() }), makesBuckets],
      [
        () =>
          new deployment.DeploymentAccessClass("of-buckets", {
            driver: buckets(),
            authenticationType: "Key",
          }),
        makesBuckets,
      ],
      [
        () => new objectstorage.BucketClass("gold", { driver: postgres() }),
        /BucketClass gold: driver has the contract deployment\.v1alpha1, .* makes deployments: use cosi\.Deployment/,
      ],
    ];
    for (const [source, message] of wrong) await assert.rejects(runs(source), message);
  });

  it("refuse a class of another driver than the deployment's", async () => {
    const source = () => {
      const driver = postgres();
      const small = new deployment.DeploymentClass("small", { driver });
      const orders = new deployment.DeploymentRequest("orders", {
        namespace: "shop",
        deploymentClass: small,
      });
      const other = new deployment.DeploymentAccessClass("other", { driver, authenticationType: "Key" });
      // As it is where the driver of a class is another one.
      Object.assign(other, { driverName: pulumi.output("other.example.com") });
      new deployment.DeploymentAccess("orders-rw", {
        namespace: "shop",
        deploymentRequest: orders,
        deploymentAccessClass: other,
        credentialsSecretName: "orders-login",
      });
    };
    await assert.rejects(
      runs(source),
      /the deploymentAccessClass is for the driver "other\.example\.com", and the deployment belongs to "cosi\.example\.com": give a class of the deployment's driver/,
    );
  });

  it("refuse a group that is no domain, and a second installation", async () => {
    await assert.rejects(
      program({ install: { group: "Plural" } }),
      /deployment\.install: group is "Plural": give a domain such as "deployment\.example\.com"/,
    );
    const twice = runs(() => {
      deployment.install({ removeCrds: true });
      deployment.install();
    });
    await assert.rejects(twice, /deployment\.install was called after the same cluster had been set up/);
  });

  it("accept KEY, and say so where the name is looked up [DEP-005]", async () => {
    const registered = await program({ accessClass: { authenticationType: "KEY" } });
    assert.equal(custom(registered, "DeploymentAccessClass").inputs["authenticationType"], "Key");
    assert.equal(dynamic(registered, "DeploymentAccess").inputs["authenticationType"], "Key");
    const warnings = registered.flatMap(({ inputs }) => (inputs["warnings"] ?? []) as string[]);
    assert.deepEqual(warnings, ['authenticationType "KEY" is written as "Key"']);
  });
});
