import * as fs from "node:fs";
import * as tls from "node:tls";
import { status } from "@grpc/grpc-js";
import { errorText } from "../../dynamic/error-text";
import { isUnknown } from "../../dynamic/values";
import { ConnectFailure } from "./connect-failure";
import { hasPem, pemProblem, type PemContent } from "./pem";
import { secretMask } from "../secrets/secret-mask";

/** How a driver on the network proves who it is, and the client to it; see `DriverTls` for the members. */
export interface TlsSettings {
  ca?: string;
  caFile?: string;
  cert?: string;
  certFile?: string;
  key?: string;
  keyFile?: string;
  serverName?: string;
}

/** What a connection with TLS needs. */
export interface ClientTls {
  readonly context: tls.SecureContext;
  /** Name that the driver's certificate must bear, if it is not the endpoint's host. */
  readonly serverName?: string;
}

const texts = {
  ca: "CERTIFICATE",
  cert: "CERTIFICATE",
  key: "PRIVATE KEY",
} as const satisfies Record<string, PemContent>;
const kinds = ["ca", "cert", "key"] as const;

/** What is wrong with the settings, as far as it can be told without the files; never a value of them. */
export function tlsProblem(settings: TlsSettings): string | undefined {
  for (const kind of kinds) {
    const file = `${kind}File` as const;
    const text = settings[kind];
    if (given(text) && given(settings[file])) return `has both ${kind} and ${file}: give one of them`;
    if (given(text) && !isUnknown(text) && !hasPem(text, texts[kind])) {
      return `has a ${kind} that is not PEM text with a ${texts[kind]}: the path of a file goes into ${file}`;
    }
  }
  const cert = given(settings.cert) || given(settings.certFile);
  const key = given(settings.key) || given(settings.keyFile);
  if (cert && !key) return "has a client certificate but not its key: give key or keyFile too";
  if (key && !cert) return "has a key but not its client certificate: give cert or certFile too";
  for (const kind of kinds) {
    const text = settings[kind];
    const problem = given(text) && !isUnknown(text) ? pemProblem(text, texts[kind]) : undefined;
    if (problem !== undefined) return `has a ${kind} that ${problem}`;
  }
  return undefined;
}

function given(value: string | null | undefined): value is string {
  return value !== undefined && value !== null;
}

/**
 * Makes the settings usable. Files are read now, so that a renewed certificate is taken at the next connection; the
 * private key is kept out of every text.
 *
 * @throws ConnectFailure if a file cannot be read, or what it holds cannot be used.
 */
export function readTls(settings: TlsSettings): ClientTls {
  const [ca, cert, key] = kinds.map((kind) => read(settings, kind));
  rememberKey(key);
  try {
    const context = tls.createSecureContext({ ca, cert, key });
    const { serverName } = settings;
    return { context, ...(serverName === undefined ? {} : { serverName }) };
  } catch (error) {
    throw unusable(`certificates and key cannot be used: ${errorText(error)}`);
  }
}

/** The text of one input. @throws ConnectFailure if it does not hold what it is for. */
function read(settings: TlsSettings, kind: (typeof kinds)[number]): string | undefined {
  const file = settings[`${kind}File`];
  const input = given(file) ? `${kind}File ${JSON.stringify(file)}` : kind;
  const text = given(file) ? readFile(file, input) : settings[kind];
  if (!given(text)) return undefined;
  // A file may have been empty, or half written, at this moment.
  const problem = pemProblem(text, texts[kind]);
  if (problem !== undefined) throw unusable(`${input} ${problem}`);
  return text;
}

function readFile(file: string, input: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw unusable(`${input} cannot be read: ${errorText(error)}`);
  }
}

/** Any line of a key is as secret as the whole. */
function rememberKey(key: string | undefined): void {
  if (key === undefined) return;
  secretMask.remember(key);
  for (const line of key.split(/\r?\n/)) if (!line.startsWith("-----")) secretMask.remember(line);
}

function unusable(reason: string): ConnectFailure {
  return new ConnectFailure(`the Driver's tls: ${reason}`, {
    code: status.FAILED_PRECONDITION,
    next: "correct tls of the Driver, then run the command again",
  });
}
