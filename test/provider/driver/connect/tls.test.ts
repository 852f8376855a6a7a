import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import * as tls from "node:tls";
import { status } from "@grpc/grpc-js";
import type { CallTarget } from "../../../../provider/contracts/contract";
import { Connection } from "../../../../provider/driver/connection";
import { DriverError } from "../../../../provider/driver/call/driver-error";
import { tlsProblem, type TlsSettings } from "../../../../provider/driver/connect/tls-settings";
import { secretMask } from "../../../../provider/driver/secrets/secret-mask";
import { sleep } from "../../../../provider/driver/call/retry";
import type { ConnectionSettings } from "../../../../provider/driver/settings";
import { CertificateAuthority } from "../../../support/certificate-authority";
import { driverName, obligingDriver } from "../../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../../support/fake-driver";
import { quickSettings } from "../../../support/settings";
import { TlsFront } from "../../../support/tls-front";

const target: CallTarget = { bucket: "b1", subject: "bucket b1", driverName };

describe("a driver on the network", () => {
  const authority = new CertificateAuthority();
  const server = authority.issue(["localhost", "127.0.0.1"]);
  const client = authority.issue(["client"]);
  const mutual: tls.TlsOptions = { ...server, ca: authority.cert, requestCert: true };
  let driver: FakeDriver;
  let front: TlsFront;
  let connections: Connection[];

  /** A driver with this certificate. */
  const serve = async (options: tls.TlsOptions = server): Promise<void> => {
    front = await new TlsFront(driver.socket, options).start();
  };
  const connect = (tls: ConnectionSettings["tls"], changes: Partial<ConnectionSettings> = {}) => {
    const settings = {
      ...quickSettings(front.endpoint()),
      ...(tls === undefined ? {} : { tls }),
      ...changes,
    };
    const connection = new Connection(settings);
    connections.push(connection);
    return connection;
  };
  const create = (connection: Connection) =>
    connection.client.createBucket({ name: "b1", parameters: {} }, target);

  /** The error of a connection that must fail long before its wait is over, with no RPC made. */
  const refusal = async (tls: ConnectionSettings["tls"], changes: Partial<ConnectionSettings> = {}) => {
    const began = Date.now();
    const error: unknown = await create(connect(tls, { connectTimeoutSeconds: 25, ...changes })).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof DriverError, String(error));
    assert.ok(Date.now() - began < 15_000, "at once");
    assert.deepEqual(driver.calls, []);
    assert.equal(error.outcomeUnknown, false);
    return error;
  };

  beforeEach(async () => {
    connections = [];
    driver = await obligingDriver().start();
  });

  afterEach(async () => {
    for (const connection of connections) await connection.close();
    front.stop();
    driver.stop();
  });

  it("whose certificate a given authority signed is called, with its host as authority [GRPC-085] [GRPC-090]", async () => {
    await serve();
    const before = { ...process.env };
    Object.assign(process.env, {
      http_proxy: "http://127.0.0.1:9",
      https_proxy: "http://127.0.0.1:9",
      grpc_proxy: "http://127.0.0.1:9",
    });
    try {
      const { reply } = await create(connect({ ca: authority.cert }));
      assert.equal(reply.bucketId, "b1");
    } finally {
      process.env = before;
    }
    assert.deepEqual(driver.paths(), ["DriverGetInfo", "DriverCreateBucket"]);
    assert.deepEqual(new Set(driver.calls.map((call) => call.authority)), new Set(["localhost"]));
  });

  it("is found by its address, too", async () => {
    await serve();
    await create(connect({ ca: authority.cert }, { endpoint: front.endpoint("127.0.0.1") }));
    assert.equal(driver.calls.at(-1)?.authority, "127.0.0.1");
  });

  it("whose authority nobody trusts is sent nothing, and the error says so at once [GRPC-085]", async () => {
    await serve();
    for (const tls of [
      {},
      { ca: new CertificateAuthority().cert },
      { ca: new CertificateAuthority("another").cert },
    ]) {
      const error = await refusal(tls);
      assert.equal(error.code, status.UNAUTHENTICATED);
      assert.match(
        error.message,
        /certificate of the driver at dns:\/\/\/localhost:\d+ is refused: .*(certificate|issuer).*Next: set ca or caFile in tls/,
      );
    }
  });

  it("is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says [GRPC-085]", async () => {
    await serve();
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      assert.match((await refusal({})).message, /is refused/);
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
  });

  it("is refused under another name than its certificate bears, and taken by serverName", async () => {
    await serve(authority.issue(["cosi.example.com"]));
    const { message } = await refusal({ ca: authority.cert });
    assert.match(
      message,
      /Host: localhost\. is not in the cert's altnames: DNS:cosi\.example\.com.*Next: set serverName in tls/s,
    );
    await create(connect({ ca: authority.cert, serverName: "cosi.example.com" }));
    assert.equal(driver.calls.at(-1)?.authority, "localhost");
  });

  it("is refused when its certificate has expired", async () => {
    await serve(authority.issue(["localhost"], -1000));
    const { message } = await refusal({ ca: authority.cert });
    assert.match(message, /is refused: certificate has expired.*Next: renew the driver's certificate/);
  });

  it("that asks for a client certificate gets it, and refuses a client without one [GRPC-085]", async () => {
    await serve(mutual);
    await create(connect({ ca: authority.cert, ...client }));
    driver.calls.length = 0;
    const { code, message } = await refusal({ ca: authority.cert });
    assert.equal(code, status.UNAUTHENTICATED);
    assert.match(
      message,
      /refused the connection: tlsv13 alert certificate required .*Next: set cert and key/,
    );
    // A server on Node closes without a word when it does not trust a certificate.
    const stranger = new CertificateAuthority("another").issue(["client"]);
    const mistrusted = await refusal({ ca: authority.cert, ...stranger }, { connectTimeoutSeconds: 0.7 });
    assert.match(
      mistrusted.message,
      /closed after the TLS handshake, as by a driver that does not trust the client/,
    );
  });

  it("is asked by HTTP/2 where it waits for the client to begin", async () => {
    // Envoy begins only when it has heard something.
    const patient = tls.createServer({ ALPNProtocols: ["h2"], ...server }, (client) => {
      client.on("error", () => undefined);
      client.once("data", (first: Buffer) => {
        const upstream = net.connect(driver.socket);
        upstream.on("error", () => undefined);
        upstream.write(first);
        client.on("close", () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      });
    });
    await serve();
    await new Promise<void>((resolve) => patient.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = patient.address() as net.AddressInfo;
      await create(connect({ ca: authority.cert }, { endpoint: `dns:///localhost:${port}` }));
    } finally {
      for (const connection of connections) await connection.close();
      patient.close();
    }
  });

  it("has its files read at the connection, so that a renewed certificate is taken", async () => {
    await serve(mutual);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tls-"));
    const file = (name: string, text: string): string => {
      const place = path.join(folder, name);
      fs.writeFileSync(place, text);
      return place;
    };
    try {
      const caFile = file("ca.pem", authority.cert);
      const stranger = new CertificateAuthority("another").issue(["client"]);
      const certFile = file("client.pem", stranger.cert);
      const keyFile = file("client.key", stranger.key);
      const files = { caFile, certFile, keyFile };
      await refusal(files, { connectTimeoutSeconds: 0.5 });
      file("client.pem", client.cert);
      file("client.key", client.key);
      await create(connect(files));

      driver.calls.length = 0;
      file("client.key", stranger.key);
      assert.match((await refusal(files)).message, /tls: certificates and key cannot be used: .*mismatch/);
      fs.rmSync(caFile);
      assert.match(
        (await refusal(files)).message,
        /caFile ".*ca\.pem" cannot be read: ENOENT.*Next: correct tls/,
      );
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it("is sent nothing while a file of certificates or of the key is empty, or not whole [GRPC-085]", async () => {
    // Node takes an authority that is empty for none that is given, and trusts its own, of which this is one.
    const defaults = tls.getCACertificates("default");
    tls.setDefaultCACertificates([authority.cert]);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tls-"));
    const half = (text: string): string => text.slice(0, text.length / 2);
    const damaged = (text: string): string => text.replace(/(?<=\n)\w{8}/, "AAAAAAAA");
    const input = { ca: "CERTIFICATE", cert: "CERTIFICATE", key: "PRIVATE KEY" } as const;
    try {
      await serve();
      await create(connect({}));
      driver.calls.length = 0;
      for (const kind of ["ca", "cert", "key"] as const) {
        const whole = { ca: authority.cert, ...client }[kind];
        const content = input[kind];
        for (const [text, problem] of [
          ["", `is empty: a ${content} in PEM is needed`],
          [" \n", `is empty: a ${content} in PEM is needed`],
          ["-----BEGIN NOTHING-----\n", `is not PEM text with a ${content}`],
          [half(whole), `has a ${content} that is cut off`],
          [`${whole}${half(whole)}`, `has a ${content} that is cut off`],
          [`${half(whole)}\n${whole}`, `has a ${content} that is cut off`],
          ...(kind === "key" ? [] : [[damaged(whole), `has a ${content}, number 1, that cannot be read`]]),
        ] as const) {
          const file = path.join(folder, `${kind}.pem`);
          fs.writeFileSync(file, text);
          const others: TlsSettings = { ca: authority.cert, ...client };
          Reflect.deleteProperty(others, kind);
          for (const settings of [
            { ...others, [`${kind}File`]: file },
            { ...others, [kind]: text },
          ]) {
            const named = kind in settings ? kind : `${kind}File "${file}"`;
            const error = await refusal(settings);
            assert.equal(error.code, status.FAILED_PRECONDITION);
            assert.ok(error.message.includes(`the Driver's tls: ${named} ${problem}`), error.message);
            assert.match(error.message, /Next: correct tls of the Driver/);
          }
          assert.ok(tlsProblem({ ...others, [kind]: text })?.startsWith(`has a ${kind} that `), text);
        }
        assert.equal(tlsProblem({ ca: authority.cert, ...client }), undefined);
      }
    } finally {
      fs.rmSync(folder, { recursive: true });
      tls.setDefaultCACertificates(defaults);
    }
  });

  it("has no use for a client's key with a passphrase, in a preview too", async () => {
    await serve();
    const protect = { cipher: "aes-256-cbc", passphrase: "a passphrase" } as const;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    for (const type of ["pkcs8", "pkcs1"] as const) {
      const key = privateKey.export({ type, format: "pem", ...protect }).toString();
      const settings: TlsSettings = { ca: authority.cert, ...client, key };
      const problem = "has a PRIVATE KEY protected by a passphrase";
      assert.ok(tlsProblem(settings)?.startsWith(`has a key that ${problem}`), type);
      const error = await refusal(settings);
      assert.ok(error.message.includes(`the Driver's tls: key ${problem}`), error.message);
      assert.match(error.message, /`openssl pkey -in KEY -out FILE`/);
    }
  });

  it("takes PEM texts with other contents around what is due", async () => {
    await serve(mutual);
    const others =
      "subject=/CN=authority\n-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
    const ca = `${others}${authority.cert}${new CertificateAuthority("another").cert}`.replaceAll(
      "\n",
      "\r\n",
    );
    const both = `${others}${client.cert}${client.key}`;
    await create(connect({ ca, cert: both, key: both }));
  });

  it("has its client's key masked in every text, line by line", async () => {
    await serve();
    await create(connect({ ca: authority.cert, ...client }));
    for (const line of client.key.trim().split("\n").slice(1, -1)) {
      assert.equal(secretMask.apply(`read ${line} from disk`), "read [secret] from disk");
    }
  });

  it("is waited for while nobody listens, and reached as soon as somebody does [GRPC-087]", async () => {
    await serve();
    const { port } = front;
    front.stop();
    const call = create(connect({ ca: authority.cert }, { endpoint: `dns:///localhost:${port}` }));
    await sleep(500);
    front = await new TlsFront(driver.socket, server).start(port);
    assert.equal((await call).reply.bucketId, "b1");
  });

  it("that never answers is an error that says where nobody answered, and why", async () => {
    await serve();
    const { port } = front;
    front.stop();
    const nowhere = { endpoint: `dns:///localhost:${port}`, connectTimeoutSeconds: 0.5 };
    await assert.rejects(
      create(connect({ ca: authority.cert }, nowhere)),
      /UNAVAILABLE: nobody answered at dns:\/\/\/localhost:\d+ within 0\.5 s: .*ECONNREFUSED/,
    );
  });

  it("is reached again after its connection broke [GRPC-088]", async () => {
    await serve();
    const connection = connect({ ca: authority.cert });
    await create(connection);
    const { port } = front;
    front.stop();
    front = await new TlsFront(driver.socket, server).start(port);
    await create(connection);
    assert.equal(driver.bodies("DriverCreateBucket").length, 2);
  });

  it("that speaks plain text gets no request", async () => {
    await serve();
    const heard: Buffer[] = [];
    const plain = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (bytes) => {
        heard.push(bytes);
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      });
    });
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = plain.address() as net.AddressInfo;
      const { message } = await refusal({}, { endpoint: `dns:///localhost:${port}` });
      assert.match(message, /TLS with dns:\/\/\/localhost:\d+ failed: .*Next: check that a driver with TLS/s);
      // A TLS handshake record, and nothing else.
      assert.deepEqual(new Set(heard.map((bytes) => bytes[0])), new Set([0x16]));
    } finally {
      plain.close();
    }
  });
});
