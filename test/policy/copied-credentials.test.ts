import assert from "node:assert/strict";
import type { LinkedResource } from "../../policy/resources/accounts";
import { judgeCopies, type CopyingResource } from "../../policy/rules/copied-credentials-in-named-namespaces";
import { asInPreview, configured, unknownObject, unknownText } from "./judgement";

const access = {
  type: "pulumi-nodejs:dynamic/cosi:BucketAccess",
  name: "photos-rw",
  props: {},
  propertyDependencies: {},
};
const bucketOf = (
  driver: unknown,
  type = "pulumi-nodejs:dynamic/cosi:Bucket",
  from: readonly LinkedResource[] = [],
) => ({ type, name: "photos", props: asInPreview({ driver }), propertyDependencies: { driver: from } });
const bucket = bucketOf({ contract: "cosi.v1alpha1" });

const secret = (namespace: unknown, changes: Partial<CopyingResource> = {}): CopyingResource => ({
  type: "kubernetes:core/v1:Secret",
  name: "copy",
  urn: "urn:pulumi:dev::shop::kubernetes:core/v1:Secret::copy",
  props: asInPreview({ metadata: { namespace } }),
  propertyDependencies: { stringData: [bucket, access], metadata: [] },
  ...changes,
});

/** Violations with the URN that they are told of. */
function judge(resource: CopyingResource, config: object = {}): [message: string, urn: string | undefined][] {
  const violations: [string, string | undefined][] = [];
  judgeCopies({ resources: [resource], getConfig: configured(config) }, (message, urn) => {
    violations.push([message, urn]);
  });
  return violations;
}

describe("the rule cosi-copied-credentials-in-named-namespaces", () => {
  it("refuses a Secret of the program's own with what an access has issued, and names both", () => {
    const [[message, urn] = []] = judge(secret("default"));
    assert.match(
      message ?? "",
      /^Secret copy, with what comes from BucketAccess photos-rw: metadata\.namespace is "default"/,
    );
    assert.equal(urn, "urn:pulumi:dev::shop::kubernetes:core/v1:Secret::copy");
    const account = { ...access, type: "pulumi-nodejs:dynamic/cosi:DeploymentAccess" };
    assert.equal(judge(secret("default", { propertyDependencies: { data: [account] } })).length, 1);
  });

  it("refuses one with what an access of another language has issued", () => {
    for (const type of ["cosi:index:BucketAccess", "cosi:index:DeploymentAccess"]) {
      const account = { ...access, type };
      assert.equal(judge(secret("default", { propertyDependencies: { data: [account] } })).length, 1, type);
    }
  });

  it("takes the settings of its twin, and excepts by name", () => {
    assert.equal(judge(secret("bank"), { namespaces: ["shop"] }).length, 1);
    assert.deepEqual(judge(secret("shop"), { namespaces: ["shop"] }), []);
    assert.deepEqual(judge(secret("default"), { except: ["co*"] }), []);
  });

  it("lets pass what holds nothing of an access, and what is no Secret", () => {
    assert.deepEqual(judge(secret("default", { propertyDependencies: { stringData: [bucket] } })), []);
    assert.deepEqual(judge(secret("default", { propertyDependencies: { metadata: [access] } })), []);
    assert.deepEqual(judge(secret("default", { type: "kubernetes:core/v1:ConfigMap" })), []);
  });

  it("refuses one with what a bucket comes with, by the contract of its driver or by one that nobody can read", () => {
    const drivers = [
      { contract: "cosi-2020-02" },
      { contract: unknownText },
      { contract: "another" },
      unknownObject,
      undefined,
    ];
    for (const driver of drivers) {
      for (const type of ["pulumi-nodejs:dynamic/cosi:Bucket", "cosi:index:Bucket"]) {
        const copy = secret("default", { propertyDependencies: { stringData: [bucketOf(driver, type)] } });
        const [[message] = []] = judge(copy);
        assert.match(
          message ?? "",
          /^Secret copy, with what comes from Bucket photos: /,
          JSON.stringify(driver),
        );
      }
    }
    const other = bucketOf({ contract: "cosi-2020-07" });
    assert.deepEqual(judge(secret("default", { propertyDependencies: { data: [other] } })), []);
  });

  it("reads the contract of a Driver whose reference the preview does not know yet", () => {
    const driver = (props: Record<string, unknown>): LinkedResource => ({
      type: "cosi:index:Driver",
      name: "store",
      props: asInPreview(props),
      propertyDependencies: {},
    });
    const violationsOf = (...drivers: readonly LinkedResource[]): number => {
      const from = bucketOf(unknownObject, "cosi:index:Bucket", drivers);
      return judge(secret("default", { propertyDependencies: { stringData: [from] } })).length;
    };
    assert.equal(violationsOf(driver({})), 0, "the default");
    assert.equal(violationsOf(driver({ contract: "cosi-2020-07" })), 0);
    assert.equal(violationsOf(driver({ contract: "cosi-2020-02" })), 1);
    assert.equal(violationsOf(driver({ contract: unknownText })), 1);
    assert.equal(violationsOf(driver({}), driver({ contract: "cosi-2020-02" })), 1);
    assert.equal(violationsOf({ ...driver({}), type: "pulumi:pulumi:StackReference" }), 1);
  });

  it("refuses one in a namespace that the preview does not know, as an update says it only when the Secret is there", () => {
    for (const changes of [{}, { props: asInPreview({ metadata: unknownObject }) }]) {
      const [[message] = []] = judge(secret(unknownText, changes));
      assert.match(message ?? "", /metadata\.namespace is not known in the preview.* Next: give a namespace/);
    }
    assert.deepEqual(judge(secret(unknownText), { except: ["copy"] }), []);
    const other = { propertyDependencies: { stringData: [bucket] } };
    assert.deepEqual(judge(secret(unknownText, other)), [], "no credentials");
  });
});
