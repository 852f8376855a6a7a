import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { DriverCreateBucketRequest } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { provider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { secretOutput } from "../../../provider/dynamic/values";
import { createSentAnnotation, modelName } from "../../../provider/models/objectbucket/kinds";
import { obligingDriver } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { kubeconfigOf } from "../../support/kubeconfig";
import { failedResource, Lifecycle, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const bucket = new Lifecycle(provider);
const claim = { namespace: "shop", name: "photos", uid: "uid-1" };

/** An API server with the claim, unless it refuses everything. */
class ClaimServer {
  refuses = false;
  readonly #server: Server = createServer((request, response) => {
    request.resume();
    const metadata = { ...claim, annotations: { [createSentAnnotation]: "sent" } };
    response
      .writeHead(this.refuses ? 403 : 200, { "Content-Type": "application/json" })
      .end(JSON.stringify(this.refuses ? { kind: "Status", reason: "Forbidden" } : { metadata }));
  });

  /** @returns A kubeconfig that leads to it. */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return kubeconfigOf({ server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe("parameters that are sent again, where the objects cannot be written before", () => {
  let driver: FakeDriver;
  let server: ClaimServer;
  let inputs: (tier: string, changes?: Properties) => Properties;
  /** What the state has of the bucket, whose parameters are those of the tier 1. */
  let recorded: Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    server = new ClaimServer();
    const kubeconfig = await server.start();
    inputs = (tier, changes = {}) => ({
      driver: driverReference(driver.endpoint),
      logicalName: "photos",
      name: "bucket-uid-1",
      parameters: { tier },
      parametersChange: "resend",
      objects: {
        model: modelName,
        kubernetes: { kubeconfig },
        owner: "organization/shop/test",
        claim,
        bucket: { name: "obc-shop-photos", uid: "" },
      },
      ...changes,
    });
    const { inputs: checked } = await bucket.check({}, inputs("1"));
    const made = { bucketId: "bucket-uid-1", bucketInfo: null, adopted: false };
    recorded = { ...checked, ...made, drift: null, lostClaim: null, schemaVersion: 1 };
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
    server.stop();
  });

  /** What the state keeps of an update whose objects cannot be written. */
  async function failed(olds: Properties, news: Properties): Promise<Properties> {
    beginRun();
    server.refuses = true;
    const failure = await failedResource(bucket.update(olds, news));
    server.refuses = false;
    assert.match(failure.message, /the bucket bucket-uid-1 exists, but its objects could not be written/);
    assert.deepEqual(sent(), []);
    return wire(failure.properties);
  }

  /** The next run, which updates what has failed whatever `diff` says. @returns what the state has after it. */
  async function nextUp(olds: Properties, news: Properties): Promise<Properties> {
    beginRun();
    const { inputs: checked } = await bucket.check(olds, news);
    assert.deepEqual((await bucket.diff(olds, checked)).replaces, []);
    return bucket.update(olds, news);
  }

  const sent = (): (string | undefined)[] =>
    driver
      .bodies("DriverCreateBucket")
      .map((body) => DriverCreateBucketRequest.decode(Buffer.from(body, "hex")).parameters.get("tier"));

  it("are sent by the next up, until which the state has the earlier ones [OBC-076] [GRPC-034]", async () => {
    const olds = await failed(recorded, inputs("2"));
    assert.deepEqual(olds["parameters"], { tier: "1" });
    const outputs = await nextUp(olds, inputs("2"));
    assert.deepEqual(sent(), ["2"]);
    assert.deepEqual(outputs["parameters"], { tier: "2" });
    assert.equal(outputs["parametersUnsettled"], undefined);
  });

  it("are sent where an earlier run has left unknown which of them the driver has [OBC-076]", async () => {
    const unsettled = { ...recorded, parametersUnsettled: true };
    for (const tier of ["1", "2"]) {
      driver.calls.length = 0;
      const olds = await failed(unsettled, inputs(tier));
      assert.deepEqual([olds["parameters"], olds["parametersUnsettled"]], [{ tier: "1" }, true]);
      await nextUp(olds, inputs(tier));
      assert.deepEqual(sent(), [tier]);
    }
  });

  it("are not sent where the change is taken back before", async () => {
    await nextUp(await failed(recorded, inputs("2")), inputs("1"));
    assert.deepEqual(sent(), []);
  });

  it("stay as secret as they were", async () => {
    const secret = { ...recorded, secretParameters: true };
    server.refuses = true;
    beginRun();
    const { properties } = await failedResource(bucket.update(secret, inputs("2")));
    assert.deepEqual(properties["parameters"], { tier: secretOutput("1") });
  });
});
