import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { secretKind } from "../../../provider/kubernetes/object";
import { openTransport, type ApiRequest } from "../../../provider/kubernetes/transport";
import { CertificateAuthority } from "../../support/certificate-authority";
import { EchoServer, listen } from "../../support/echo-server";

const get: ApiRequest = {
  method: "GET",
  path: "/api/v1/namespaces/shop/secrets/creds",
  about: { verb: "get", kind: secretKind, reference: { namespace: "shop", name: "creds" } },
};

type User = Readonly<Record<string, unknown>>;

describe("the credentials of a kubeconfig's user", () => {
  let server: EchoServer;
  let folder: string;
  let requests: IncomingMessage[];
  /** Requests that are answered with 401. */
  let unauthorized: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "credentials-"));
    server = new EchoServer();
    requests = [];
    unauthorized = 0;
    server.answer = (request, response) => {
      requests.push(request);
      unauthorized -= 1;
      const status = '{"kind":"Status","reason":"Unauthorized","message":"who are you?"}';
      if (unauthorized >= 0) response.writeHead(401).end(status);
      else response.end("{}");
    };
  });

  afterEach(async () => {
    server.stop();
    await rm(folder, { recursive: true });
  });

  /** What the server has seen of them. */
  const authorizations = () => requests.map(({ headers }) => headers.authorization);

  async function file(name: string, text: string): Promise<string> {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  }

  /** A user with a plugin that is a script for Node.js. */
  function plugin(script: string, more: User = {}): User {
    return {
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: process.execPath,
        args: ["-e", script],
        interactiveMode: "IfAvailable",
        ...more,
      },
    };
  }

  /** A plugin that gives the next answer each time that it is asked. */
  function giving(answers: readonly User[]): User {
    const counter = JSON.stringify(join(folder, "asked"));
    return plugin(`
      const fs = require("node:fs");
      fs.appendFileSync(${counter}, "x");
      const all = ${JSON.stringify(answers.map((status) => ({ kind: "ExecCredential", status })))};
      process.stdout.write(JSON.stringify(all[Math.min(fs.statSync(${counter}).size, all.length) - 1]));`);
  }

  const asked = async () => (await readFile(join(folder, "asked"))).length;

  describe("as headers", () => {
    const table: readonly (readonly [what: string, user: User | null, headers: User])[] = [
      ["no user", null, { authorization: undefined }],
      ["a token", { token: "t" }, { authorization: "Bearer t" }],
      ["a name and password", { username: "me", password: "p" }, { authorization: "Basic bWU6cA==" }],
      [
        "an impersonated user",
        {
          token: "t",
          as: "jane",
          "as-uid": "4711",
          "as-groups": ["dev", "ops"],
          "as-user-extra": { scopes: ["view", "edit"], "acme.com/project%": ["x"] },
        },
        {
          authorization: "Bearer t",
          "impersonate-user": ["jane"],
          "impersonate-uid": ["4711"],
          "impersonate-group": ["dev", "ops"],
          "impersonate-extra-scopes": ["view", "edit"],
          "impersonate-extra-acme.com%2fproject%25": ["x"],
        },
      ],
    ];
    for (const [what, user, headers] of table) {
      it(`are those of ${what}`, async () => {
        const transport = await server.open({}, user);
        await transport.send(get);
        const [request] = requests;
        assert.ok(request);
        const seen: NodeJS.Dict<string[] | string> = {
          ...request.headersDistinct,
          authorization: request.headers.authorization,
        };
        assert.deepEqual(Object.fromEntries(Object.keys(headers).map((name) => [name, seen[name]])), headers);
      });
    }

    it("are refused where a group is to be impersonated without a name", async () => {
      for (const user of [{ "as-groups": ["a"] }, { "as-uid": "1" }, { "as-user-extra": { a: ["b"] } }]) {
        await assert.rejects((await server.open({}, user)).send(get), /as-user-extra, but no as/);
      }
      const wrong = await server.open({}, { as: "jane", "as-groups": "dev" });
      await assert.rejects(wrong.send(get), /as-groups of the kubeconfig's user is no list of texts/);
      assert.equal(requests.length, 0);
    });

    it("are refused where one is a number, which would be left out", async () => {
      await assert.rejects(
        (await server.open({}, { token: 12345678 })).send(get),
        /AuthenticationFailed: .*: its token is no text \(the given kubeconfig/,
      );
    });
  });

  it("may be absent, and the cluster's certificate authority or the lack of one counts all the same", async () => {
    await (await server.open({}, null)).send(get);
    const insecure = { "certificate-authority-data": "", "insecure-skip-tls-verify": true };
    await (await server.open(insecure, null)).send(get);
    await assert.rejects(
      (await server.open({ "certificate-authority-data": "" }, null)).send(get),
      /DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    );
  });

  it("stay here for a server without TLS, such as that of kubectl proxy, which is asked without", async () => {
    const plain = createServer((request, response) => {
      requests.push(request);
      response.end("{}");
    });
    const port = await listen(plain);
    try {
      const user = { token: "very-secret-token", as: "somebody", exec: { command: "/no/such/plugin" } };
      const transport = await server.open({ server: `http://127.0.0.1:${port}` }, user);
      await transport.send(get);
    } finally {
      plain.closeAllConnections();
      plain.close();
    }
    assert.equal(requests.length, 1);
    assert.deepEqual([...authorizations(), requests[0]?.headers["impersonate-user"]], [undefined, undefined]);
  });

  it("of a tokenFile are read anew for each request, and go before a token", async () => {
    const tokenFile = await file("token", "first\n");
    const transport = await server.open({}, { tokenFile, token: "other" });
    await transport.send(get);
    await file("token", "second");
    await transport.send(get);
    assert.deepEqual(authorizations(), ["Bearer first", "Bearer second"]);
    await file("token", "\n");
    await assert.rejects(transport.send(get), /the tokenFile \S+token of the kubeconfig is empty/);
  });

  it("have data before a file", async () => {
    const authority = await file("other.crt", new CertificateAuthority().cert);
    await (await server.open({ "certificate-authority": authority })).send(get);
    assert.equal(requests.length, 1);
  });

  for (const key of ["certificate-authority", "client-certificate", "client-key", "tokenFile"]) {
    it(`name the file of ${key} that is missing, and where the kubeconfig comes from`, async () => {
      const path = join(folder, "absent.pem");
      const transport =
        key === "certificate-authority"
          ? await server.open({ [key]: path, "certificate-authority-data": "" })
          : await server.open({}, { [key]: path });
      const named = `the ${key} ${path} of the kubeconfig cannot be read (ENOENT) (the given kubeconfig, context "test"). Next: correct`;
      await assert.rejects(transport.send(get), (error) => {
        assert.ok(error instanceof Error && error.message.includes(named), String(error));
        return true;
      });
    });
  }

  describe("that an exec plugin gives", () => {
    it("are asked for once, and again when they have expired", async () => {
      const expirationTimestamp = new Date(Date.now() + 2_000).toISOString();
      const transport = await server.open(
        {},
        giving([{ token: "one", expirationTimestamp }, { token: "two" }]),
      );
      await Promise.all([transport.send(get), transport.send(get)]);
      await transport.send(get);
      await pause(2_000);
      await Promise.all([transport.send(get), transport.send(get)]);
      assert.deepEqual(authorizations().sort(), [
        "Bearer one",
        "Bearer one",
        "Bearer one",
        "Bearer two",
        "Bearer two",
      ]);
      assert.equal(await asked(), 2);
    });

    it("are not asked for where the user has a token", async () => {
      await (await server.open({}, { ...giving([{ token: "plugin" }]), token: "own" })).send(get);
      assert.deepEqual(authorizations(), ["Bearer own"]);
    });

    it("are those for the cluster that it is told", async () => {
      const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { audience: "acme" } }];
      const script = `
        const info = process.env.KUBERNETES_EXEC_INFO;
        const token = Buffer.from(JSON.stringify([info, process.env.REGION])).toString("base64");
        console.log(JSON.stringify({ kind: "ExecCredential", status: { token } }))`;
      const env = [{ name: "REGION", value: "eu" }];
      for (const provideClusterInfo of [false, true]) {
        const transport = await server.open({ extensions }, plugin(script, { provideClusterInfo, env }));
        await transport.send(get);
      }
      const told = authorizations().map((header = "") => {
        const [info, region] = JSON.parse(Buffer.from(header.slice(7), "base64").toString()) as [
          string,
          string,
        ];
        return { ...(JSON.parse(info) as object), region };
      });
      const common = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", region: "eu" };
      const cluster = {
        server: `https://127.0.0.1:${server.port}`,
        "certificate-authority-data": Buffer.from(server.authority.cert).toString("base64"),
        config: { audience: "acme" },
      };
      assert.deepEqual(told, [
        { ...common, spec: { interactive: false } },
        { ...common, spec: { interactive: false, cluster } },
      ]);
    });

    const failures: readonly (readonly [what: string, user: User, text: RegExp])[] = [
      [
        "is missing",
        { exec: { command: "acme-auth-missing" } },
        /the exec plugin acme-auth-missing cannot be started \(ENOENT\): install it, or have its folder in PATH \(the given/,
      ],
      [
        "fails",
        plugin('console.log("very-secret"); console.error("very-secret"); process.exit(3)'),
        /the exec plugin \S+ failed with exit code 3 /,
      ],
      ["kills itself", plugin('process.kill(process.pid, "SIGTERM")'), /was ended by SIGTERM/],
      ["writes no JSON", plugin('console.log("very-secret")'), /wrote no ExecCredential with a status/],
      ["writes no end", { exec: { command: "yes", args: ["very-secret"] } }, /wrote too much output/],
      [
        "gives nothing",
        plugin('console.log(JSON.stringify({ status: { clientSecret: "very-secret" } }))'),
        /gave neither a token nor a client certificate/,
      ],
      [
        "gives a key alone",
        plugin('console.log(JSON.stringify({ status: { clientKeyData: "very-secret" } }))'),
        /gave a client certificate without its key/,
      ],
      [
        "wants a terminal",
        plugin("", { interactiveMode: "Always" }),
        /wants a terminal \(interactiveMode Always\)/,
      ],
      ["has no command", { exec: {} }, /exec of the kubeconfig's user has no command/],
    ];
    for (const [what, user, text] of failures) {
      it(`are missed where it ${what}, and its output is not told`, async () => {
        await assert.rejects((await server.open({}, user)).send(get), (error) => {
          assert.ok(error instanceof Error);
          assert.match(
            error.message,
            /^get Secret shop\/creds: AuthenticationFailed: the kubeconfig's user cannot/,
          );
          assert.match(error.message, text);
          assert.doesNotMatch(`${error.message} ${String(error.stack)}`, /very-secret/);
          return true;
        });
        assert.equal(requests.length, 0);
      });
    }

    it("are missed at once where it asks for a login, as it has no standard input", async () => {
      const user = { exec: { command: "sh", args: ["-c", "read code || exit 7"] } };
      await assert.rejects((await server.open({}, user)).send(get), /exec plugin sh failed with exit code 7/);
    });

    it("are not waited for for ever: it is ended with what it has started", async () => {
      const pids = join(folder, "pids");
      const script = `sleep 1000 & echo $$ $! > '${pids}'; wait`;
      const user = { exec: { command: "sh", args: ["-c", script] } };
      const transport = await server.open({}, user, { credentialsMs: 500 });
      await assert.rejects(
        transport.send(get),
        /exec plugin sh gave no credentials within 0.5 s and was ended/,
      );
      await pause(200);
      for (const pid of (await readFile(pids, "utf8")).trim().split(" ")) {
        const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "0 (gone) Z");
        assert.match(state, /\) Z/, `${pid} runs`);
      }
    });
  });

  describe("after a 401", () => {
    it("are asked for anew where a plugin gives them, and the request is sent once more", async () => {
      unauthorized = 1;
      const transport = await server.open({}, giving([{ token: "old" }, { token: "new" }]));
      await transport.send(get);
      await transport.send(get);
      assert.deepEqual(authorizations(), ["Bearer old", "Bearer new", "Bearer new"]);
    });

    it("are renewed once for all who ask at the same time", async () => {
      const old = "Bearer old";
      server.answer = (request, response) => {
        requests.push(request);
        response.writeHead(request.headers.authorization === old ? 401 : 200).end("{}");
      };
      const transport = await server.open(
        {},
        giving([{ token: "old" }, { token: "new" }, { token: "newer" }]),
      );
      await Promise.all(Array.from({ length: 10 }, () => transport.send(get)));
      assert.equal(await asked(), 2);
    });

    it("are a new certificate, too, on connections of its own", async () => {
      unauthorized = 1;
      const users = new CertificateAuthority("users");
      const certificates = [users.issue(["me"]), users.issue(["me"])];
      const serials: string[] = [];
      const answer = server.answer;
      server.answer = (request, response) => {
        assert.ok(request.socket instanceof TLSSocket);
        serials.push(request.socket.getPeerCertificate().serialNumber);
        answer(request, response);
      };
      const transport = await server.open(
        {},
        giving(certificates.map(({ cert, key }) => ({ clientCertificateData: cert, clientKeyData: key }))),
      );
      await transport.send(get);
      await transport.send(get);
      assert.equal(new Set(serials).size, 2);
      assert.equal(serials[1], serials[2]);
    });

    it("are read anew from files", async () => {
      const users = new CertificateAuthority("users");
      const [first, second] = [users.issue(["me"]), users.issue(["me"])];
      const user = {
        "client-certificate": await file("me.crt", first.cert),
        "client-key": await file("me.key", first.key),
      };
      const transport = await server.open({}, user);
      await transport.send(get);
      await file("me.crt", second.cert);
      await file("me.key", second.key);
      unauthorized = 1;
      await transport.send(get);
      assert.equal(requests.length, 3);
    });

    it("are told to be renewed where they are the same as before", async () => {
      for (const user of [{ token: "t" }, giving([{ token: "same" }])]) {
        unauthorized = 9;
        requests = [];
        await assert.rejects(
          (await server.open({}, user)).send(get),
          /: 401 Unauthorized: who are you\? \(the given kubeconfig, context "test"\)\. Next: renew the credentials/,
        );
        assert.equal(requests.length, 1);
      }
    });

    it("are told to be taken over by an up where the state has the kubeconfig", async () => {
      const text = await server.kubeconfig();
      const path = await file("config", text);
      const said = async (...open: Parameters<typeof openTransport>) => {
        unauthorized = 9;
        const failed: unknown = await (
          await openTransport(...open)
        )
          .send(get)
          .catch((error: unknown) => error);
        return String(failed);
      };
      const circle =
        /destroy and refresh use the kubeconfig of the last up: pulumi up, or --run-program, takes a new one/;
      const ofStack = await said(text, undefined, { giver: "stack" });
      assert.match(ofStack, /\(kubernetes:kubeconfig of the stack's config, context "test"\)/);
      assert.match(ofStack, circle);
      assert.match(await said(text, undefined), circle);
      assert.doesNotMatch(await said(path, undefined), circle);
    });
  });

  for (const [how, end] of Object.entries({
    exits: "process.exit(0)",
    "is ended by SIGTERM": 'process.kill(process.pid, "SIGTERM")',
    "is interrupted": 'process.kill(process.pid, "SIGINT")',
  })) {
    it(`have no plugin left that runs when this process ${how}`, async () => {
      const pid = join(folder, "pid");
      const user = { exec: { command: "sh", args: ["-c", `echo $$ > '${pid}'; sleep 1000`] } };
      const kubeconfig = await server.kubeconfig({}, user);
      const transport = require.resolve("../../../provider/kubernetes/transport");
      const program = `
        const { openTransport } = require(${JSON.stringify(transport)});
        const { existsSync } = require("node:fs");
        openTransport(${JSON.stringify(kubeconfig)}).then((transport) => transport.send(${JSON.stringify(get)}));
        setInterval(() => { if (existsSync(${JSON.stringify(pid)})) ${end}; }, 50);`;
      const child = spawn(process.execPath, ["-r", "ts-node/register/transpile-only", "-e", program]);
      await once(child, "exit");
      await pause(200);
      const stat = `/proc/${(await readFile(pid, "utf8")).trim()}/stat`;
      assert.match(await readFile(stat, "utf8").catch(() => ") Z"), /\) Z/);
    });
  }
});
