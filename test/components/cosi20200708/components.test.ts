import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "@pulumi/pulumi/output";
import * as cosi20200708 from "../../../components/cosi20200708";
import { fieldManagerOf } from "../../support/components/field-manager";
import {
  custom,
  dynamic,
  greenfield,
  makeDriver,
  provisioner,
  revealed,
  run,
  uids,
  waitsFor,
  type Program,
  type Run,
} from "./mocks";

const credentials = { accessKeyID: "AKIA", accessSecretKey: "s3cr3t", region: "driver-1" };

function specOf(made: Run, kind: string): unknown {
  return custom(made, kind).inputs["spec"];
}

/** The fields of an object that is a class. */
function topLevel({ inputs }: { inputs: Record<string, unknown> }): Record<string, unknown> {
  const common = ["metadata", "apiVersion", "kind"];
  return Object.fromEntries(Object.entries(inputs).filter(([field]) => !common.includes(field)));
}

/** Types of a component's children, in short. */
function childrenOf({ placed }: Run, component: string): string[] {
  return placed
    .filter(({ parent }) => parent === component)
    .map(({ type }) => type.slice(type.lastIndexOf(":") + 1))
    .sort();
}

describe("the components of the proposal of 2020-07-08", function () {
  this.timeout(60_000);

  it("write classes with their fields at the top and each default in full", async () => {
    const made = await greenfield();
    assert.deepEqual(topLevel(custom(made, "BucketClass")), {
      provisioner,
      protocol: "s3",
      isDefaultBucketClass: false,
      anonymousAccessMode: "private",
      releasePolicy: "Retain",
    });
    assert.deepEqual(topLevel(custom(made, "BucketAccessClass")), { provisioner, protocol: "s3" });
    assert.equal(custom(made, "BucketClass").inputs["apiVersion"], "cosi.io/v1alpha1");
  });

  it("write what a class is given as the proposal stores it", async () => {
    const made = await greenfield({
      bucketClass: {
        protocol: "S3",
        anonymousAccessMode: "publicRead",
        additionalPermittedNamespaces: [{ name: "team-b" }, { name: "team-c", uid: "u" }],
        releasePolicy: "Delete",
        parameters: { tier: "hot" },
      },
      accessClass: { policyActions: { allow: ["*"], deny: [] }, parameters: { quota: "1" } },
    });
    assert.deepEqual(topLevel(custom(made, "BucketClass")), {
      provisioner,
      protocol: "s3",
      isDefaultBucketClass: false,
      anonymousAccessMode: "ro",
      additionalPermittedNamespaces: [{ name: "team-b" }, { name: "team-c", uid: "u" }],
      releasePolicy: "Delete",
      parameters: { tier: "hot" },
    });
    assert.deepEqual(topLevel(custom(made, "BucketAccessClass")), {
      provisioner,
      protocol: "s3",
      policyActions: { allow: ["*"] },
      parameters: { quota: "1" },
    });
  });

  it("hang what a request and an access are made of below them", async () => {
    const made = await greenfield();
    assert.deepEqual(childrenOf(made, "cosi:cosi20200708:BucketRequest::photos"), [
      "Bucket",
      "BucketRequest",
      "NameGuard",
      "RequestBinding",
    ]);
    assert.deepEqual(childrenOf(made, "cosi:cosi20200708:BucketAccessRequest::web"), [
      "AccessRequestBinding",
      "BucketAccess",
      "BucketAccessRequest",
      "BucketBinding",
      "NameGuard",
      "Secret",
      "Secret",
    ]);
  });

  it("write requests as the program has them, and fill in the Bucket of an access", async () => {
    const made = await greenfield({ request: { bucketPrefix: "photos-", secretName: "keys" } });
    assert.deepEqual(specOf(made, "BucketRequest"), {
      protocol: "s3",
      bucketPrefix: "photos-",
      bucketClassName: "gold",
      secretName: "keys",
    });
    assert.deepEqual(specOf(made, "BucketAccessRequest"), {
      accessSecretName: "photos-creds",
      bucketInstance: "bucket-photos-shop",
      bucketAccessClassName: "writers",
    });
  });

  it("apply a BucketAccessRequest alone by a manager that stays, as its fields exclude each other", async () => {
    const made = await greenfield();
    assert.equal(fieldManagerOf(custom(made, "BucketAccessRequest")), "pulumi-cosi-program");
    assert.equal(fieldManagerOf(custom(made, "BucketRequest")), undefined);
  });

  it("ask the driver for the prefix and the request's UID, with what the class says", async () => {
    const made = await greenfield({
      bucketClass: { releasePolicy: "Delete", anonymousAccessMode: "wo", parameters: { tier: "hot" } },
      request: { bucketPrefix: "photos-", protectData: false, deleteTimeoutSeconds: 20, secretName: "keys" },
    });
    const { name, protocol, parameters, deletionPolicy, anonymousAccess, ...rest } = dynamic(
      made,
      "Bucket",
    ).inputs;
    assert.deepEqual(
      { name, protocol, parameters, deletionPolicy, anonymousAccess },
      {
        name: `photos-${uids.request}`,
        protocol: "S3",
        parameters: { tier: "hot" },
        deletionPolicy: "Delete",
        anonymousAccess: "wo",
      },
    );
    assert.deepEqual([rest["protectData"], rest["deleteTimeoutSeconds"]], [false, 20]);
    const { bucket, claim, secretName } = rest["objects"] as Record<string, unknown>;
    assert.deepEqual(bucket, { name: "bucket-photos-shop", uid: "" });
    assert.deepEqual(claim, { namespace: "shop", name: "photos", uid: uids.request });
    assert.equal(secretName, "keys");
  });

  it("grant what the class allows to an account called as the BucketAccess", async () => {
    const made = await greenfield({
      accessClass: { policyActions: { allow: ["read"], deny: ["delete"] }, parameters: { quota: "1" } },
    });
    const inputs = dynamic(made, "BucketAccess").inputs;
    assert.equal(inputs["name"], "bucketaccess-web-shop");
    assert.equal(inputs["authenticationType"], "Key");
    assert.deepEqual(inputs["policyActions"], { allow: ["read"], deny: ["delete"] });
    assert.deepEqual(inputs["parameters"], { quota: "1" });
    assert.equal("serviceAccount" in inputs, false);
    const { account, access, secretName } = inputs["objects"] as Record<string, unknown>;
    assert.deepEqual(account, { name: "bucketaccess-web-shop", uid: uids.access });
    assert.deepEqual(access, { namespace: "shop", name: "web", uid: uids.accessRequest });
    assert.equal(secretName, "photos-creds");
  });

  it("write two Secrets alike, one for the provisioner and one for the workload, each with its owner", async () => {
    const made = await greenfield({ access: { secretLabels: { app: "shop" } } });
    const source = dynamic(made, "Secret", "web-source").inputs;
    const copy = dynamic(made, "Secret", "web").inputs;
    assert.deepEqual(
      [source["namespace"], source["name"], source["owner"]],
      [
        "stores",
        "bucketaccess-web-shop",
        {
          apiVersion: "cosi.io/v1alpha1",
          kind: "BucketAccess",
          name: "bucketaccess-web-shop",
          uid: uids.access,
        },
      ],
    );
    assert.deepEqual(
      [copy["namespace"], copy["name"], copy["owner"]],
      [
        "shop",
        "photos-creds",
        {
          apiVersion: "cosi.io/v1alpha1",
          kind: "BucketAccessRequest",
          name: "web",
          uid: uids.accessRequest,
        },
      ],
    );
    assert.deepEqual(revealed(source["data"]), credentials);
    assert.deepEqual(revealed(copy["data"]), credentials);
    assert.deepEqual([source["moves"], copy["moves"], copy["labels"]], [undefined, true, { app: "shop" }]);
  });

  it("add to the workload's Secret, where they are asked to, how the bucket is reached, and overwrite no key", async () => {
    const made = await greenfield({
      access: { connectionKeys: true },
    });
    assert.deepEqual(revealed(dynamic(made, "Secret", "web").inputs["data"]), {
      ...credentials,
      protocol: "s3",
      bucketName: "backend-id",
      endpoint: "https://s3.example.com",
    });
    assert.deepEqual(revealed(dynamic(made, "Secret", "web-source").inputs["data"]), credentials);
  });

  it("make no Secret for a ServiceAccount", async () => {
    let names: unknown;
    const made = await greenfield({
      access: { accessSecretName: undefined as never, serviceAccountName: "web" },
      more: ({ access }) => {
        pulumi.all([access.secretName, access.serviceAccountName]).apply((known) => {
          names = known;
        });
      },
    });
    assert.equal(made.registered.filter(({ type }) => type.endsWith(":Secret")).length, 0);
    const { authenticationType, serviceAccount, objects } = dynamic(made, "BucketAccess").inputs;
    assert.equal(authenticationType, "IAM");
    assert.deepEqual(serviceAccount, { namespace: "shop", name: "web" });
    const { secretName, serviceAccountName } = objects as Record<string, unknown>;
    assert.deepEqual([secretName, serviceAccountName], ["", "web"]);
    assert.deepEqual(names, ["", "web"]);
    assert.deepEqual(specOf(made, "BucketAccessRequest"), {
      serviceAccountName: "web",
      bucketInstance: "bucket-photos-shop",
      bucketAccessClassName: "writers",
    });
  });

  it("make no bucket where a request names a Bucket, and grant for that one's", async () => {
    const made = await run(() => {
      const driver = makeDriver();
      const archive = new cosi20200708.Bucket("archive", {
        driver,
        protocol: { s3: { bucketName: "archive-2019" } },
        permittedNamespaces: [{ name: "shop" }],
      });
      const readers = new cosi20200708.BucketAccessClass("readers", { driver, protocol: "s3" });
      const request = new cosi20200708.BucketRequest("archive", {
        namespace: "shop",
        protocol: "s3",
        bucketInstanceName: archive.bucketName,
      });
      new cosi20200708.BucketAccessRequest("web", {
        namespace: "shop",
        bucketRequest: request,
        bucketAccessClass: readers,
        accessSecretName: "archive-creds",
      });
    });
    assert.equal(made.registered.filter(({ type }) => type.endsWith("dynamic/cosi:Bucket")).length, 0);
    assert.deepEqual(specOf(made, "BucketRequest"), { protocol: "s3", bucketInstanceName: "archive" });
    assert.equal(dynamic(made, "RequestBinding").inputs["bucketInstanceName"], "archive");
    const { bucketName, bucketId } = dynamic(made, "BucketAccess").inputs;
    assert.deepEqual([bucketName, bucketId], ["archive", "backend-id"]);
    assert.ok(waitsFor(made, "BucketRequest", "archive").includes("AdminBucket::archive"));
    assert.ok(waitsFor(made, "BucketAccessRequest", "web").includes("RequestBinding::archive"));
  });

  it("write an admin's Bucket of one protocol, which keeps what it stands for", async () => {
    const made = await run(() => {
      new cosi20200708.Bucket("legacy", {
        name: "legacy-archive",
        provisioner,
        protocol: { protocolSignature: "azureblob", azureBlob: { containerName: "c", storageAccount: "" } },
        permittedNamespaces: [],
        anonymousAccessMode: "publicReadWrite",
        parameters: { tier: "cold" },
      });
    });
    const { name, releasePolicy, anonymousAccessMode, permittedNamespaces, ...rest } = dynamic(
      made,
      "AdminBucket",
    ).inputs;
    assert.deepEqual(
      { name, releasePolicy, anonymousAccessMode, permittedNamespaces },
      {
        name: "legacy-archive",
        releasePolicy: "Retain",
        anonymousAccessMode: "rw",
        permittedNamespaces: [],
      },
    );
    const { protocol, protocolFields, parameters, provisioner: written } = rest;
    assert.deepEqual([protocol, protocolFields], ["azureBlob", { containerName: "c" }]);
    assert.deepEqual([parameters, written], [{ tier: "cold" }, provisioner]);
  });

  it("look up classes that a program names, by the driver that it gives", async () => {
    const nothing = undefined as never;
    const named: Program = {
      request: { bucketClass: nothing, bucketClassName: "silver" },
      access: { bucketAccessClass: nothing, bucketAccessClassName: "readers" },
    };
    const made = await greenfield(named);
    const binding = dynamic(made, "RequestBinding").inputs;
    assert.deepEqual(
      [binding["bucketClass"], binding["bucketClassName"], binding["provisioner"]],
      [undefined, "silver", provisioner],
    );
    const bucket = dynamic(made, "Bucket").inputs;
    assert.deepEqual([bucket["parameters"], bucket["anonymousAccess"]], [{ tier: "cold" }, "ro"]);
    const access = dynamic(made, "AccessRequestBinding").inputs;
    assert.deepEqual(
      [access["accessClass"], access["accessClassName"], access["provisioner"]],
      [undefined, "readers", provisioner],
    );
    assert.deepEqual(dynamic(made, "BucketAccess").inputs["policyActions"], { allow: ["read"] });

    const preview = await greenfield(named, { preview: true });
    assert.ok(isUnknown(dynamic(preview, "Bucket").inputs["parameters"]));
    assert.ok(isUnknown(dynamic(preview, "BucketAccess").inputs["parameters"]));
    assert.equal(dynamic(preview, "Secret", "web-source").inputs["namespace"], "stores");
  });

  it("ask by the Bucket's name alone for access to what another stack's request is for", async () => {
    const made = await run(() => {
      const driver = makeDriver();
      const readers = new cosi20200708.BucketAccessClass("readers", { driver, protocol: "s3" });
      new cosi20200708.BucketAccessRequest("web", {
        namespace: "shop",
        bucketInstance: "bucket-archive-team-a",
        bucketAccessClass: readers,
        accessSecretName: "archive-creds",
      });
    });
    const { bucketInstance, bucketResource, bucketRequest } = dynamic(made, "AccessRequestBinding").inputs;
    assert.deepEqual(
      [bucketInstance, bucketResource, bucketRequest],
      ["bucket-archive-team-a", "bucket-archive-team-a", undefined],
    );
    assert.deepEqual(dynamic(made, "BucketBinding").inputs["bucketRequest"], {
      namespace: "shop",
      name: "archive",
    });
  });

  describe("with a default class", () => {
    const withDefault = (args: Partial<cosi20200708.BucketClassArgs>, preview = false) =>
      run(
        () => {
          const driver = makeDriver();
          new cosi20200708.BucketClass("gold", { driver, protocol: "s3", ...args });
          new cosi20200708.BucketClass("azure", {
            driver,
            protocol: "azureBlob",
            isDefaultBucketClass: true,
          });
          new cosi20200708.BucketRequest("photos", { namespace: "shop", protocol: "s3" });
        },
        { preview },
      );

    it("use the one of the program by reference, and leave the request's field blank", async () => {
      const made = await withDefault({ isDefaultBucketClass: true, parameters: { tier: "hot" } }, true);
      assert.deepEqual(specOf(made, "BucketRequest"), { protocol: "s3" });
      assert.ok(waitsFor(made, "BucketRequest", "photos").includes("BucketClass::gold"));
      assert.ok(waitsFor(made, "BucketClass", "gold").includes("DefaultClassGuard::gold"));
      const { bucketClass, byDefault } = dynamic(made, "RequestBinding").inputs as {
        bucketClass: { name: string };
        byDefault: boolean;
      };
      assert.deepEqual([bucketClass.name, byDefault], ["gold", true]);
      const { parameters, bucketClassName } = dynamic(made, "Bucket").inputs;
      assert.deepEqual([parameters, bucketClassName], [{ tier: "hot" }, "gold"]);
    });

    it("leave it to `up` where the program has none, and wait for what may turn out to be one", async () => {
      const without = await withDefault({});
      const { bucketClass, bucketClassName, byDefault } = dynamic(without, "RequestBinding").inputs;
      assert.deepEqual([bucketClass, bucketClassName, byDefault], [undefined, undefined, true]);
      assert.equal(dynamic(without, "RequestBinding").inputs["provisioner"], provisioner);
      assert.equal(waitsFor(without, "BucketRequest", "photos").includes("BucketClass::gold"), false);
      const later = await withDefault({ isDefaultBucketClass: pulumi.output(true) });
      assert.equal(dynamic(later, "RequestBinding").inputs["bucketClass"], undefined);
      assert.ok(waitsFor(later, "BucketRequest", "photos").includes("BucketClass::gold"));
    });

    it("guard only what may be one", async () => {
      const guarded = ({ registered }: Run) =>
        registered.filter(({ type }) => type.endsWith(":DefaultClassGuard")).map(({ name }) => name);
      assert.deepEqual(guarded(await withDefault({ isDefaultBucketClass: false })), ["azure"]);
      assert.deepEqual(guarded(await withDefault({ isDefaultBucketClass: pulumi.output(false) })), [
        "gold",
        "azure",
      ]);
    });
  });

  describe("in their order", () => {
    it("make bucket, account, Secrets and binding one after the other", async () => {
      const made = await greenfield();
      for (const [type, name, before] of [
        ["RequestBinding", "photos", "BucketRequest::photos"],
        ["Bucket", "photos", "RequestBinding::photos"],
        ["BucketAccessRequest", "web", "Bucket::photos"],
        ["AccessRequestBinding", "web", "BucketAccessRequest::web"],
        ["BucketAccess", "web", "AccessRequestBinding::web"],
        ["Secret", "web-source", "BucketAccess::web"],
        ["Secret", "web", "BucketAccess::web"],
        ["BucketBinding", "web", "Secret::web"],
        ["BucketBinding", "web", "Secret::web-source"],
      ] as const) {
        assert.ok(waitsFor(made, type, name).includes(before), `${type} ${name} after ${before}`);
      }
    });

    it("let a workload that takes the Secret's name wait until access is bound", async () => {
      const made = await greenfield({
        more: ({ access }) => {
          new k8s.core.v1.ConfigMap("workload", { data: { secret: access.secretName } });
        },
      });
      const after = waitsFor(made, "ConfigMap", "workload");
      assert.ok(after.includes("BucketBinding::web") && after.includes("Secret::web"));
    });

    it("let the provisioner's Secret of the program wait for no call, and every call for it", async () => {
      const made = await run(() => {
        const driver = makeDriver();
        const keys = new k8s.core.v1.Secret("keys", { metadata: { name: "keys", namespace: "stores" } });
        const user = new k8s.core.v1.Secret("user", { metadata: { name: "user", namespace: "shop" } });
        const common = { driver, protocol: "s3", provisionerSecret: keys.metadata };
        const gold = new cosi20200708.BucketClass("gold", common);
        const writers = new cosi20200708.BucketAccessClass("writers", common);
        const photos = new cosi20200708.BucketRequest("photos", {
          namespace: "shop",
          protocol: "s3",
          bucketClass: gold,
          secretName: user.metadata.name,
        });
        new cosi20200708.BucketAccessRequest("web", {
          namespace: "shop",
          bucketRequest: photos,
          bucketAccessClass: writers,
          accessSecretName: "photos-creds",
        });
      });
      const named = {
        "cosi.io/provisioner-secret-name": "keys",
        "cosi.io/provisioner-secret-namespace": "stores",
      };
      assert.deepEqual(custom(made, "BucketClass").inputs["parameters"], named);
      assert.deepEqual(dynamic(made, "Bucket").inputs["parameters"], named);
      assert.deepEqual(dynamic(made, "BucketAccess").inputs["parameters"], named);
      assert.ok(waitsFor(made, "RequestBinding", "photos").includes("Secret::keys"));
      assert.ok(waitsFor(made, "AccessRequestBinding", "web").includes("Secret::keys"));
      assert.ok(waitsFor(made, "Bucket", "photos").includes("Secret::user"));
    });
  });

  it("take another group, and share what is set up", async () => {
    const made = await run(() => {
      cosi20200708.install({ group: "july.cosi.io" });
      const driver = makeDriver();
      new cosi20200708.BucketClass("gold", { driver, protocol: "s3" });
      new cosi20200708.BucketClass("azure", { driver, protocol: "azureBlob" });
    });
    const classes = made.registered.filter(({ type }) =>
      type.startsWith("kubernetes:july.cosi.io/v1alpha1:"),
    );
    assert.equal(classes.length, 2);
    assert.equal(dynamic(made, "CustomResourceDefinitions").inputs["model"], "cosi-2020-07:july.cosi.io");
  });
});
