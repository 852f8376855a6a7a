import assert from "node:assert/strict";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { answers, paths } from "../../support/cosi-v1alpha1";
import { failedResource, Lifecycle } from "../../support/lifecycle";
import { oddAnswer } from "../../support/replies/odd-answers";
import { okAnswer, type RawAnswer } from "../../support/replies/raw-answer";
import { RawDriver } from "../../support/replies/raw-driver";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const message = (answer: ReturnType<typeof answers.created>): Uint8Array =>
  answer instanceof Uint8Array ? answer : assert.fail("a status");

describe("a create whose answer is broken beneath its message", () => {
  const bucket = new Lifecycle(bucketProvider);
  let creates: RawAnswer[];
  let driver: RawDriver;

  const create = () =>
    bucket.create({
      driver: driverReference(driver.endpoint, { firstRetryDelayMilliseconds: 1 }),
      logicalName: "b",
      deletionPolicy: "Delete",
    });

  before(async () => {
    driver = await new RawDriver(({ path }) => {
      if (path === paths.getInfo) return okAnswer(message(answers.info()));
      return creates.shift() ?? okAnswer(message(answers.created("b1")));
    }).start();
  });
  beforeEach(beginRun);
  after(async () => {
    await closeConnections();
    await driver.stop();
  });

  for (const name of [
    "a message that calls itself compressed",
    "an unknown encoding",
    "a message that is not the gzip it says",
  ]) {
    it(`by ${name}, leaves the bucket in the state as failed [OS1-090]`, async () => {
      creates = Array.from({ length: 3 }, () => oddAnswer(name)(message(answers.created("b1")), ""));
      const failed = await failedResource(create());
      assert.equal(failed.properties["bucketId"], null);
      assert.match(
        failed.message,
        /INTERNAL: the driver answered OK, but its reply cannot be read: .*Next: have the driver fixed/,
      );
    });
  }

  for (const code of [11, 12]) {
    it(`by a stream that is reset with ${code} behind it, is sent again [OS1-090]`, async () => {
      creates = [
        oddAnswer(`a stream that is reset with ${code} behind the message`)(
          message(answers.created("b1")),
          "",
        ),
      ];
      assert.equal((await create()).outputs["bucketId"], "b1");
      assert.deepEqual(creates, []);
    });
  }
});
