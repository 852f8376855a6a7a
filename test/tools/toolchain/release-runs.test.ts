import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { partialSize, publish } from "../fixtures/fake-release";
import { runningServer, sendWhole, stall } from "../fixtures/release-server";
import { startFixture, type Fixture } from "../fixtures/start-fixture";
import { temporaryFolder } from "../fixtures/temporary-folder";

const ARCHIVE = "/fake/v1.2.3/fake.tar.gz";
const PART = 60_000;

describe("runs that take the same release", () => {
  const folder = temporaryFolder();
  const server = runningServer();
  const cache = () => join(folder(), "cache");
  const start = (): Fixture => startFixture("release-fetcher.ts", [cache(), `${server().url}/fake/v1.2.3`]);
  const pathOf = async (fixture: Fixture): Promise<string | undefined> => {
    const answer: unknown = JSON.parse((await fixture.ended).output.at(-1) ?? "{}");
    return typeof answer === "object" && answer !== null && "path" in answer
      ? String(answer.path)
      : undefined;
  };
  it("are never given half a file: after a kill in the middle the next one goes on, and ends well", async () => {
    await publish(server());
    server().fail(ARCHIVE, stall(PART));
    const killed = start();
    while ((await partialSize(cache())) < PART) await sleep(20);
    killed.process.kill("SIGKILL");
    await killed.ended;
    const path = await pathOf(start());
    assert.ok(path !== undefined);
    assert.deepEqual(
      server()
        .seen(ARCHIVE)
        .map(({ headers }) => headers.range),
      [undefined, `bytes=${PART}-`],
    );
    assert.equal(await partialSize(cache()), 0);
  });

  it("download it once, and the other one waits", async () => {
    await publish(server());
    let asked = (): void => undefined;
    let answerNow = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    server().fail(ARCHIVE, (...request) => {
      answerNow = () => {
        sendWhole(...request);
      };
      asked();
    });
    const one = start();
    await isAsked;
    const other = start();
    assert.match(await other.nextLine(), /waiting for another run \(pid \d+\) that downloads cosi-fake-tool/);
    answerNow();
    const [path, same] = await Promise.all([pathOf(one), pathOf(other)]);
    assert.ok(path !== undefined);
    assert.equal(same, path);
    assert.equal(server().seen(ARCHIVE).length, 1);
  });
});
