import assert from "node:assert/strict";
import { join } from "node:path";

import type { Answer } from "../../../tools/toolchain/tool-source";
import {
  checksumLine,
  fakeProgram,
  packed,
  partialSize,
  publish,
  sourceUnderTest,
} from "../fixtures/fake-release";
import {
  answer,
  breakOff,
  cutOff,
  etagOf,
  reset,
  runningServer,
  sendWhole,
  stall,
  type Fault,
} from "../fixtures/release-server";
import { temporaryFolder } from "../fixtures/temporary-folder";

const ARCHIVE = "/fake/v1.2.3/fake.tar.gz";
const SUMS = "/fake/v1.2.3/SHA256SUMS";
/** Enough to be on the disk by the time of the break. */
const PART = 60_000;

describe("the download of a release", () => {
  const folder = temporaryFolder();
  const server = runningServer();
  const cache = () => join(folder(), "cache");
  const arrived = () => partialSize(cache());
  const cut: Fault = (...request) => {
    cutOff(PART, arrived)(...request);
  };
  const ranges = () =>
    server()
      .seen(ARCHIVE)
      .map(({ headers }) => headers.range);
  const reasonOf = (found: Answer): string => {
    assert.equal(found.path, undefined);
    return found.reason;
  };

  it("goes on where the connection broke, and asks for the same file only", async () => {
    const { tool, file } = await publish(server());
    server().fail(ARCHIVE, cut);
    const { find, said } = sourceUnderTest(cache());
    assert.ok((await find(tool)).path !== undefined);
    assert.deepEqual(ranges(), [undefined, `bytes=${PART}-`]);
    assert.equal(server().seen(ARCHIVE)[1]?.headers["if-range"], etagOf(file));
    assert.match(said.join("\n"), /the connection broke: .*; trying again in 0 s/);
  });

  it("goes on in a later run, with what an earlier one has left", async () => {
    const { tool } = await publish(server());
    server().fail(ARCHIVE, cut, answer(403));
    assert.match(reasonOf(await sourceUnderTest(cache()).find(tool)), /answers 403/);
    const { find, said } = sourceUnderTest(cache());
    assert.ok((await find(tool)).path !== undefined);
    assert.deepEqual(ranges(), [undefined, `bytes=${PART}-`, `bytes=${PART}-`]);
    assert.match(
      said[0] ?? "",
      /^downloading cosi-fake-tool 1\.2\.3 from 127\.0\.0\.1:\d+ \(0\.1 MB\), going on after 0\.1 MB$/,
    );
  });

  it("goes on by the date of the file when its ETag is weak", async () => {
    const { tool, file } = await publish(server());
    const date = "Sat, 28 Nov 2026 10:00:00 GMT";
    server().fail(
      ARCHIVE,
      cutOff(PART, arrived, { etag: 'W/"weak"', "last-modified": date }),
      (request, response) => {
        assert.equal(request.headers["if-range"], date);
        response.writeHead(206, { "content-range": `bytes ${PART}-${file.length - 1}/${file.length}` });
        response.end(file.subarray(PART));
      },
    );
    assert.ok((await sourceUnderTest(cache()).find(tool)).path !== undefined);
    assert.deepEqual(ranges(), [undefined, `bytes=${PART}-`]);
  });

  const another = () => packed("tar.gz", fakeProgram());
  const anew: readonly {
    readonly title: string;
    readonly faults: readonly Fault[];
    readonly requests: number;
  }[] = [
    { title: "the server sends the whole file", faults: [cut, sendWhole], requests: 2 },
    { title: "the server has no such rest", faults: [cut, answer(416)], requests: 3 },
    {
      title: "the server sends the rest from another place",
      faults: [
        cut,
        (_request, response, file) => {
          response.writeHead(206, { etag: etagOf(file), "content-range": `bytes 0-9/${file.length}` });
          response.end(file.subarray(0, 10));
        },
      ],
      requests: 3,
    },
    {
      title: "the server sends the rest of another file in spite of If-Range",
      faults: [
        cut,
        (_request, response, file) => {
          const range = `bytes ${PART}-${file.length - 1}/${file.length}`;
          response.writeHead(206, { etag: '"another"', "content-range": range }).end(file.subarray(PART));
        },
      ],
      requests: 3,
    },
    {
      title: "the server tells nothing to recognise the file by",
      faults: [cutOff(PART, arrived, {})],
      requests: 2,
    },
  ];
  for (const { title, faults, requests } of anew) {
    it(`begins anew when ${title}`, async () => {
      const { tool } = await publish(server());
      server().fail(ARCHIVE, ...faults);
      const found = await sourceUnderTest(cache()).find(tool);
      assert.ok(found.path !== undefined, JSON.stringify(found));
      assert.equal(ranges().length, requests);
    });
  }

  it("begins anew when the file has changed meanwhile", async () => {
    const { tool } = await publish(server());
    const changed = await another();
    server().fail(ARCHIVE, (request, response, file) => {
      server().files.set(ARCHIVE, changed);
      cut(request, response, file);
    });
    server().fail(SUMS, (_request, response) => response.end(checksumLine("fake.tar.gz", changed)));
    assert.ok((await sourceUnderTest(cache()).find(tool)).path !== undefined);
    assert.deepEqual(ranges(), [undefined, `bytes=${PART}-`]);
  });

  it("is tried again after a stall, a reset and answers that pass", async () => {
    const { tool } = await publish(server());
    server().fail(SUMS, answer(500), reset, answer(408));
    server().fail(ARCHIVE, stall(PART), answer(503), reset);
    const { find, said } = sourceUnderTest(cache(), {}, { stallMs: 1_000 });
    assert.ok((await find(tool)).path !== undefined);
    assert.match(said.join("\n"), /127\.0\.0\.1:\d+ sent nothing for 1 s; trying again/);
    assert.match(said.join("\n"), /SHA256SUMS answers 500 Internal Server Error; trying again/);
    assert.deepEqual(ranges(), [undefined, ...Array<string>(3).fill(`bytes=${PART}-`)]);
  });

  it("waits for an answer longer than for a connection", async () => {
    const { tool } = await publish(server());
    server().fail(ARCHIVE, (...request) => {
      setTimeout(() => {
        sendWhole(...request);
      }, 1_000);
    });
    const { find } = sourceUnderTest(cache(), {}, { connectMs: 500 });
    assert.ok((await find(tool)).path !== undefined);
    assert.equal(ranges().length, 1);
  });

  it("waits as long as the server asks, unless that is too long", async () => {
    const { tool } = await publish(server());
    server().fail(SUMS, answer(429, { "retry-after": "1" }));
    const begun = performance.now();
    assert.ok((await sourceUnderTest(cache()).find(tool)).path !== undefined);
    assert.ok(performance.now() - begun >= 1000);
    server().fail(SUMS, answer(429, { "retry-after": "3600" }));
    const reason = reasonOf(await sourceUnderTest(join(folder(), "other")).find(tool));
    assert.match(reason, /answers 429 Too Many Requests, and asks to wait 3600 s$/);
    assert.equal(server().seen(SUMS).length, 3);
  });

  it("is given up after some tries in a row that bring nothing, and nothing else of the host is tried", async () => {
    const { tool } = await publish(server());
    server().fail(ARCHIVE, cut, ...Array<Fault>(4).fill(answer(502)));
    const { find, said } = sourceUnderTest(cache());
    // The first try brought something.
    assert.match(reasonOf(await find(tool)), /answers 502 Bad Gateway; given up after 4 tries$/);
    assert.equal(ranges().length, 4);
    const requests = server().requests.length;
    assert.match(reasonOf(await find({ ...tool, name: "another" })), /given up after 4 tries$/);
    assert.equal(server().requests.length, requests);
    assert.equal(
      said.filter((line) => line.includes("its releases are not asked for again in this run")).length,
      1,
    );
  });

  it("does not count a try that brought much, however often the connection breaks", async () => {
    const { tool, file } = await publish(server());
    const slice: Fault = (request, response, whole) => {
      const start = Number(/\d+/.exec(request.headers.range ?? "")?.[0] ?? 0);
      const end = Math.min(start + 15_000, whole.length);
      const headers = { etag: etagOf(whole), "content-length": whole.length - start };
      const range = { "content-range": `bytes ${start}-${whole.length - 1}/${whole.length}` };
      response.writeHead(start > 0 ? 206 : 200, start > 0 ? { ...headers, ...range } : headers);
      response.write(whole.subarray(start, end));
      void breakOff(response, end, arrived);
    };
    const breaks = Math.floor(file.length / 15_000);
    assert.ok(breaks > 5);
    server().fail(ARCHIVE, ...Array<Fault>(breaks).fill(slice));
    assert.ok((await sourceUnderTest(cache()).find(tool)).path !== undefined);
    assert.equal(ranges().length, breaks + 1);
  });

  it("ends at once where the file is not there, or may not be had", async () => {
    const { tool } = await publish(server());
    server().files.delete(ARCHIVE);
    const { find } = sourceUnderTest(cache());
    assert.equal(reasonOf(await find(tool)), `${server().url}${ARCHIVE} answers 404 Not Found`);
    server().fail(SUMS, answer(403));
    const forbidden = await find(tool);
    assert.equal(reasonOf(forbidden), `${server().url}${SUMS} answers 403 Forbidden`);
    assert.match(
      "remedy" in forbidden ? (forbidden.remedy ?? "") : "",
      /a proxy or firewall may forbid this address/,
    );
    assert.equal(server().seen(ARCHIVE).length, 1);
    assert.equal(server().seen(SUMS).length, 2);
  });
});
