import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "@pulumi/pulumi/output";
import * as cosi20200227 from "../../../components/cosi20200227";
import { fieldManagerOf } from "../../support/components/field-manager";
import {
  brownfield,
  credentials,
  custom,
  dynamic,
  makeDriver,
  nothing,
  program,
  provisioner,
  revealed,
  run,
  staticClass,
  uid,
  untyped,
  waitsFor,
  type Program,
  type Run,
} from "./mocks";

/** The fields of an object, without what every object has. */
function fieldsOf(made: Run, kind: string): Record<string, unknown> {
  const common = ["metadata", "apiVersion", "kind"];
  return Object.fromEntries(
    Object.entries(custom(made, kind).inputs).filter(([field]) => !common.includes(field)),
  );
}

/** Types of a component's children, in short. */
function childrenOf({ placed }: Run, component: string): string[] {
  return placed
    .filter(({ parent }) => parent === component)
    .map(({ type }) => type.slice(type.lastIndexOf(":") + 1))
    .sort();
}

const photos = "cosi:cosi20200227:Bucket::photos";
const managed = ["Bucket", "Bucket", "BucketBinding", "ContentBinding", "NameGuard", "SourceSecret"];
const withoutDriver = ["Bucket", "BucketBinding", "ContentBinding", "NameGuard"];

/** A Bucket of a class that the program names. */
const ofNamed = (bucketClassName: string, driver?: "given", preview = false) =>
  run(
    () => {
      const given = driver === undefined ? {} : { driver: makeDriver() };
      new cosi20200227.Bucket("photos", {
        namespace: "shop",
        requestProtocol: "s3",
        bucketClassName,
        bucketPrefix: "p-",
        ...given,
      });
    },
    { preview },
  );

describe("the components of the proposal of 2020-02-27", function () {
  this.timeout(60_000);

  it("write a class with its fields at the top and each default in full [K02-013] [K02-052] [K02-053] [K02-113]", async () => {
    const made = await program();
    assert.equal(custom(made, "BucketClass").inputs["apiVersion"], "cosi.io/v1alpha1");
    assert.deepEqual(fieldsOf(made, "BucketClass"), {
      provisioner,
      supportedProtocols: ["s3"],
      accessMode: "rw",
      releasePolicy: "Retain",
    });
    const empty = await program({ bucketClass: { accessMode: "", bucketIdentifier: {} } });
    assert.deepEqual(fieldsOf(empty, "BucketClass"), fieldsOf(made, "BucketClass"));
  });

  it("write what a class is given as it is given [K02-051] [K02-055] [K02-058]", async () => {
    const given = {
      supportedProtocols: ["swift", "S3"],
      accessMode: "wo",
      bucketIdentifier: { bucketName: "archive", region: "eu-1", pool: "a" },
      parameters: { tier: "hot" },
    };
    const made = await program({ bucketClass: given });
    assert.deepEqual(fieldsOf(made, "BucketClass"), { provisioner, releasePolicy: "Retain", ...given });
    const deleting = await program({ bucketClass: { releasePolicy: "Delete" } });
    assert.equal(fieldsOf(deleting, "BucketClass")["releasePolicy"], "Delete");
  });

  it("apply a BucketClass alone by a manager that stays, as its fields exclude each other", async () => {
    const made = await program();
    assert.equal(fieldManagerOf(custom(made, "BucketClass")), "pulumi-cosi-program");
    assert.equal(fieldManagerOf(custom(made, "Bucket")), undefined);
  });

  it("write a static class that has no provisioner, with the Secret of its metadata [K02-050] [K02-057]", async () => {
    let found: unknown;
    const made = await run(() => {
      const keys = new k8s.core.v1.Secret("keys", { metadata: { name: "keys", namespace: "vault" } });
      const shared = new cosi20200227.BucketClass("shared", {
        supportedProtocols: ["s3"],
        ...brownfield,
        secretRef: keys.metadata,
      });
      shared.provisioner.apply((name) => {
        found = [name, shared.bucketCase];
      });
      new cosi20200227.Bucket("photos", { namespace: "shop", requestProtocol: "s3", bucketClass: shared });
    });
    assert.deepEqual(fieldsOf(made, "BucketClass"), {
      supportedProtocols: ["s3"],
      accessMode: "rw",
      releasePolicy: "Retain",
      ...staticClass,
    });
    assert.deepEqual(found, [null, "static"]);
    assert.ok(waitsFor(made, "ContentBinding", "photos").includes("Secret::keys"));
  });

  it("tell a class's case from the two fields, whatever is known of their values [K02-060] [K02-061] [K02-062]", async () => {
    const cases: [string, Partial<cosi20200227.BucketClassArgs>, string[]][] = [
      ["greenfield", {}, managed],
      ["greenfield", { bucketIdentifier: {} }, managed],
      ["brownfield", { bucketIdentifier: { bucketName: pulumi.output("archive") } }, managed],
      ["static", staticClass, withoutDriver],
      ["static", { ...staticClass, driver: nothing, provisioner: "unknown" }, withoutDriver],
    ];
    for (const [expected, bucketClass, children] of cases) {
      let found: unknown;
      const made = await program({
        bucketClass,
        more: (all) => {
          found = all.bucketClass.bucketCase;
        },
      });
      assert.equal(found, expected);
      assert.deepEqual(childrenOf(made, photos), children);
      assert.equal(dynamic(made, "ContentBinding").inputs["isManaged"], expected !== "static");
    }
  });

  it("write a Bucket as the program has it, with the name of its Secret in full [K02-021] [K02-022] [K02-025] [K02-113]", async () => {
    const plain = await program({ bucket: { requestProtocol: "S3" } });
    assert.deepEqual(fieldsOf(plain, "Bucket"), {
      spec: { requestProtocol: "s3", bucketClassName: "gold", secretName: "photos" },
    });
    const { metadata } = custom(plain, "Bucket").inputs as { metadata: { name: string; namespace: string } };
    assert.deepEqual([metadata.namespace, metadata.name], ["shop", "photos"]);
    const full = await program({
      bucketClass: { name: "gold-class", supportedProtocols: ["AZUREBLOB"] },
      bucket: {
        name: "album",
        requestProtocol: "azureblob",
        bucketPrefix: "YosemitePhotos-",
        secretName: "photos-creds",
      },
    });
    assert.deepEqual(fieldsOf(full, "Bucket"), {
      spec: {
        requestProtocol: "azureBlob",
        bucketPrefix: "YosemitePhotos-",
        bucketClassName: "gold-class",
        secretName: "photos-creds",
      },
    });
    const renamed = await program({ bucket: { name: "album", secretName: "", bucketPrefix: "" } });
    assert.deepEqual(fieldsOf(renamed, "Bucket"), {
      spec: { requestProtocol: "s3", bucketClassName: "gold", secretName: "album" },
    });
  });

  it("keep a user's labels and annotations on class and Bucket", async () => {
    const own = { labels: { team: "a" }, annotations: { note: "b" } };
    const made = await program({ bucketClass: own, bucket: own });
    for (const kind of ["BucketClass", "Bucket"]) {
      const { labels, annotations } = custom(made, kind).inputs["metadata"] as Record<string, object>;
      assert.deepEqual(labels, own.labels);
      assert.deepEqual(annotations, {
        ...annotations,
        note: "b",
        "pulumi-cosi/owner": "organization/shop/test",
        "pulumi.com/deletionPropagationPolicy": "background",
      });
    }
  });

  it("settle a Bucket by all that its class says", async () => {
    const made = await program({
      bucketClass: { ...brownfield, accessMode: "ro", parameters: { tier: "hot" } },
      bucket: {
        bucketPrefix: "x-",
        secretName: "creds",
        secretTimeout: 5,
        protectData: false,
        revokeNotFound: "ignore",
      },
    });
    const inputs = dynamic(made, "ContentBinding").inputs;
    assert.deepEqual(inputs["bucketClass"], {
      name: "gold",
      provisioner,
      supportedProtocols: ["s3"],
      accessMode: "ro",
      releasePolicy: "Retain",
      bucketIdentifier: { bucketName: "archive" },
      secretRef: null,
      parameters: { tier: "hot" },
    });
    assert.deepEqual(inputs["bucket"], { namespace: "shop", name: "photos", uid });
    const { requestProtocol, bucketPrefix, secretName, secretTimeoutSeconds, protectData } = inputs;
    assert.deepEqual(
      [requestProtocol, bucketPrefix, secretName, secretTimeoutSeconds, protectData],
      ["s3", "x-", "creds", 5, false],
    );
    assert.deepEqual([inputs["provisioner"], inputs["sourceNamespace"]], [provisioner, "cosi-system"]);
    assert.equal(dynamic(made, "BucketBinding").inputs["secretTimeoutSeconds"], 5);
    const ofBucket = dynamic(made, "Bucket").inputs;
    assert.deepEqual([ofBucket["protectData"], ofBucket["revokeNotFound"]], [false, "ignore"]);
  });

  it("keep secret what a class says in secret, and no more", async () => {
    const secrets = [
      { parameters: pulumi.secret({ key: "s3cr3t" }) },
      { bucketIdentifier: { bucketName: "archive", key: pulumi.secret("s3cr3t") } },
    ];
    for (const bucketClass of secrets) {
      const made = await program({ bucketClass });
      const copy = revealed(dynamic(made, "ContentBinding").inputs["bucketClass"]) as Record<string, unknown>;
      assert.equal(copy["secretParameters"], true);
      const inputs = dynamic(made, "Bucket").inputs;
      assert.deepEqual(revealed(inputs["parameters"]), { key: "s3cr3t" });
      assert.deepEqual(
        [inputs["secretParameters"], inputs["accessMode"], inputs["deletionPolicy"]],
        [true, "rw", "Retain"],
      );
      assert.equal(dynamic(made, "BucketBinding").inputs["provisioner"], provisioner);
    }
    const made = await program({ bucketClass: secrets[0] ?? {} });
    assert.equal(dynamic(made, "Bucket").inputs["name"], uid);
  });

  it("ask the driver for a new bucket by prefix and UID, with what the class says [K02-022] [K02-060]", async () => {
    const made = await program({
      bucketClass: { releasePolicy: "Delete", accessMode: "wo", parameters: { tier: "hot" } },
      bucket: { bucketPrefix: "YosemitePhotos-" },
    });
    const inputs = dynamic(made, "Bucket").inputs;
    const { name, existingBucketId, bucketIdentifier, protocol, parameters } = inputs;
    assert.deepEqual(
      [name, existingBucketId, bucketIdentifier, protocol, parameters],
      [`YosemitePhotos-${uid}`, undefined, undefined, "S3", { tier: "hot" }],
    );
    assert.deepEqual(
      [inputs["accessMode"], inputs["deletionPolicy"], inputs["bucketClassName"]],
      ["wo", "Delete", "gold"],
    );
    const { model, bucket, claim } = inputs["objects"] as Record<string, unknown>;
    assert.equal(model, "cosi-2020-02:cosi.io");
    assert.deepEqual(bucket, { name: `gold-${uid}`, uid: "" });
    assert.deepEqual(claim, { namespace: "shop", name: "photos", uid });
    const plain = await program();
    assert.equal(dynamic(plain, "Bucket").inputs["name"], uid);
  });

  it("ask the driver for access to a bucket that was there before, by the fields of its protocol [K02-056] [K02-061]", async () => {
    const cases: [requestProtocol: string, identifier: Record<string, string>, fields: string[]][] = [
      [
        "s3",
        { bucketName: "a", region: "eu-1", userName: "u", pool: "p" },
        ["bucketName", "region", "userName"],
      ],
      ["gcs", { bucketName: "a", projectId: "b", region: "eu-1" }, ["bucketName", "projectId"]],
      [
        "azureBlob",
        { containerName: "a", storageAccountName: "b", tier: "c" },
        ["containerName", "storageAccountName"],
      ],
    ];
    for (const [requestProtocol, bucketIdentifier, fields] of cases) {
      const made = await program({
        bucketClass: { supportedProtocols: [requestProtocol], bucketIdentifier, parameters: { x: "y" } },
        bucket: { requestProtocol, bucketPrefix: "x-" },
      });
      const inputs = dynamic(made, "Bucket").inputs;
      const isField = ([key]: [string, string]) => fields.includes(key);
      const entries = Object.entries(bucketIdentifier);
      assert.equal(inputs["existingBucketId"], "a");
      assert.deepEqual(inputs["bucketIdentifier"], Object.fromEntries(entries.filter(isField)));
      assert.deepEqual(inputs["parameters"], {
        x: "y",
        ...Object.fromEntries(entries.filter((entry) => !isField(entry))),
      });
      assert.equal(inputs["deletionPolicy"], "Retain");
    }
  });

  it("write what the driver has issued to the source Secret, and copy that", async () => {
    const made = await program({ bucket: { secretName: "creds" } });
    const source = dynamic(made, "SourceSecret").inputs;
    assert.deepEqual(revealed(source["data"]), credentials);
    assert.deepEqual(
      [source["content"], source["namespace"], source["provisioner"]],
      [`gold-${uid}`, "cosi-system", provisioner],
    );
    assert.deepEqual(source["bucket"], { namespace: "shop", name: "photos", uid });
    const bound = dynamic(made, "BucketBinding").inputs;
    assert.deepEqual(bound["source"], { namespace: "cosi-system", name: `gold-${uid}` });
    assert.deepEqual(
      [bound["content"], bound["secretName"], bound["revision"], bound["provisioner"]],
      [`gold-${uid}`, "creds", "sum", provisioner],
    );
  });

  it("copy the admin's Secret for a static Bucket, and call nobody [K02-062]", async () => {
    const made = await program({ bucketClass: staticClass, isDriverGiven: true });
    assert.deepEqual(childrenOf(made, photos), withoutDriver);
    const bound = dynamic(made, "BucketBinding").inputs;
    assert.deepEqual(bound["source"], { namespace: "vault", name: "keys" });
    assert.deepEqual([bound["revision"], bound["provisioner"]], [undefined, provisioner]);
    assert.equal("provisioner" in dynamic(made, "ContentBinding").inputs, false);
  });

  it("tell where the bucket is, and what its objects are called", async () => {
    const cases: [Program, unknown][] = [
      [{}, `${uid}-there`],
      [{ bucketClass: brownfield }, "archive-there"],
      [{ bucketClass: staticClass }, "archive"],
      [{ bucketClass: { ...staticClass, bucketIdentifier: { region: "eu-1" } } }, null],
    ];
    for (const [changes, bucketId] of cases) {
      let found: unknown;
      await program({
        ...changes,
        more: ({ bucket }) => {
          pulumi
            .all([
              bucket.namespace,
              bucket.bucketName,
              bucket.contentName,
              bucket.secretName,
              bucket.requestProtocol,
              bucket.bucketId,
            ])
            .apply((known) => {
              found = known;
            });
        },
      });
      assert.deepEqual(found, ["shop", "photos", `gold-${uid}`, "photos", "s3", bucketId]);
    }
  });

  it("show in a preview what a class of the program says", async () => {
    const made = await program(
      { bucketClass: { ...brownfield, accessMode: "ro", parameters: { tier: "hot" } } },
      { preview: true },
    );
    const { existingBucketId, accessMode, parameters, deletionPolicy } = dynamic(made, "Bucket").inputs;
    assert.deepEqual(
      [existingBucketId, accessMode, parameters, deletionPolicy],
      ["archive", "ro", { tier: "hot" }, "Retain"],
    );
    assert.ok(isUnknown(revealed(dynamic(made, "SourceSecret").inputs["data"])));
    const ofAdmin = await program({ bucketClass: staticClass }, { preview: true });
    assert.deepEqual(dynamic(ofAdmin, "BucketBinding").inputs["source"], {
      namespace: "vault",
      name: "keys",
    });
  });

  describe("for a class that a program names", () => {
    it("do at up what the class says", async () => {
      const green = dynamic(await ofNamed("green", "given"), "Bucket").inputs;
      assert.deepEqual(
        [green["name"], green["existingBucketId"], green["deletionPolicy"], green["parameters"]],
        [`p-${uid}`, undefined, "Delete", { tier: "cold" }],
      );
      const brown = dynamic(await ofNamed("brown", "given"), "Bucket").inputs;
      assert.deepEqual([brown["existingBucketId"], brown["deletionPolicy"]], ["archive", "Retain"]);
      const made = await ofNamed("static");
      assert.deepEqual(childrenOf(made, photos), withoutDriver);
      assert.deepEqual(dynamic(made, "BucketBinding").inputs["source"], { namespace: "vault", name: "keys" });
    });

    it("name it to the binding, with the driver that is given", async () => {
      const {
        bucketClass,
        bucketClassName,
        isManaged,
        provisioner: name,
      } = dynamic(await ofNamed("green", "given"), "ContentBinding").inputs;
      assert.deepEqual(
        [bucketClass, bucketClassName, isManaged, name],
        [undefined, "green", true, provisioner],
      );
      const made = await ofNamed("static");
      assert.equal(dynamic(made, "ContentBinding").inputs["isManaged"], false);
    });

    it("make nothing up in a preview", async () => {
      const made = await ofNamed("green", "given", true);
      const inputs = dynamic(made, "Bucket").inputs;
      for (const key of ["existingBucketId", "parameters", "deletionPolicy"]) {
        assert.ok(isUnknown(inputs[key]), key);
      }
      assert.equal(inputs["protocol"], "S3");
      assert.ok(
        isUnknown(dynamic(await ofNamed("static", undefined, true), "BucketBinding").inputs["source"]),
      );
    });
  });

  it("put source Secrets where the class says, else where the installation does [K02-020]", async () => {
    const namespaces = (args: cosi20200227.InstallArgs, ofClass?: string) =>
      run(() => {
        cosi20200227.install(args);
        const own = ofClass === undefined ? {} : { sourceSecretNamespace: ofClass };
        const gold = new cosi20200227.BucketClass("gold", {
          driver: makeDriver(),
          supportedProtocols: ["s3"],
          ...own,
        });
        new cosi20200227.Bucket("photos", { namespace: "shop", requestProtocol: "s3", bucketClass: gold });
      });
    const cases: [cosi20200227.InstallArgs, string | undefined, string][] = [
      [{}, undefined, "cosi-system"],
      [{ sourceSecretNamespace: "secrets" }, undefined, "secrets"],
      [{ sourceSecretNamespace: pulumi.output("secrets") }, "of-driver", "of-driver"],
    ];
    for (const [args, ofClass, expected] of cases) {
      const made = await namespaces(args, ofClass);
      assert.equal(dynamic(made, "ContentBinding").inputs["sourceNamespace"], expected);
      assert.equal(dynamic(made, "SourceSecret").inputs["namespace"], expected);
    }
    await assert.rejects(
      namespaces({ sourceSecretNamespace: "Secrets" }),
      /BucketClass gold: sourceSecretNamespace is "Secrets"/,
    );
  });

  describe("in their order", () => {
    it("go through class, Bucket, BucketContent, call, source Secret and the app's", async () => {
      const made = await program();
      for (const [type, before] of [
        ["BucketClass", "NameGuard::gold"],
        ["ContentBinding", "Bucket::photos"],
        ["SourceSecret", "Bucket::photos"],
        ["BucketBinding", "SourceSecret::photos"],
      ] as const) {
        const name = type === "BucketClass" ? "gold" : "photos";
        assert.ok(waitsFor(made, type, name).includes(before), `${type} after ${before}`);
      }
      const [object, called] = made.placed.filter(
        ({ type }) => type.endsWith(":Bucket") && !type.startsWith("cosi:"),
      );
      assert.ok(object?.dependsOn.some((urn) => urn.endsWith(":BucketClass::gold")));
      assert.ok(called?.dependsOn.some((urn) => urn.endsWith(":ContentBinding::photos")));
    });

    it("let a static Bucket's Secret wait for the BucketContent", async () => {
      const made = await program({ bucketClass: staticClass });
      assert.ok(waitsFor(made, "BucketBinding", "photos").includes("ContentBinding::photos"));
    });

    it("let a workload wait until the app's Secret is there", async () => {
      const made = await program({
        more: ({ bucket }) => {
          new k8s.core.v1.ConfigMap("named", { data: { secret: bucket.secretName } });
          new k8s.core.v1.ConfigMap("after", {}, { dependsOn: bucket });
        },
      });
      for (const name of ["named", "after"]) {
        assert.ok(waitsFor(made, "ConfigMap", name).includes("BucketBinding::photos"), name);
      }
    });
  });

  it("replace a class with its provisioner, identifier and parameters, and a Bucket with all but its Secret's name [K02-029] [K02-059]", async () => {
    const triggers = new Map<string, unknown>();
    await run(() => {
      const driver = makeDriver();
      pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
        if (type.startsWith("kubernetes:"))
          triggers.set(type.slice(type.lastIndexOf(":") + 1), untyped(opts));
        return { props: untyped(props), opts };
      });
      const gold = new cosi20200227.BucketClass("gold", {
        driver,
        supportedProtocols: ["s3"],
        ...brownfield,
        parameters: { tier: "hot" },
      });
      new cosi20200227.Bucket("photos", {
        namespace: "shop",
        requestProtocol: "s3",
        bucketClass: gold,
        bucketPrefix: "p-",
      });
    });
    const keysOf = (kind: string) => {
      const { replacementTrigger } = triggers.get(kind) as { replacementTrigger: object };
      return Object.keys(replacementTrigger).sort();
    };
    assert.deepEqual(keysOf("BucketClass"), ["bucketIdentifier", "parameters", "provisioner"]);
    assert.deepEqual(keysOf("Bucket"), ["bucketClassName", "bucketPrefix", "requestProtocol"]);
  });

  it("are of the cluster and the options that a component is given", async () => {
    const made = await run(() => {
      const cluster = { context: "other" };
      const parent = new pulumi.ComponentResource("shop:Storage", "storage");
      const gold = new cosi20200227.BucketClass(
        "gold",
        { ...cluster, driver: makeDriver(), supportedProtocols: ["s3"] },
        { parent },
      );
      new cosi20200227.Bucket(
        "photos",
        { ...cluster, namespace: "shop", requestProtocol: "s3", bucketClass: gold },
        { parent },
      );
    });
    const { parent } = made.placed.find(({ type }) => type === "cosi:cosi20200227:Bucket") ?? {};
    assert.equal(parent, "shop:Storage::storage");
    assert.match(custom(made, "Bucket").provider, /pulumi:providers:kubernetes::cosi20200227/);
    for (const type of ["ContentBinding", "SourceSecret", "BucketBinding"]) {
      const { context } = dynamic(made, type).inputs["kubernetes"] as { context: string };
      assert.equal(context, "other", type);
    }
  });

  it("take another group, and share what is set up [K02-014]", async () => {
    const made = await run(() => {
      cosi20200227.install({ group: "february.cosi.io" });
      const driver = makeDriver();
      const gold = new cosi20200227.BucketClass("gold", { driver, supportedProtocols: ["s3"] });
      new cosi20200227.Bucket("photos", { namespace: "shop", requestProtocol: "s3", bucketClass: gold });
    });
    const objects = made.registered.filter(({ type }) =>
      type.startsWith("kubernetes:february.cosi.io/v1alpha1:"),
    );
    assert.deepEqual(
      objects.map(({ type }) => type.slice(type.lastIndexOf(":") + 1)),
      ["BucketClass", "Bucket"],
    );
    const model = "cosi-2020-02:february.cosi.io";
    assert.equal(dynamic(made, "CustomResourceDefinitions").inputs["model"], model);
    for (const type of ["ContentBinding", "SourceSecret", "BucketBinding"]) {
      assert.equal(dynamic(made, type).inputs["model"], model);
    }
  });

  it("take the namespace of the stack's connection where none is given [K02-013]", async () => {
    pulumi.runtime.setAllConfig({ "kubernetes:namespace": "team-b" });
    try {
      const made = await program({ bucket: { namespace: nothing } });
      const { namespace } = dynamic(made, "ContentBinding").inputs["bucket"] as { namespace: string };
      assert.equal(namespace, "team-b");
    } finally {
      pulumi.runtime.setAllConfig({});
    }
  });
});
