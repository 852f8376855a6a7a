import assert from "node:assert/strict";

import { checksumOf } from "../../../tools/toolchain/release/checksums";
import { platformOf } from "../../../tools/toolchain/release/platform";
import { progressLines } from "../../../tools/toolchain/release/progress-lines";
import { shownUrl } from "../../../tools/toolchain/release/shown-url";
import { retryAfter } from "../../../tools/toolchain/release/status-error";

describe("a checksum file", () => {
  const sum = "0123456789abcdef".repeat(4);

  it("is read as sha256sum and its kin write it", () => {
    for (const line of [
      `${sum}  a.zip`,
      `${sum} *a.zip`,
      `${sum}  ./a.zip`,
      `${sum.toUpperCase()}\ta.zip\r`,
      sum,
      `${sum}\n`,
    ]) {
      assert.equal(checksumOf(line, "a.zip", "sha256"), sum, line);
      if (line.includes("a.zip")) {
        assert.equal(checksumOf(`${"f".repeat(64)}  b.zip\n${line}\n`, "a.zip", "sha256"), sum, line);
      }
    }
  });

  it("has no sum of a file that it does not name in full, nor one of another algorithm", () => {
    for (const line of [
      `${sum}  xa.zip`,
      `${sum}  a.zip.sig`,
      `${sum}  other/a.zip`,
      `${sum.slice(1)}  a.zip`,
      "",
    ]) {
      assert.equal(checksumOf(line, "a.zip", "sha256"), undefined, line);
    }
    assert.equal(checksumOf(`${sum}  a.zip`, "a.zip", "md5"), undefined);
    assert.equal(checksumOf(sum.slice(0, 32), "a.zip", "md5"), sum.slice(0, 32));
  });
});

describe("what a download says", () => {
  it("is one line when it begins, and one for each quarter of what takes long", () => {
    let now = 0;
    const lines: string[] = [];
    const progress = progressLines(
      "pulumi 1.0 from github.com",
      (line) => lines.push(line),
      () => now,
    );
    for (let received = 0; received <= 100_000_000; received += 1_000_000) {
      now += 200;
      progress(received, 100_000_000);
    }
    assert.deepEqual(lines, [
      "downloading pulumi 1.0 from github.com (100.0 MB)",
      "pulumi 1.0 from github.com: 25 %, 25.0 of 100.0 MB",
      "pulumi 1.0 from github.com: 50 %, 50.0 of 100.0 MB",
      "pulumi 1.0 from github.com: 75 %, 75.0 of 100.0 MB",
    ]);
  });

  it("is one line for what is there within seconds", () => {
    const lines: string[] = [];
    const progress = progressLines(
      "etcd",
      (line) => lines.push(line),
      () => 0,
    );
    for (let received = 0; received <= 20; received += 1) progress(received * 1_000_000, 20_000_000);
    assert.deepEqual(lines, ["downloading etcd (20.0 MB)"]);
  });

  it("names megabytes alone when the server does not tell the size", () => {
    let now = 0;
    const lines: string[] = [];
    const progress = progressLines(
      "etcd",
      (line) => lines.push(line),
      () => now,
    );
    progress(0, undefined);
    now = 60_000;
    progress(50_000_000, undefined);
    assert.deepEqual(lines, ["downloading etcd", "etcd: 50.0 MB"]);
  });

  it("shows no password and no signature of an address", () => {
    const url = new URL("https://user:password@mirror.example.com/a?signature=secret#part");
    assert.equal(shownUrl(url), "https://mirror.example.com/a");
  });
});

describe("the wait that a server asks for", () => {
  it("is in seconds or until a date", () => {
    const now = Date.parse("2026-11-29T10:00:00Z");
    assert.equal(retryAfter("7", now), 7000);
    assert.equal(retryAfter("Sun, 29 Nov 2026 10:00:09 GMT", now), 9000);
    assert.equal(retryAfter("Sun, 29 Nov 2026 09:00:00 GMT", now), 0);
    for (const none of [undefined, "", "soon"]) assert.equal(retryAfter(none, now), undefined);
  });
});

describe("the platforms that releases are taken for", () => {
  it("are Linux and macOS on x86-64 and arm64", () => {
    assert.equal(platformOf("darwin", "arm64"), "darwin-arm64");
    for (const [system, architecture] of [
      ["win32", "x64"],
      ["linux", "riscv64"],
      ["freebsd", "x64"],
    ] as const) {
      assert.equal(platformOf(system, architecture), undefined);
    }
  });
});
