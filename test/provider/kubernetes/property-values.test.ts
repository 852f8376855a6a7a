import assert from "node:assert/strict";
import { isRecord } from "../../../provider/dynamic/values";
import { provider as configMap } from "../../../provider/kubernetes/config-map";
import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import { provider as deletionGuard } from "../../../provider/kubernetes/deletion-guard";
import { provider as nameGuard } from "../../../provider/kubernetes/name-guard";
import { provider as secret } from "../../../provider/kubernetes/secret";
import { provider as requestBinding } from "../../../provider/models/deployment/request-binding";
import { provider as adoptedClaim } from "../../../provider/models/objectbucket/adopted-claim";
import { provider as objectBucketClaim } from "../../../provider/models/objectbucket/claim";
import { provider as objectBucketBinding } from "../../../provider/models/objectbucket/object-bucket-binding";
import { provider as claimBinding } from "../../../provider/models/objectstorage-v1alpha1/claim-binding";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Paths below a value at which Pulumi's host would fail: it encodes no `undefined`. */
function undefinedPaths(value: unknown, path = ""): string[] {
  if (value === undefined) return [path];
  if (Array.isArray(value))
    return value.flatMap((entry, index) => undefinedPaths(entry, `${path}[${index}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => undefinedPaths(entry, `${path}.${key}`));
}

// What the first preview of a component's resource sends.
const kubernetes = { clusterUid: unknown };
const claim = { namespace: "shop", name: "photos", uid: unknown };
const cases: [string, unknown, object][] = [
  ["CustomResourceDefinitions", definitions, { kubernetes: {}, model: "m", owner: "o" }],
  [
    "NameGuard",
    nameGuard,
    { kubernetes, kind: { kind: "K" }, name: "photos", owner: "o", resource: "photos" },
  ],
  ["DeletionGuard", deletionGuard, { kubernetes, kind: { kind: "K" }, object: claim, owner: "o" }],
  [
    "Secret",
    secret,
    { kubernetes, namespace: "shop", name: "creds", owner: { ...claim, kind: "K" }, data: unknown },
  ],
  [
    "ConfigMap",
    configMap,
    {
      kubernetes,
      namespace: "shop",
      name: "photos",
      owner: { ...claim, kind: "K" },
      data: { HOST: unknown },
    },
  ],
  [
    "ClaimBinding",
    claimBinding,
    { kubernetes, owner: "o", resource: "photos", claim, bucketNameFormat: "v0.2.2" },
  ],
  [
    "RequestBinding",
    requestBinding,
    { kubernetes, model: "deployment-v1alpha1:g", owner: "o", resource: "orders", request: claim },
  ],
  [
    "Claim",
    objectBucketClaim,
    {
      ...{ kubernetes, resource: "photos", namespace: "shop", name: "photos", driverName: unknown },
      ...{
        storageClass: unknown,
        storageClassName: "gold",
        provisioner: unknown,
        generateBucketName: unknown,
      },
      ...{ naming: "prefixAndUid", preferBucketName: false, brownfield: true, dialect: "rook", adopt: false },
      ...{ additionalConfig: unknown, allowedAdditionalConfig: [], allowOperatorProvisioner: false },
      ...{ objectBucketName: "obc", secretName: unknown, configMapName: "photos", warnings: [unknown] },
    },
  ],
  [
    "AdoptedClaim",
    adoptedClaim,
    { kubernetes, claim, objectBucketName: "obc", secretName: "photos", configMapName: "photos" },
  ],
  [
    "ObjectBucketBinding",
    objectBucketBinding,
    {
      ...{
        kubernetes,
        resource: "photos",
        claim,
        name: "obc",
        provisioner: unknown,
        storageClassName: "gold",
      },
      ...{
        reclaimPolicy: unknown,
        endpoint: unknown,
        additionalState: unknown,
        dialect: "rook",
        adopt: false,
      },
    },
  ],
];

describe("the check of a dynamic resource", () => {
  for (const [type, provider, news] of cases) {
    it(`of ${type} returns values that can be sent, and refuses nothing that is not known`, async () => {
      const { check } = provider as {
        check: (olds: object, news: object) => Promise<{ inputs: unknown; failures: unknown[] }>;
      };
      const withoutUid = { ...news, claim: { namespace: "shop", name: "photos" }, owner: { name: "photos" } };
      for (const olds of [{}, news, withoutUid]) {
        const { inputs, failures } = await check(olds, news);
        assert.deepEqual(undefinedPaths(inputs), []);
        assert.deepEqual(failures, []);
      }
    });
  }
});
