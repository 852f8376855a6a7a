import assert from "node:assert/strict";
import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { provider as deploymentAccessProvider } from "../../provider/deployment-access/provider";
import { provider as deploymentProvider } from "../../provider/deployment/provider";
import { provider as driverProvider } from "../../provider/driver-resource/provider";
import { Lifecycle, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference, quickSettings } from "../support/settings";

const hush = "TOKEN=hush-hush-word";
const endpoint = "unix:///run/cosi/cosi.sock";
const driver = driverReference(endpoint);
const orders = driverReference(endpoint, { contract: "deployment.v1alpha1" });
const settings: Properties = { ...quickSettings(endpoint), endpoint: undefined, command: ["driver"] };
const ofBucket = { driver, bucketName: "b1", bucketId: "b1" };
const ofDeployment = { driver: orders, deploymentName: "d1", deploymentId: "d1" };

const resources = {
  Driver: { lifecycle: new Lifecycle(driverProvider), given: settings },
  Bucket: { lifecycle: new Lifecycle(bucketProvider), given: { driver } },
  BucketAccess: { lifecycle: new Lifecycle(accessProvider), given: ofBucket },
  Deployment: { lifecycle: new Lifecycle(deploymentProvider), given: { driver: orders } },
  DeploymentAccess: { lifecycle: new Lifecycle(deploymentAccessProvider), given: ofDeployment },
} as const;

/** What comes as an output, of which nobody knows the type before the provider does. */
const wrong: readonly (readonly [type: keyof typeof resources, inputs: Properties, said: string])[] = [
  ["Driver", { command: hush }, "command is a text, and must be a list"],
  ["Driver", { command: ["driver", { [hush]: 1 }] }, "command[1] is a map, and must be a text"],
  ["Driver", { environment: hush }, "environment is a text, and must be a map"],
  ["Driver", { environment: [hush] }, "environment is a list, and must be a map"],
  [
    "Driver",
    { environment: { PORT: 8080 } },
    "environment.PORT is a number, and must be a text: put it in quotes",
  ],
  [
    "Driver",
    { command: undefined, endpoint: "dns:///store:443", tls: { key: [hush] } },
    "tls.key is a list, and must be a text",
  ],
  ["Driver", { callTimeoutSeconds: hush }, "callTimeoutSeconds is a text, and must be a number"],
  ["Driver", { endpoint: [hush], command: undefined }, "endpoint is a list, and must be a text"],
  ["Bucket", { parameters: hush }, "parameters is a text, and must be a map"],
  ["Bucket", { parameters: { size: [hush] } }, "parameters.size is a list, and must be a text"],
  ["Bucket", { deleteTimeoutSeconds: hush }, "deleteTimeoutSeconds is a text, and must be a number"],
  ["Bucket", { protocol: [hush] }, "protocol is a list, and must be a text"],
  ["BucketAccess", { parameters: hush }, "parameters is a text, and must be a map"],
  ["BucketAccess", { defaultEndpoint: [hush] }, "endpoint is a list, and must be a text"],
  ["BucketAccess", { rotation: { everyDays: hush } }, "rotation.everyDays is a text, and must be a number"],
  [
    "BucketAccess",
    { existingAccount: hush },
    "existingAccount is a text, and must be a map with accountId, accessKeyId, accessSecretKey, accessToken",
  ],
  [
    "BucketAccess",
    { existingAccount: { accountId: "u", accessToken: [hush] } },
    "existingAccount.accessToken is a list, and must be a text",
  ],
  ["Deployment", { parameters: [hush] }, "parameters is a list, and must be a map"],
  ["Deployment", { existingDeploymentId: [hush] }, "existingDeploymentId is a list, and must be a text"],
  [
    "DeploymentAccess",
    { existingAccount: { accountId: "u", credentials: { store: hush } } },
    "existingAccount.credentials.store is a text, and must be a map",
  ],
];

describe("inputs that come as outputs", () => {
  beforeEach(beginRun);

  for (const [type, inputs, said] of wrong) {
    it(`are refused by their type, and nothing of them is shown: ${type}, ${said}`, async () => {
      const { lifecycle, given } = resources[type];
      const { failures } = await lifecycle.check({}, { ...given, logicalName: "one", ...inputs });
      assert.deepEqual(failures, [said]);
    });
  }

  for (const [type, { lifecycle, given }] of Object.entries(resources)) {
    it(`are taken where their type is right: ${type}`, async () => {
      const { failures } = await lifecycle.check({}, { ...given, logicalName: "one" });
      assert.deepEqual(failures, []);
    });
  }

  it("are all told of at once", async () => {
    const { lifecycle, given } = resources.Driver;
    const inputs = { ...given, logicalName: "one", command: hush, environment: hush, largeFields: "yes" };
    assert.deepEqual((await lifecycle.check({}, inputs)).failures, [
      "command is a text, and must be a list",
      "environment is a text, and must be a map",
      "largeFields is a text, and must be true or false",
    ]);
  });
});
