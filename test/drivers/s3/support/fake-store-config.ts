import type { StoreConfig } from "../../../../drivers/s3/config";

/** The administrator's secret at a fake store; it must not show up anywhere. */
export const SECRET = "secret-of-the-administrator";

/** The configuration of a driver whose store is a fake one. */
export function fakeStoreConfig(endpoint: string): StoreConfig {
  return {
    region: "eu-test-1",
    s3Endpoint: endpoint,
    iamEndpoint: endpoint,
    clientEndpoint: endpoint,
    pathStyle: true,
    certificateAuthorities: undefined,
    credentials: { accessKeyId: "admin", secretAccessKey: SECRET },
  };
}
