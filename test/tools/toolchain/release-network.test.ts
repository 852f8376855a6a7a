import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Answer } from "../../../tools/toolchain/tool-source";
import { CertificateAuthority } from "../../support/certificate-authority";
import {
  fakeRelease,
  packed,
  fakeProgram,
  publish,
  sourceUnderTest,
  toolWith,
  checksumLine,
} from "../fixtures/fake-release";
import { RecordingProxy } from "../fixtures/recording-proxy";
import { answer, ReleaseServer, runningServer, type Fault } from "../fixtures/release-server";
import { startFixture } from "../fixtures/start-fixture";
import { temporaryFolder } from "../fixtures/temporary-folder";

const ARCHIVE = "/fake/v1.2.3/fake.tar.gz";
const SUMS = "/fake/v1.2.3/SHA256SUMS";

describe("the way to a release", () => {
  const folder = temporaryFolder();
  const server = runningServer();
  const cache = () => join(folder(), "cache");
  const reasonOf = (found: Answer): string => {
    assert.equal(found.path, undefined);
    return found.reason;
  };

  it("follows redirects, also to another host, but not for ever", async () => {
    const { tool } = await publish(server());
    const store = new ReleaseServer();
    await store.start();
    try {
      server().fail(ARCHIVE, answer(302, { location: "/again" }));
      server().fail("/again", answer(307, { location: `${store.url}/stored?signature=secret` }));
      store.files.set("/stored?signature=secret", server().files.get(ARCHIVE) ?? Buffer.alloc(0));
      assert.ok((await sourceUnderTest(cache()).find(tool)).path !== undefined);
      server().fail(SUMS, answer(302, { location: "/loop" }));
      server().fail("/loop", ...Array<Fault>(5).fill(answer(302, { location: "/loop" })));
      const reason = reasonOf(await sourceUnderTest(join(folder(), "other")).find(tool));
      assert.equal(reason, `${server().url}${SUMS} redirects more than 5 times`);
    } finally {
      await store.stop();
    }
  });

  it("does not follow a redirect to anything but HTTP", async () => {
    const { tool } = await publish(server());
    server().fail(SUMS, answer(302, { location: "file:///etc/passwd" }));
    const reason = reasonOf(await sourceUnderTest(cache()).find(tool));
    assert.equal(reason, `${server().url}${SUMS} redirects to file:///etc/passwd, which is not followed`);
  });

  describe("when a host cannot be reached", () => {
    const twice = async (base: string, environment: NodeJS.ProcessEnv = {}) => {
      const { find, said } = sourceUnderTest(cache(), environment, { connectMs: 1_000 });
      const begun = performance.now();
      const reasons: string[] = [];
      for (const each of ["one", "two"]) {
        reasons.push(reasonOf(await find(toolWith(fakeRelease(`${base}/${each}`)))));
      }
      return { reasons, said, milliseconds: performance.now() - begun };
    };

    it("is known after one refused connection, without another try, and is told once", async () => {
      const gone = new ReleaseServer();
      await gone.start();
      const url = gone.url;
      await gone.stop();
      const { reasons, said } = await twice(url);
      for (const reason of reasons)
        assert.match(reason, /^127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/);
      assert.deepEqual(said, [`${reasons[0] ?? ""}; its releases are not asked for again in this run`]);
    });

    it("is known after one look-up of a name that is not there", async () => {
      const { reasons, said, milliseconds } = await twice("https://releases.invalid");
      for (const reason of reasons) assert.match(reason, /^releases\.invalid cannot be reached: /);
      assert.equal(said.length, 1);
      // Once the bound of the test, which a network without an answer to look-ups needs.
      assert.ok(milliseconds < 1900, `${milliseconds} ms`);
    });

    it("is waited for once, for a bounded time, when nothing answers", async () => {
      const proxy = new RecordingProxy("never answer");
      await proxy.start();
      try {
        const proxied = { HTTPS_PROXY: proxy.url };
        const { reasons, said, milliseconds } = await twice("https://releases.invalid", proxied);
        assert.match(
          reasons[0] ?? "",
          /^releases\.invalid cannot be reached: (no connection within 1 s|.* timed out)/,
        );
        assert.equal(said.length, 1);
        assert.ok(milliseconds < 1900, `${milliseconds} ms`);
        assert.equal(proxy.asked.length, 1);
        // A connection that stays would keep the process from its end.
        while (proxy.tunnels > 0) await sleep(20);
      } finally {
        await proxy.stop();
      }
    });

    it("is known after one tunnel that a proxy refuses", async () => {
      const proxy = new RecordingProxy("refuse");
      await proxy.start();
      try {
        const { reasons, said } = await twice("https://releases.invalid", { https_proxy: proxy.url });
        assert.match(reasons[0] ?? "", /^releases\.invalid cannot be reached: .*403/);
        assert.equal(said.length, 1);
        assert.equal(proxy.asked.length, 1);
      } finally {
        await proxy.stop();
      }
    });
  });

  describe("through a proxy", () => {
    const proxied = async (environment: (proxy: string) => NodeJS.ProcessEnv) => {
      const { tool } = await publish(server());
      const proxy = new RecordingProxy();
      await proxy.start();
      try {
        const found = await sourceUnderTest(cache(), environment(proxy.url)).find(tool);
        assert.ok(found.path !== undefined, JSON.stringify(found));
        return proxy.asked;
      } finally {
        await proxy.stop();
      }
    };
    const both = () => [`GET ${server().url}${SUMS}`, `GET ${server().url}${ARCHIVE}`];

    for (const name of ["HTTP_PROXY", "http_proxy"]) {
      it(`is the one that ${name} names`, async () => {
        assert.deepEqual(await proxied((proxy) => ({ [name]: proxy })), both());
      });
    }

    it("is also one that is named without its scheme", async () => {
      assert.deepEqual(await proxied((proxy) => ({ HTTP_PROXY: new URL(proxy).host })), both());
    });

    for (const name of ["NO_PROXY", "no_proxy"]) {
      it(`is none for a host that ${name} names`, async () => {
        const hosts = "localhost,127.0.0.1";
        assert.deepEqual(await proxied((proxy) => ({ HTTP_PROXY: proxy, [name]: hosts })), []);
      });

      it(`is the proxy for a host that ${name} does not name`, async () => {
        const hosts = "localhost,example.com";
        assert.deepEqual(await proxied((proxy) => ({ HTTP_PROXY: proxy, [name]: hosts })), both());
      });
    }
  });

  describe("over TLS", () => {
    const authority = new CertificateAuthority();
    let secure = new ReleaseServer();
    beforeEach(async () => {
      secure = new ReleaseServer(authority.issue(["127.0.0.1"]));
      await secure.start();
    });
    afterEach(() => secure.stop());

    it("is refused when nobody trusts the certificate, with the variable that helps", async () => {
      const { tool } = await publish(secure);
      const found = await sourceUnderTest(cache()).find(tool);
      assert.match(reasonOf(found), /^the certificate of 127\.0\.0\.1:\d+ is not accepted: /);
      assert.match("remedy" in found ? (found.remedy ?? "") : "", /NODE_EXTRA_CA_CERTS/);
    });

    it("goes through the tunnel of HTTPS_PROXY, with NODE_EXTRA_CA_CERTS, and never on to plain HTTP", async () => {
      await publish(secure, { path: "/one" });
      await publish(secure, { path: "/two" });
      secure.fail("/two/fake.tar.gz", answer(302, { location: `${server().url}/stored` }));
      const file = await packed("tar.gz", fakeProgram());
      server().files.set("/stored", file);
      secure.files.set("/two/SHA256SUMS", checksumLine("fake.tar.gz", file));
      const proxy = new RecordingProxy();
      await proxy.start();
      try {
        await writeFile(join(folder(), "ca.pem"), authority.cert);
        const fixture = startFixture(
          "release-fetcher.ts",
          [cache(), `${secure.url}/one`, `${secure.url}/two`],
          {
            NODE_EXTRA_CA_CERTS: join(folder(), "ca.pem"),
            HTTPS_PROXY: proxy.url,
            NO_PROXY: "",
            no_proxy: "",
          },
        );
        const answers = (await fixture.ended).output.filter((line) => line.startsWith("{"));
        assert.match(answers[0] ?? "", /"path":/);
        const stored = `${server().url}/stored`;
        assert.match(
          answers[1] ?? "",
          new RegExp(`/two/fake\\.tar\\.gz redirects to ${stored}, which is not followed`),
        );
        assert.deepEqual([...new Set(proxy.asked)], [`CONNECT ${new URL(secure.url).host}`]);
        assert.deepEqual(server().requests, []);
      } finally {
        await proxy.stop();
      }
    });
  });
});
