import assert from "node:assert/strict";
import { judgeCopies, type CopyingResource } from "../../policy/rules/copied-credentials-in-named-namespaces";
import { asInPreview, configured, unknownText } from "./judgement";

const access = { type: "pulumi-nodejs:dynamic/cosi:BucketAccess", name: "photos-rw" };
const bucket = { type: "pulumi-nodejs:dynamic/cosi:Bucket", name: "photos" };

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

  it("lets pass what holds nothing of an access, what is no Secret, and what is not known yet", () => {
    assert.deepEqual(judge(secret("default", { propertyDependencies: { stringData: [bucket] } })), []);
    assert.deepEqual(judge(secret("default", { propertyDependencies: { metadata: [access] } })), []);
    assert.deepEqual(judge(secret("default", { type: "kubernetes:core/v1:ConfigMap" })), []);
    assert.deepEqual(judge(secret(unknownText)), []);
  });
});
