import * as pulumi from "@pulumi/pulumi";

/**
 * TLS for a driver on the network. The driver's certificate is always checked. Give certificates and key as text or as
 * the path of a file. Text is stored in the state, the key as a secret. A file is read on the machine that runs `pulumi`,
 * at each connection, and its content is stored nowhere. A renewed certificate replaces nothing.
 *
 * @example
 * ```ts
 * new cosi.Driver("ceph", {
 *   endpoint: "dns:///cosi.example.com:443",
 *   tls: { caFile: "/etc/cosi/ca.pem", certFile: "/etc/cosi/client.pem", keyFile: "/etc/cosi/client.key" },
 * });
 * ```
 */
export interface DriverTls {
  /**
   * PEM text of the certificate authorities that may have signed the driver's certificate. Cannot be combined with `caFile`.
   *
   * @default The authorities that Node.js knows, and those of NODE_EXTRA_CA_CERTS.
   */
  ca?: pulumi.Input<string>;
  /**
   * Path of a file with `ca`. A relative path starts at the folder of the Pulumi program.
   *
   * @default none
   */
  caFile?: pulumi.Input<string>;
  /**
   * PEM text of the client certificate, with its intermediate certificates. Needs a key. Cannot be combined with `certFile`.
   *
   * @default None: the client does not identify itself.
   */
  cert?: pulumi.Input<string>;
  /**
   * Path of a file with `cert`.
   *
   * @default none
   */
  certFile?: pulumi.Input<string>;
  /**
   * PEM text of the private key of `cert`, without a passphrase. Secret in the state. Cannot be combined with `keyFile`.
   *
   * @default none
   */
  key?: pulumi.Input<string>;
  /**
   * Path of a file with `key`.
   *
   * @default none
   */
  keyFile?: pulumi.Input<string>;
  /**
   * Name that the driver's certificate must carry.
   *
   * @default The host of the endpoint.
   */
  serverName?: pulumi.Input<string>;
}

/** The settings as an input, with the key as a secret and the rest as it is. */
export function withSecretKey(settings: pulumi.Input<DriverTls>): pulumi.Input<DriverTls> {
  const mark = (tls: DriverTls): DriverTls =>
    tls.key === undefined ? tls : { ...tls, key: pulumi.secret(tls.key) };
  return pulumi.Output.isInstance(settings) || settings instanceof Promise
    ? pulumi.output(settings).apply(mark)
    : mark(settings);
}
