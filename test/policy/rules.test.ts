import assert from "node:assert/strict";
import type { ResourceValidationPolicy } from "@pulumi/policy";
import {
  allowedDrivers,
  brownfieldNeedsRetain,
  credentialsInNamedNamespaces,
  noAnonymousWrite,
  noDeleteInProduction,
} from "../../policy";
import { judge, unknownObject, unknownText, type Given } from "./judgement";

const bucket = "pulumi-nodejs:dynamic/cosi:Bucket";
const deployment = "pulumi-nodejs:dynamic/cosi:Deployment";
const objectOf = (kind: string, group = "objectstorage.k8s.io"): string =>
  `kubernetes:${group}/v1alpha1:${kind}`;
const storageClass = "kubernetes:storage.k8s.io/v1:StorageClass";
const provisioner = "cosi.objectbucket.io/cosi.example.com";

const classPrefix = "pulumi-nodejs:dynamic/cosi:";
const ofPlugin = (type: string): string => type.replace(classPrefix, "cosi:index:");

/** Judges resources by a rule: those that it refuses, with what its message has to say, and those that it lets pass. */
function verdicts(
  policy: ResourceValidationPolicy,
  cases: {
    refused: Readonly<Record<string, readonly [Given, ...RegExp[]]>>;
    passed: Readonly<Record<string, Given>>;
    notAbout: Readonly<Record<string, Given>>;
  },
): void {
  const refuses = (given: Given, said: readonly RegExp[]): void => {
    const violations = judge(policy, given) ?? [];
    assert.equal(violations.length, 1);
    const kind = given.type.slice(given.type.lastIndexOf(":") + 1);
    for (const text of [new RegExp(`^${kind} photos: `), /Next: \w/, ...said]) {
      assert.match(violations[0] ?? "", text);
    }
  };
  for (const [title, [given, ...said]] of Object.entries(cases.refused)) {
    it(`refuses ${title}`, () => {
      refuses(given, said);
    });
    if (given.type.startsWith(classPrefix)) {
      it(`refuses ${title}, as another language has it`, () => {
        refuses({ ...given, type: ofPlugin(given.type) }, said);
      });
    }
    it(`lets ${title} pass where the configuration excepts it`, () => {
      const config = { ...given.config, except: ["other", "pho*"] };
      assert.equal(judge(policy, { ...given, config }), undefined);
    });
  }
  for (const [title, given] of Object.entries(cases.passed)) {
    it(`lets ${title} pass`, () => {
      assert.deepEqual(judge(policy, given), []);
    });
  }
  for (const [title, given] of Object.entries(cases.notAbout)) {
    it(`is not about ${title}`, () => {
      assert.equal(judge(policy, given), undefined);
    });
  }
}

describe("the rule cosi-no-delete-in-production", () => {
  const deletes = { deletionPolicy: "Delete" };
  const inProduction = (type: string, props: Given["props"] = deletes): Given => ({
    type,
    props,
    stack: "prod",
  });
  verdicts(noDeleteInProduction, {
    refused: {
      "a bucket": [
        inProduction(bucket),
        /deletionPolicy is "Delete", and stack prod is production \(by its name\)/,
      ],
      "a deployment": [inProduction(deployment), /set deletionPolicy to "Retain"/],
      "a BucketClass": [inProduction(objectOf("BucketClass"))],
      "a DeploymentClass": [inProduction(objectOf("DeploymentClass", "platform.plural.sh"))],
      "a BucketClass of a proposal": [
        inProduction(objectOf("BucketClass", "cosi.io"), { releasePolicy: "Delete" }),
        /releasePolicy is "Delete"/,
      ],
      "a BucketClass of a component in a group of the program's": [
        {
          ...inProduction(objectOf("BucketClass", "example.com")),
          parents: ["cosi:cosi20200708:BucketClass"],
        },
      ],
      "a BucketClass of v1alpha2": [
        inProduction("kubernetes:objectstorage.k8s.io/v1alpha2:BucketClass", { spec: deletes }),
        /spec\.deletionPolicy is "Delete"/,
      ],
      "a BucketClass that says Retain where its version does not look": [
        inProduction("kubernetes:objectstorage.k8s.io/v1alpha2:BucketClass", {
          deletionPolicy: "Retain",
          spec: deletes,
        }),
      ],
      "a patch of a BucketClass": [inProduction(objectOf("BucketClassPatch"))],
      "a patch of a Bucket object": [inProduction(objectOf("BucketPatch"), { spec: deletes })],
      "a StorageClass": [inProduction(storageClass, { provisioner, reclaimPolicy: "Delete" })],
      "a StorageClass of an operator": [
        inProduction(storageClass, { provisioner: "noobaa.io/obc", reclaimPolicy: "Delete" }),
      ],
      "a StorageClass of a component, whatever its provisioner": [
        {
          ...inProduction(storageClass, { provisioner: "example.com/store", reclaimPolicy: "Delete" }),
          parents: ["cosi:objectbucket:StorageClass"],
        },
      ],
      "a StorageClass that says nothing, as the API server fills in Delete": [
        inProduction(storageClass, { provisioner }),
        /reclaimPolicy is missing, which means "Delete"/,
      ],
      "a Bucket object that the program writes by itself": [
        inProduction(objectOf("Bucket"), { spec: deletes }),
        /spec\.deletionPolicy is "Delete"/,
      ],
      "a Bucket object of the program's below a component that writes none": [
        {
          ...inProduction(objectOf("Bucket"), { spec: deletes }),
          parents: ["cosi:objectstorage:BucketClaim"],
        },
      ],
      "a Bucket object of the program's below a bucket of another language": [
        { ...inProduction(objectOf("Bucket"), { spec: deletes }), parents: ["cosi:index:Bucket"] },
      ],
      "an ObjectBucket that the program writes by itself": [
        inProduction(objectOf("ObjectBucket", "objectbucket.io"), { spec: { reclaimPolicy: "Delete" } }),
        /spec\.reclaimPolicy is "Delete"/,
      ],
      "a stack with a pattern of the configuration": [
        { ...inProduction(bucket), stack: "eu-live", config: { productionStacks: ["*-LIVE"] } },
        /stack eu-live is production/,
      ],
      "a stack with a tag": [
        { ...inProduction(bucket), stack: "blue", tags: { environment: "production" } },
        /by its tag environment: production/,
      ],
      "a stack with a tag of the configuration": [
        {
          ...inProduction(bucket),
          stack: "blue",
          tags: { tier: "1" },
          config: { productionTags: { tier: "1" } },
        },
      ],
    },
    passed: {
      "a bucket that is kept": inProduction(bucket, { deletionPolicy: "Retain" }),
      "a bucket without a policy": inProduction(bucket, {}),
      "a policy that is not known yet": inProduction(bucket, { deletionPolicy: unknownText }),
      "a spec that is not known yet": inProduction(objectOf("Bucket"), { spec: unknownObject }),
      "a StorageClass whose policy is not known yet": inProduction(storageClass, {
        provisioner,
        reclaimPolicy: unknownText,
      }),
      "a patch that says nothing of the policy": inProduction(`${storageClass}Patch`, { provisioner }),
    },
    notAbout: {
      "a stack that is not production": { type: bucket, props: deletes, stack: "product" },
      "production by default where the configuration has others": {
        ...inProduction(bucket),
        config: { productionStacks: ["live"], productionTags: {} },
      },
      "a StorageClass of other volumes": inProduction(storageClass, { provisioner: "ebs.csi.aws.com" }),
      "a StorageClass of other volumes below a component": {
        ...inProduction(storageClass, { provisioner: "ebs.csi.aws.com" }),
        parents: ["cosi:objectstorage:BucketClaim"],
      },
      "a StorageClass of other volumes below a component of claims": {
        ...inProduction(storageClass, { provisioner: "ebs.csi.aws.com" }),
        parents: ["cosi:objectbucket:ObjectBucketClaim"],
      },
      "a StorageClass of other volumes below what a component has written": {
        ...inProduction(storageClass, { provisioner: "ebs.csi.aws.com" }),
        parents: ["cosi:objectbucket:StorageClass", "shop:index:Volumes"],
      },
      "a StorageClass of other volumes below a bucket of another language": {
        ...inProduction(storageClass, { provisioner: "ebs.csi.aws.com" }),
        parents: ["cosi:index:Bucket"],
      },
      "a bucket of somebody else's API": inProduction(objectOf("Bucket", "s3.aws.upbound.io"), {
        spec: deletes,
      }),
      "the object that a component writes beside a bucket": {
        ...inProduction(objectOf("Bucket"), { spec: deletes }),
        parents: ["cosi:objectstorage:Bucket"],
      },
      "the object for a driver to look up": {
        ...inProduction(objectOf("Bucket"), { spec: deletes }),
        parents: ["cosi:objectstorage:BucketMirror"],
      },
      "an access": inProduction("pulumi-nodejs:dynamic/cosi:BucketAccess"),
    },
  });
});

describe("the rule cosi-no-anonymous-write", () => {
  const policyFor = (statement: object): string =>
    JSON.stringify({ Version: "2012-10-17", Statement: statement });
  const withPolicy = (statement: object): Given => ({
    type: bucket,
    props: { parameters: { bucketPolicy: policyFor(statement) } },
  });
  const anybody = { Effect: "Allow", Principal: "*", Resource: "arn:aws:s3:::photos/*" };
  const denied = { anonymousRead: "deny" };
  verdicts(noAnonymousWrite, {
    refused: {
      "a bucket that anybody writes": [
        { type: bucket, props: { anonymousAccess: "wo" } },
        /anonymousAccess is "wo", by which anybody may write without credentials\. Next: set anonymousAccess to "private" or "ro"/,
      ],
      "a bucket that anybody reads and writes": [{ type: bucket, props: { anonymousAccess: "rw" } }],
      "a class by the proposal's other name of the mode": [
        { type: objectOf("BucketClass", "cosi.io"), props: { anonymousAccessMode: "publicReadWrite" } },
        /anonymousAccessMode is "publicReadWrite"/,
      ],
      "an administrator's Bucket": [
        { type: "pulumi-nodejs:dynamic/cosi/cosi20200708:AdminBucket", props: { anonymousAccessMode: "rw" } },
      ],
      "a Bucket object that the program writes by itself": [
        { type: objectOf("Bucket", "cosi.io"), props: { spec: { anonymousAccessMode: "rw" } } },
        /spec\.anonymousAccessMode is "rw"/,
      ],
      "a Bucket object of the program's with such a policy": [
        {
          type: objectOf("Bucket"),
          props: {
            spec: { parameters: { bucketPolicy: policyFor({ ...anybody, Action: "s3:PutObject" }) } },
          },
        },
        /spec\.parameters\.bucketPolicy/,
      ],
      "a BucketContent of the program's with such a policy": [
        {
          type: objectOf("BucketContent", "cosi.io"),
          props: {
            spec: { parameters: { bucketPolicy: policyFor({ ...anybody, Action: "s3:PutObject" }) } },
          },
        },
      ],
      "a class of v1alpha2 with such a policy": [
        {
          type: "kubernetes:objectstorage.k8s.io/v1alpha2:BucketClass",
          props: {
            spec: { parameters: { bucketPolicy: policyFor({ ...anybody, Action: "s3:PutObject" }) } },
          },
        },
      ],
      "a patch of a class": [
        { type: objectOf("BucketClassPatch", "cosi.io"), props: { anonymousAccessMode: "rw" } },
      ],
      "a bucket that anybody reads, where the configuration denies it": [
        { type: bucket, props: { anonymousAccess: "ro" }, config: denied },
        /anybody may read without credentials\. Next: set anonymousAccess to "private"\.$/,
      ],
      "a bucket policy by which anybody puts objects": [
        withPolicy([{ ...anybody, Action: ["s3:GetObject", "s3:PutObject"] }]),
        /parameters\.bucketPolicy is a bucket policy with a statement for everybody, by which anybody may write/,
        /Next: name in full each principal/,
      ],
      "a bucket policy by which anybody does all": [withPolicy({ ...anybody, Action: "s3:*" })],
      "a bucket policy for AWS *": [
        withPolicy({ ...anybody, Principal: { AWS: ["*"] }, Action: "s3:DeleteObject" }),
      ],
      "a bucket policy for all but some": [
        withPolicy({ Effect: "Allow", NotPrincipal: { AWS: "arn:aws:iam::1:root" }, Action: "s3:PutObject" }),
      ],
      "a bucket policy for all actions but some": [withPolicy({ ...anybody, NotAction: "s3:GetObject" })],
      "a bucket policy for everybody at an address, who needs no credentials": [
        withPolicy({
          ...anybody,
          Action: "s3:PutObject",
          Condition: { StringEquals: { "aws:SourceIp": "10.0.0.0/8" } },
        }),
      ],
      "a bucket policy that cannot be read for sure, of which it says nothing": [
        { type: bucket, props: { parameters: { bucketPolicy: '{"hush' } } },
        /^(?!.*hush).*parameters\.bucketPolicy is a bucket policy that cannot be read for sure and so counts as one for everybody/,
      ],
      "a bucket policy that is no text": [
        { type: bucket, props: { parameters: { bucketPolicy: { Statement: [] } } } },
        /cannot be read for sure/,
      ],
      "a claim with such a policy": [
        {
          type: "pulumi-nodejs:dynamic/cosi/objectbucket:Claim",
          props: { additionalConfig: { bucketPolicy: policyFor({ ...anybody, Action: "s3:PutObject" }) } },
        },
        /additionalConfig\.bucketPolicy/,
      ],
    },
    passed: {
      "a bucket that is private": { type: bucket, props: { anonymousAccess: "private" } },
      "a bucket that says nothing": { type: bucket },
      "a bucket that anybody reads": { type: bucket, props: { anonymousAccess: "ro" } },
      "a bucket policy by which anybody reads": withPolicy({
        ...anybody,
        Action: ["s3:GetObject", "s3:ListBucket"],
      }),
      "a bucket policy that denies": withPolicy({ ...anybody, Effect: "Deny", Action: "s3:PutObject" }),
      "a bucket policy for somebody": withPolicy({
        ...anybody,
        Principal: { AWS: "arn:aws:iam::1:root" },
        Action: "s3:PutObject",
      }),
      "a bucket policy for everybody in an organisation": withPolicy({
        ...anybody,
        Action: "s3:PutObject",
        Condition: { StringEquals: { "aws:PrincipalOrgID": "o-1" } },
      }),
      "an empty bucket policy, which ends one": { type: bucket, props: { parameters: { bucketPolicy: "" } } },
      "a mode that is not known yet": {
        type: bucket,
        props: { anonymousAccess: unknownText, parameters: unknownObject },
      },
    },
    notAbout: {
      "an access": { type: "pulumi-nodejs:dynamic/cosi:BucketAccess" },
      "the object that a component writes beside a bucket": {
        type: objectOf("Bucket"),
        props: { spec: { parameters: { bucketPolicy: policyFor({ ...anybody, Action: "s3:*" }) } } },
        parents: ["cosi:objectstorage:Bucket"],
      },
    },
  });
});

describe("the rule cosi-brownfield-needs-retain", () => {
  const existing = { existingBucketId: "archive", deletionPolicy: "Delete" };
  verdicts(brownfieldNeedsRetain, {
    refused: {
      "a bucket": [
        { type: bucket, props: existing },
        /deletionPolicy is "Delete" beside existingBucketId "archive", which was there before/,
      ],
      "a bucket whose id is not known yet": [
        { type: bucket, props: { ...existing, existingBucketId: unknownText } },
      ],
      "a deployment": [
        { type: deployment, props: { existingDeploymentId: "ledger", deletionPolicy: "Delete" } },
        /existingDeploymentId "ledger"/,
      ],
      "a Bucket object": [
        {
          type: objectOf("Bucket"),
          props: { spec: { existingBucketID: "archive", deletionPolicy: "Delete" } },
        },
        /spec\.deletionPolicy is "Delete" beside spec\.existingBucketID "archive"/,
      ],
      "a Deployment object": [
        {
          type: objectOf("Deployment", "platform.plural.sh"),
          props: { spec: { existingDeploymentID: "ledger", deletionPolicy: "Delete" } },
        },
      ],
      "a StorageClass that says nothing": [
        { type: storageClass, props: { provisioner, parameters: { bucketName: "archive" } } },
        /reclaimPolicy is missing, which means "Delete" beside parameters\.bucketName "archive"/,
      ],
      "a BucketClass of the proposal of 2020-02-27": [
        {
          type: objectOf("BucketClass", "cosi.io"),
          props: { bucketIdentifier: { bucketName: "archive" }, releasePolicy: "Delete" },
        },
        /releasePolicy is "Delete" beside bucketIdentifier/,
      ],
    },
    passed: {
      "a bucket that is kept": { type: bucket, props: { ...existing, deletionPolicy: "Retain" } },
      "a bucket without a policy": { type: bucket, props: { existingBucketId: "archive" } },
      "a policy that is not known yet": { type: bucket, props: { ...existing, deletionPolicy: unknownText } },
    },
    notAbout: {
      "a StorageClass whose parameters are not known yet": {
        type: storageClass,
        props: { provisioner, parameters: unknownObject },
      },
      "a bucket that the program makes": { type: bucket, props: { deletionPolicy: "Delete" } },
      "a bucket with an empty id": { type: bucket, props: { ...existing, existingBucketId: "" } },
      "a StorageClass of new buckets": {
        type: storageClass,
        props: { provisioner, parameters: { tier: "1" } },
      },
      "a Deployment of Kubernetes": { type: "kubernetes:apps/v1:Deployment", props: { spec: existing } },
    },
  });
});

describe("the rule cosi-credentials-in-named-namespaces", () => {
  const access = (namespace: unknown): Given => ({
    type: objectOf("BucketAccess"),
    props: { metadata: { name: "photos", namespace }, spec: { credentialsSecretName: "creds" } },
  });
  const inDefault = (type: string, spec: object): Given => ({
    type,
    props: { metadata: { namespace: "default" }, spec },
  });
  const secret = "pulumi-nodejs:dynamic/cosi/kubernetes:Secret";
  const shops = { namespaces: ["shop", "shop-*"] };
  verdicts(credentialsInNamedNamespaces, {
    refused: {
      "the namespace default": [
        access("default"),
        /metadata\.namespace is "default", and credentials may not be in "default", "kube-\*"/,
      ],
      "a namespace of the cluster": [access("kube-system")],
      "a namespace that is not in the list": [
        { ...access("bank"), config: shops },
        /metadata\.namespace is "bank", and credentials may be in "shop", "shop-\*" only/,
      ],
      "a namespace of the list that is denied": [
        { ...access("shop-dev"), config: { ...shops, deniedNamespaces: ["*-dev"] } },
      ],
      "a missing namespace": [access(undefined), /metadata\.namespace is missing/],
      "a Secret": [{ type: secret, props: { namespace: "default" } }, /: namespace is "default"/],
      "a claim": [{ type: "pulumi-nodejs:dynamic/cosi/objectbucket:Claim", props: { namespace: "default" } }],
      "a Bucket of the proposal of 2020-02-27": [
        {
          type: "pulumi-nodejs:dynamic/cosi/cosi20200227:BucketBinding",
          props: { bucket: { namespace: "default", name: "photos" } },
        },
        /bucket\.namespace is "default"/,
      ],
      "its source Secret": [
        { type: "pulumi-nodejs:dynamic/cosi/cosi20200227:SourceSecret", props: { namespace: "default" } },
      ],
      "an ObjectBucketClaim that the program writes by itself": [
        {
          type: objectOf("ObjectBucketClaim", "objectbucket.io"),
          props: { metadata: { namespace: "default" } },
        },
      ],
      "a DeploymentAccess": [
        { ...access("default"), type: objectOf("DeploymentAccess", "platform.plural.sh") },
      ],
      "a BucketAccessRequest of the proposal of 2020-07-08": [
        inDefault(objectOf("BucketAccessRequest", "cosi.io"), { accessSecretName: "creds" }),
      ],
      "its BucketRequest with a Secret": [
        inDefault(objectOf("BucketRequest", "cosi.io"), { secretName: "creds" }),
      ],
      "a Bucket object of the proposal of 2020-02-27, which names a Secret": [
        inDefault(objectOf("Bucket", "cosi.io"), { requestProtocol: "s3", secretName: "creds" }),
      ],
      "one that leaves the name of the Secret to the package": [
        inDefault(objectOf("Bucket", "cosi.io"), { requestProtocol: "s3" }),
      ],
      "a BucketAccess of v1alpha2": [
        inDefault("kubernetes:objectstorage.k8s.io/v1alpha2:BucketAccess", {
          bucketClaims: [{ bucketClaimName: "photos", accessMode: "ReadOnly", accessSecretName: "creds" }],
        }),
      ],
      "a patch of an access": [inDefault(objectOf("BucketAccessPatch"), { credentialsSecretName: "creds" })],
    },
    passed: {
      "any other namespace": access("shop"),
      "a namespace of the list": { ...access("shop-eu"), config: shops },
      "a namespace that is not known yet": access(unknownText),
      "metadata that are not known yet": {
        type: objectOf("BucketAccess"),
        props: { metadata: unknownObject, spec: { credentialsSecretName: "creds" } },
      },
      "a Secret whose namespace is not known yet": { type: secret, props: { namespace: unknownText } },
    },
    notAbout: {
      "a claim, which has no credentials": {
        type: objectOf("BucketClaim"),
        props: { metadata: { namespace: "default" }, spec: { bucketClassName: "gold" } },
      },
      "a Bucket object that is in no namespace, before its spec is known": {
        type: objectOf("Bucket"),
        props: { metadata: { name: "photos" }, spec: unknownObject },
      },
      "a request without Secret, for a ServiceAccount": inDefault(
        objectOf("BucketAccessRequest", "cosi.io"),
        {
          serviceAccountName: "shop",
        },
      ),
      "a Certificate below an access": {
        ...inDefault("kubernetes:cert-manager.io/v1:Certificate", { secretName: "tls" }),
        parents: ["cosi:objectstorage:BucketAccess"],
      },
      "a Certificate below an access of another language": {
        ...inDefault("kubernetes:cert-manager.io/v1:Certificate", { secretName: "tls" }),
        parents: ["cosi:index:BucketAccess"],
      },
      "a Secret of somebody else": {
        type: "kubernetes:core/v1:Secret",
        props: { metadata: { namespace: "default" } },
      },
    },
  });
});

describe("the rule cosi-allowed-drivers", () => {
  const config = { drivers: ["cosi.example.com", "*.trusted.io"] };
  const ofDriver = (driverName: string, type = bucket): Given => ({
    type,
    props: { driver: { driverName } },
    config,
  });
  const driver = "pulumi-nodejs:dynamic/cosi:Driver";
  verdicts(allowedDrivers, {
    refused: {
      "a bucket of another driver": [
        ofDriver("evil.example.com"),
        /driver\.driverName is "evil\.example\.com", and the allowed drivers are "cosi\.example\.com", "\*\.trusted\.io"/,
      ],
      "a deployment": [ofDriver("evil.example.com", deployment)],
      "an access to a bucket": [ofDriver("evil.example.com", "pulumi-nodejs:dynamic/cosi:BucketAccess")],
      "an access to a deployment": [
        ofDriver("evil.example.com", "pulumi-nodejs:dynamic/cosi:DeploymentAccess"),
      ],
      "the driver itself": [
        { type: driver, props: { driverName: "trusted.io" }, config },
        /: driverName is "trusted\.io"/,
      ],
      "an access that names no driver of its own": [
        {
          type: "cosi:index:BucketAccess",
          props: { bucket: { name: "photos", driver: { driverName: "evil.example.com" } } },
          config,
        },
        /bucket\.driver\.driverName is "evil\.example\.com"/,
      ],
      "an access to a deployment that names none": [
        {
          type: "cosi:index:DeploymentAccess",
          props: { deployment: { name: "ledger", driver: { driverName: "evil.example.com" } } },
          config,
        },
        /deployment\.driver\.driverName/,
      ],
      "a Bucket object that the program writes by itself": [
        { type: objectOf("Bucket"), props: { spec: { driverName: "evil.example.com" } }, config },
        /spec\.driverName is "evil\.example\.com"/,
      ],
      "a Bucket object of a proposal": [
        { type: objectOf("Bucket", "cosi.io"), props: { spec: { provisioner: "evil/example.com" } }, config },
        /spec\.provisioner is "evil\/example\.com"/,
      ],
      "a BucketContent": [
        {
          type: objectOf("BucketContent", "cosi.io"),
          props: { spec: { provisioner: "evil.example.com" } },
          config,
        },
      ],
      "a BucketAccess object of a proposal": [
        {
          type: objectOf("BucketAccess", "cosi.io"),
          props: { spec: { provisioner: "evil/example.com" } },
          config,
        },
      ],
      "a Deployment object": [
        {
          type: objectOf("Deployment", "platform.plural.sh"),
          props: { spec: { driverName: "evil.example.com" } },
          config,
        },
      ],
      "an administrator's Bucket": [
        {
          type: "pulumi-nodejs:dynamic/cosi/cosi20200708:AdminBucket",
          props: { provisioner: "evil/example.com" },
          config,
        },
        /: provisioner is/,
      ],
      "a class of v1alpha2": [
        {
          type: "kubernetes:objectstorage.k8s.io/v1alpha2:BucketAccessClass",
          props: { spec: { driverName: "evil.example.com" } },
          config,
        },
      ],
      "a patch of a class": [
        { type: objectOf("BucketClassPatch"), props: { driverName: "evil.example.com" }, config },
      ],
      "a class": [{ type: objectOf("BucketAccessClass"), props: { driverName: "evil.example.com" }, config }],
      "a class of a proposal": [
        { type: objectOf("BucketClass", "cosi.io"), props: { provisioner: "evil/example.com" }, config },
        /provisioner is "evil\/example\.com"/,
      ],
    },
    passed: {
      "a driver of the list": ofDriver("cosi.example.com"),
      "a driver of the list in other letters": ofDriver("COSI.example.com"),
      "a driver that a pattern fits": ofDriver("s3.trusted.io"),
      "a name that is not known yet": ofDriver(unknownText),
      "a driver that is not known yet": { type: bucket, props: { driver: unknownObject }, config },
      "a driver without a name of the program's": {
        type: driver,
        props: { endpoint: "unix:///run/x.sock" },
        config,
      },
      "an access with a driver of the list, to a bucket of another": {
        type: "cosi:index:BucketAccess",
        props: {
          driver: { driverName: "cosi.example.com" },
          bucket: { name: "photos", driver: { driverName: "evil.example.com" } },
        },
        config,
      },
      "an access with a driver that is not known yet": {
        type: "cosi:index:BucketAccess",
        props: { driver: unknownObject, bucket: { driver: { driverName: "evil.example.com" } } },
        config,
      },
      "any driver without configuration": { ...ofDriver("evil.example.com"), config: {} },
    },
    notAbout: {
      "a claim": { type: objectOf("BucketClaim"), props: { driverName: "evil.example.com" }, config },
      "a StorageClass": { type: storageClass, props: { provisioner: "evil.example.com/bucket" }, config },
      "the object that a component writes beside a bucket": {
        type: objectOf("Bucket"),
        props: { spec: { driverName: "evil.example.com" } },
        parents: ["cosi:objectstorage:Bucket"],
        config,
      },
      "a Deployment of Kubernetes": {
        type: "kubernetes:apps/v1:Deployment",
        props: { spec: { driverName: "evil.example.com" } },
        parents: ["cosi:deployment:DeploymentAccess"],
        config,
      },
    },
  });
});
