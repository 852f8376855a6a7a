import assert from "node:assert/strict";
import { attemptCall } from "../../../../provider/driver/call/attempt";
import { Channel } from "../../../../provider/driver/connect/channel";
import { parseEndpoint } from "../../../../provider/driver/connect/endpoint";
import { secretMask } from "../../../../provider/driver/secrets/secret-mask";
import { DriverGrantBucketAccessRequest } from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { answers, paths, secretKey } from "../../../support/cosi-v1alpha1";
import { FakeDriver } from "../../../support/fake-driver";

describe("an attempt of a call", () => {
  let driver: FakeDriver;
  let channel: Channel;

  beforeEach(async () => {
    driver = await new FakeDriver()
      .on(paths.grant, () =>
        answers.granted("account-7", {
          accessKeyID: "account-7",
          accessSecretKey: secretKey,
          bucketName: "photos-in-eu",
          bucketId: "the-id-of-it",
          region: "eu-central-1",
          endpoint: "https://store.example.com",
        }),
      )
      .start();
    channel = new Channel({ endpoint: parseEndpoint(driver.endpoint) });
  });

  afterEach(() => {
    channel.close();
    driver.stop();
  });

  const grant = (replyType: string) =>
    attemptCall(
      {
        channel,
        endpoint: parseEndpoint(driver.endpoint),
        contract: "cosi.v1alpha1",
        attempt: 1,
        timeoutMilliseconds: 5_000,
      },
      {
        verb: "grant",
        path: paths.grant,
        requestType: "cosi.v1alpha1.DriverGrantBucketAccessRequest",
        replyType,
        encode: () => Buffer.alloc(0),
        decode: (bytes) => bytes.length,
      },
      DriverGrantBucketAccessRequest.encode(
        DriverGrantBucketAccessRequest.fromPartial({ bucketId: "the-id-of-it", name: "photos-rw" }),
      ).finish(),
    );

  it("masks the credentials of its reply from then on, but neither addresses nor names", async () => {
    await grant("cosi.v1alpha1.DriverGrantBucketAccessResponse");
    const plain = "account-7 photos-in-eu the-id-of-it eu-central-1 https://store.example.com";
    assert.equal(secretMask.apply(`${plain} ${secretKey}`), `${plain} [secret]`);
  });

  it("sends nothing where our own descriptors lack the message, which is no fault of the driver", async () => {
    await assert.rejects(grant("cosi.v1alpha1.Nothing"), /no message cosi\.v1alpha1\.Nothing/);
    assert.deepEqual(driver.calls, []);
  });
});
