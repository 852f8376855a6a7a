import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import * as net from "node:net";

/** A certificate and its private key, as PEM text. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

const day = 24 * 60 * 60 * 1000;

/** Issues certificates for the length of a test: X.509 in the few parts that TLS looks at. */
export class CertificateAuthority {
  /** Its own certificate, which a client trusts. */
  readonly cert: string;
  readonly #name: string;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

  constructor(name = "authority") {
    this.#name = name;
    // basicConstraints, critical: a certificate authority.
    const extension = sequence(
      oid("551d13"),
      tlv(0x01, Buffer.from([0xff])),
      octets(sequence(boolean(true))),
    );
    this.cert = this.#certificate(name, this.#keys.publicKey, [extension], day);
  }

  /** @param names Host names and addresses of the certificate. @param validFor Milliseconds from now; negative: expired. */
  issue(names: readonly string[], validFor = day): Certified {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const entries = names.map((name) =>
      net.isIPv4(name)
        ? tlv(0x87, Buffer.from(name.split(".").map(Number)))
        : tlv(0x82, Buffer.from(name, "ascii")),
    );
    const alternatives = sequence(oid("551d11"), octets(sequence(...entries)));
    return {
      cert: this.#certificate("holder", publicKey, [alternatives], validFor),
      key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
  }

  #certificate(subject: string, key: KeyObject, extensions: readonly Buffer[], validFor: number): string {
    const algorithm = sequence(oid("2a8648ce3d040302")); // ecdsa-with-SHA256
    const content = sequence(
      tlv(0xa0, integer(Buffer.from([2]))), // version 3
      integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      algorithm,
      distinguishedName(this.#name),
      sequence(time(Date.now() - 2 * day), time(Date.now() + validFor)),
      distinguishedName(subject),
      key.export({ type: "spki", format: "der" }),
      tlv(0xa3, sequence(...extensions)),
    );
    const signature = sign("sha256", content, this.#keys.privateKey);
    const certificate = sequence(content, algorithm, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
    const lines = certificate.toString("base64").replace(/.{64}/g, "$&\n");
    return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  }
}

/** One value of DER: tag, length, content. */
function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, Buffer.concat(parts));
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, "hex"));
const octets = (content: Buffer): Buffer => tlv(0x04, content);
const integer = (content: Buffer): Buffer => tlv(0x02, content);
const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));

function distinguishedName(commonName: string): Buffer {
  return sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from(commonName)))));
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, "");
  return tlv(0x18, Buffer.from(digits));
}
