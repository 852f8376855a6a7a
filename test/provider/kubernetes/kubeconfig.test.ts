import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { isKubeconfigText, readKubeconfig } from "../../../provider/kubernetes/kubeconfig";
import { withEnvironment } from "../../support/environment";

const kubeconfig = `apiVersion: v1
kind: Config
current-context: first
clusters:
  - { name: one, cluster: { server: "https://one.example.com/" } }
  - { name: two, cluster: { server: "https://two.example.com" } }
  - { name: empty, cluster: {} }
users:
  - { name: me, user: { token: very-secret-token } }
contexts:
  - { name: first, context: { cluster: one, user: me } }
  - { name: second, context: { cluster: two, user: me, namespace: shop } }
  - { name: no-cluster, context: { cluster: absent, user: me } }
  - { name: no-server, context: { cluster: empty, user: me } }
  - { name: no-user, context: { cluster: one, user: somebody } }
  - { name: anonymous, context: { cluster: one } }
`;

/** A kubeconfig whose only cluster, user and context have one name. */
function small(name: string, server: string, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { token: `token-of-${server}` } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    ...more,
  });
}

describe("a kubeconfig", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  async function file(name: string, text: string): Promise<string> {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  }

  it("is given as text or as the path of a file", async () => {
    const path = await file("config", kubeconfig);
    for (const given of [kubeconfig, path]) {
      assert.equal((await readKubeconfig(given, undefined)).server, "https://one.example.com");
    }
    assert.equal(isKubeconfigText(kubeconfig), true);
    assert.equal(isKubeconfigText(path), false);
  });

  it("is used with the context that is asked for", async () => {
    const { server, context, namespace } = await readKubeconfig(kubeconfig, "second");
    assert.deepEqual([server, context, namespace], ["https://two.example.com", "second", "shop"]);
  });

  it("may have a context without a user", async () => {
    assert.deepEqual((await readKubeconfig(kubeconfig, "anonymous")).user, {});
  });

  const refused: readonly (readonly [context: string, why: RegExp])[] = [
    ["third", /no context "third"; it has the contexts: first, second, no-cluster,/],
    ["no-cluster", /its context "no-cluster" names the cluster "absent", which it does not have/],
    ["no-server", /its context "no-server" names the cluster "empty", which has no server/],
    ["no-user", /its context "no-user" names the user "somebody", which it does not have/],
  ];
  for (const [context, why] of refused) {
    it(`is refused with the context ${context}, and says why`, async () => {
      await assert.rejects(readKubeconfig(kubeconfig, context), why);
    });
  }

  it("that sets no current context is refused with the contexts there are", async () => {
    await assert.rejects(
      readKubeconfig(small("a", "https://a.example.com"), undefined),
      /the given kubeconfig cannot be used: it sets no current-context, .*it has the contexts: a$/,
    );
  });

  it("that names a server without https:// is refused, which would not be reached", async () => {
    const given = small("a", "a.example.com:6443", { "current-context": "a" });
    await assert.rejects(
      readKubeconfig(given, undefined),
      /its cluster "a" has a server without https:\/\/$/,
    );
  });

  it("that cannot be read is named, and nothing of it is quoted", async () => {
    const broken: readonly (readonly [text: string, why: RegExp])[] = [
      ['users:\n  - { token: "very-secret-token\n', /is neither YAML nor JSON, see line \d/],
      ["very-secret-token", /it has no clusters, users and contexts/],
      ["users: very-secret-token", /users is no list/],
      ["users:\n  - { user: { token: very-secret-token } }", /users\[0\] has no name/],
      ["clusters:\n  - { name: 5, cluster: { token: very-secret-token } }", /its name is no text/],
    ];
    for (const [text, why] of broken) {
      const path = await file("broken", text);
      await assert.rejects(readKubeconfig(path, undefined), (error) => {
        assert.ok(error instanceof Error);
        assert.ok(error.message.startsWith(`the kubeconfig ${path} cannot be used: `), error.message);
        assert.match(error.message, why);
        assert.doesNotMatch(`${error.message} ${String(error.stack)}`, /very-secret/);
        return true;
      });
    }
    await assert.rejects(readKubeconfig(join(folder, "absent"), undefined), /absent cannot be used: ENOENT/);
  });

  it("says where it comes from", async () => {
    const path = await file("config", kubeconfig);
    const sources: readonly (readonly [source: string, ...read: Parameters<typeof readKubeconfig>])[] = [
      ["the given kubeconfig", kubeconfig, undefined],
      [`the kubeconfig ${path}`, path, undefined],
      ["kubernetes:kubeconfig of the stack's config", kubeconfig, undefined, "stack"],
      [`the kubeconfig ${path} (kubernetes:kubeconfig of the stack's config)`, path, undefined, "stack"],
    ];
    for (const [source, ...read] of sources) assert.equal((await readKubeconfig(...read)).source, source);
  });

  describe("of the environment", () => {
    const read = (files: readonly string[], context?: string) =>
      withEnvironment({ KUBECONFIG: files.join(delimiter), HOME: folder }, () =>
        readKubeconfig(undefined, context),
      );

    it("is in several files: the first that sets a current context wins", async () => {
      const files = [
        await file("none", small("none", "https://none.example.com")),
        await file("a", small("a", "https://a.example.com", { "current-context": "a" })),
        await file("b", small("b", "https://b.example.com", { "current-context": "b" })),
      ];
      const { server, source } = await read(files);
      assert.equal(server, "https://a.example.com");
      assert.equal(source, `the kubeconfig ${files.join(delimiter)} (from KUBECONFIG)`);
      assert.equal((await read(files, "b")).server, "https://b.example.com");
      assert.equal((await read([...files].reverse())).server, "https://b.example.com");
    });

    it("has of a name that several files have the first entry alone", async () => {
      const files = [
        await file("first", small("same", "https://first.example.com")),
        await file(
          "second",
          small("same", "https://second.example.com", {
            "current-context": "same",
            users: [{ name: "same", user: { username: "second", password: "p" } }],
          }),
        ),
      ];
      const { server, user } = await read(files);
      assert.equal(server, "https://first.example.com");
      assert.deepEqual(user, { token: "token-of-https://first.example.com" });
    });

    it("has parts in files of their own", async () => {
      const whole = JSON.parse(small("x", "https://x.example.com")) as Record<string, unknown>;
      const files = await Promise.all(
        Object.entries(whole).map(([key, value]) => file(key, JSON.stringify({ [key]: value }))),
      );
      assert.equal((await read(files, "x")).server, "https://x.example.com");
    });

    it("may name files that are absent or empty", async () => {
      const config = await file("config", kubeconfig);
      const files = [join(folder, "absent"), "", await file("empty", ""), config, join(folder, "gone")];
      assert.equal((await read(files)).server, "https://one.example.com");
    });

    it("names the file of several that is not valid", async () => {
      const files = [await file("config", kubeconfig), await file("broken", "users: 1")];
      await assert.rejects(
        read(files),
        new RegExp(`cannot be used: ${folder}/broken: it is not valid: users`),
      );
    });

    it("that is nowhere is asked for, also where ~/.kube/config is there beside KUBECONFIG", async () => {
      await assert.rejects(
        read([]),
        /no API server is known: neither the kubeconfig \S+\/\.kube\/config nor the Pod's .*give kubeconfig/,
      );
      await mkdir(join(folder, ".kube"));
      await file(".kube/config", kubeconfig);
      assert.equal((await read([])).source, `the kubeconfig ${folder}/.kube/config`);
      await assert.rejects(
        read([join(folder, "absent"), join(folder, "gone")]),
        /no API server is known: neither the kubeconfig \S+absent:\S+gone \(from KUBECONFIG\)/,
      );
      await assert.rejects(read([await file("empty", "")]), /no API server is known/);
    });

    it("has paths that begin at the file which holds them", async () => {
      await mkdir(join(folder, "below"), { recursive: true });
      const cluster = { server: "https://x.example.com", "certificate-authority": "ca.crt" };
      const user = {
        "client-certificate": "me.crt",
        "client-key": "/keys/me.key",
        tokenFile: "../token",
        exec: { command: "./login" },
      };
      const files = [
        await file("users", JSON.stringify({ users: [{ name: "x", user }] })),
        await file("below/config", small("x", "", { clusters: [{ name: "x", cluster }] })),
      ];
      const found = await read(files, "x");
      assert.equal(found.cluster["certificate-authority"], join(folder, "below", "ca.crt"));
      assert.deepEqual(found.user, {
        "client-certificate": join(folder, "me.crt"),
        "client-key": "/keys/me.key",
        tokenFile: join(folder, "..", "token"),
        exec: { command: join(folder, "login") },
      });
      const other = small("x", "https://x", { users: [{ name: "x", user: { exec: { command: "login" } } }] });
      assert.deepEqual((await read([await file("path", other)], "x")).user, { exec: { command: "login" } });
    });
  });
});
