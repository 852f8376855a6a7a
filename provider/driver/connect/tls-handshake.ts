import * as net from "node:net";
import * as nodeTls from "node:tls";
import { status } from "@grpc/grpc-js";
import type { ConnectWait } from "./connect-wait";
import { ConnectFailure } from "./connect-failure";
import type { NetworkEndpoint } from "./endpoint";
import type { ClientTls } from "./tls-settings";

/**
 * Waits until the driver's TLS stands. gRPC takes a bad certificate for a passing fault, tries on in silence until
 * the wait is over, and does not say what was wrong; a handshake of our own ends at once, with OpenSSL's words.
 *
 * @throws ConnectFailure at the end of the wait, or at once if TLS itself fails.
 */
export async function untilSecure(
  endpoint: NetworkEndpoint,
  tls: ClientTls,
  wait: ConnectWait,
): Promise<void> {
  let said = noAnswer;
  for (;;) {
    const fault = await handshake(endpoint, tls, wait.left);
    if (fault === undefined) return;
    if (!isPassing(fault)) throw tlsFailure(endpoint, fault);
    // The last attempt has little time, and the one before it knows more.
    if (fault !== noAnswer) said = fault;
    if (wait.left === 0) {
      // Where a host has several addresses, Node's error has a code and no message.
      const why = said.message === "" ? (said.code ?? "") : said.message;
      throw new ConnectFailure(`nobody answered at ${endpoint.address} within ${wait.seconds} s: ${why}`);
    }
    await wait.pause(`driver at ${endpoint.address}`);
  }
}

/** What stands in the way of a connection; OpenSSL puts its words, without its bookkeeping, into `reason`. */
type Fault = NodeJS.ErrnoException & { readonly reason?: string };

const noAnswer: Fault = Object.assign(new Error("no answer"), { code: "ETIMEDOUT" });

/** How HTTP/2 begins, with settings that say nothing (RFC 9113, section 3.4). */
const clientPreface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from("000000040000000000", "hex"),
]);
/** A server says first why it refuses; only one that waits for the client is greeted, after so many milliseconds. */
const politeness = 200;
/** The type of the frame with which the server begins, and where it stands. */
const settingsFrame = { type: 4, at: 3 } as const;

/**
 * Makes one connection up to the server's first bytes: in TLS 1.3 a client takes the handshake for done before the
 * server has looked at its certificate.
 */
function handshake(
  endpoint: NetworkEndpoint,
  tls: ClientTls,
  milliseconds: number,
): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const host = bare(endpoint.host);
    const servername = tls.serverName ?? (net.isIP(host) === 0 ? host : undefined);
    const socket = nodeTls.connect({
      host,
      port: endpoint.port,
      secureContext: tls.context,
      ALPNProtocols: ["h2"],
      // The default is what NODE_TLS_REJECT_UNAUTHORIZED says, and the certificate is always checked.
      rejectUnauthorized: true,
      ...(servername === undefined ? {} : { servername }),
    });
    const end = (fault?: Fault): void => {
      clearTimeout(deadline);
      clearTimeout(greeting);
      socket.destroy();
      resolve(fault);
    };
    let greeting: NodeJS.Timeout | undefined;
    const deadline = setTimeout(() => {
      end(noAnswer);
    }, milliseconds);
    socket.once("secureConnect", () => {
      greeting = setTimeout(() => socket.write(clientPreface), politeness);
    });
    socket.once("data", (bytes: Buffer) => {
      end(bytes[settingsFrame.at] === settingsFrame.type ? undefined : new Error("the answer is not HTTP/2"));
    });
    socket.on("error", end);
    socket.once("close", () => {
      const when = socket.authorized
        ? " after the TLS handshake, as by a driver that does not trust the client"
        : "";
      end(Object.assign(new Error(`the connection was closed${when}`), { code: "ECONNRESET" }));
    });
  });
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

const passing = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/** True for a fault of the network, which may be gone soon, as a driver that is not up yet. */
function isPassing({ code }: Fault): boolean {
  return code !== undefined && passing.has(code);
}

const outOfTime = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "CERT_REVOKED"]);
const distrusted = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_)/;
/** What a server that asks for a client certificate says of none, or of one that it does not trust. */
const clientRefused = /ALERT_(\w*CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE)/;

function tlsFailure(
  { address, host }: NetworkEndpoint,
  { code = "", reason, message }: Fault,
): ConnectFailure {
  const failure = (what: string, next: string): ConnectFailure =>
    new ConnectFailure(`${what}: ${reason ?? message}`, { code: status.UNAUTHENTICATED, next });
  const refused = `the certificate of the driver at ${address} is refused`;
  if (outOfTime.has(code)) return failure(refused, "renew the driver's certificate");
  if (distrusted.test(code)) {
    return failure(
      refused,
      "set ca or caFile in tls of the Driver to the certificate of the authority that signed it",
    );
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return failure(
      refused,
      `set serverName in tls of the Driver to a name in the certificate, if ${host} is right`,
    );
  }
  if (clientRefused.test(code)) {
    return failure(
      `the driver at ${address} refused the connection`,
      "set cert and key (or certFile and keyFile) in tls of the Driver to a client certificate that the driver trusts",
    );
  }
  return failure(`TLS with ${address} failed`, "check that a driver with TLS listens there");
}
