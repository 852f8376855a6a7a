import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { provider as deploymentAccessProvider } from "../../provider/deployment-access/provider";
import { provider as deploymentProvider } from "../../provider/deployment/provider";
import type { DriverReference } from "../../provider/driver-resource/reference";
import type { ConnectionSettings } from "../../provider/driver/settings";
import { obligingDriver } from "./cosi-v1alpha1";
import { FakeDriver } from "./fake-driver";
import { Lifecycle, type Properties } from "./lifecycle";
import { driverReference, quickSettings } from "./settings";
import { StrictDriver } from "./strict-driver";
import { toUser, underCoreNames } from "./under-core-names";

/**
 * A contract of the form of cosi.v1alpha1. A test is written once, in the words of that one, and runs over each: paths and
 * properties are translated on their way, and `say` translates a text that is expected.
 */
export interface ContractUnderTest {
  readonly name: "cosi.v1alpha1" | "deployment.v1alpha1";
  /** The resources, under the names of inputs and outputs that `Bucket` and `BucketAccess` have. */
  readonly bucket: Lifecycle;
  readonly access: Lifecycle;
  /** Where Pulumi's host finds the providers of both. */
  readonly providers: { readonly bucket: string; readonly access: string };
  /** Properties under the names that the user has for them. */
  readonly named: (properties: Properties) => Properties;
  readonly endpointVariable: "COSI_ENDPOINT" | "Deployment_ENDPOINT";
  /** A driver without an answer to anything. */
  readonly silentDriver: () => FakeDriver;
  readonly obligingDriver: (name?: string) => FakeDriver;
  readonly strictDriver: (name?: string) => StrictDriver;
  readonly settings: (endpoint: string) => ConnectionSettings;
  readonly driverReference: (endpoint: string, changes?: Partial<DriverReference>) => DriverReference;
  /** The path that stands on the wire for one of cosi.v1alpha1. */
  readonly onWire: (path: string) => string;
  /** What the contract says in place of a text of cosi.v1alpha1. */
  readonly say: <Text extends string | RegExp>(text: Text) => Text;
  /** The ids of the list of requirements that is this contract's, for the end of a title. */
  readonly ids: (cosi: string, deployment: string) => string;
  /** All entries of credentials are the driver's own, and kept as they are. */
  readonly credentialsAreFree: boolean;
  /** A credential among the outputs of an access, by the key under which the driver gave it in the entry `s3`. */
  readonly credential: (outputs: Properties, key: string) => unknown;
}

/** The outputs that a BucketAccess has for keys of its credentials. */
const s3Outputs: Partial<Record<string, string>> = {
  accessKeyID: "accessKeyId",
  accessSecretKey: "accessSecretKey",
  endpoint: "endpoint",
  region: "region",
};

const cosi: ContractUnderTest = {
  name: "cosi.v1alpha1",
  bucket: new Lifecycle(bucketProvider),
  access: new Lifecycle(accessProvider),
  providers: { bucket: "bucket/provider", access: "bucket-access/provider" },
  named: (properties) => properties,
  endpointVariable: "COSI_ENDPOINT",
  silentDriver: () => new FakeDriver(),
  obligingDriver,
  strictDriver: (name) => new StrictDriver(name),
  settings: quickSettings,
  driverReference,
  onWire: (path) => path,
  say: (text) => text,
  ids: (ids) => ids,
  credentialsAreFree: false,
  credential: (outputs, key) => {
    const output = s3Outputs[key];
    if (output !== undefined) return outputs[output];
    return (outputs["granted"] as { secrets: Properties } | null)?.secrets[key] ?? null;
  },
};

const ofDeployments = (path: string): string =>
  path.replace("/cosi.v1alpha1.", "/deployment.v1alpha1.").replace("Bucket", "Deployment");

const deployment: ContractUnderTest = {
  name: "deployment.v1alpha1",
  bucket: new Lifecycle(underCoreNames(deploymentProvider)),
  access: new Lifecycle(underCoreNames(deploymentAccessProvider)),
  providers: { bucket: "deployment/provider", access: "deployment-access/provider" },
  named: toUser,
  endpointVariable: "Deployment_ENDPOINT",
  silentDriver: () => new FakeDriver(ofDeployments),
  obligingDriver: (name) => obligingDriver(name, new FakeDriver(ofDeployments)),
  strictDriver: (name) => new StrictDriver(name, new FakeDriver(ofDeployments)),
  settings: (endpoint) => quickSettings(endpoint, "deployment.v1alpha1"),
  driverReference: (endpoint, changes) =>
    driverReference(endpoint, { contract: "deployment.v1alpha1", ...changes }),
  onWire: ofDeployments,
  say: sayDeployment,
  ids: (_cosi, ids) => ids,
  credentialsAreFree: true,
  credential: ({ credentials }, key) =>
    (credentials as Partial<Record<string, Properties>> | null)?.["s3"]?.[key] ?? null,
};

/** The contracts, as which a test may take one that has something of its own to say of it. */
export const contractsUnderTest = { cosi, deployment };

/** Describes what holds for each of the contracts. @param timeout Of a test, in milliseconds. @default that of the run */
export function forEachContract(
  title: string,
  tests: (contract: ContractUnderTest) => void,
  timeout?: number,
): void {
  for (const contract of Object.values(contractsUnderTest)) {
    describe(`${title} (${contract.name})`, function () {
      if (timeout !== undefined) this.timeout(timeout);
      tests(contract);
    });
  }
}

function sayDeployment<Text extends string | RegExp>(text: Text): Text;
function sayDeployment(text: string | RegExp): string | RegExp {
  if (text instanceof RegExp) return new RegExp(sayDeployment(text.source), text.flags);
  return text
    .replaceAll("the objects in it", "what is in it")
    .replaceAll("COSI_ENDPOINT", "Deployment_ENDPOINT")
    .replaceAll("bucket", "deployment")
    .replaceAll("Bucket", "Deployment")
    .replaceAll("cosi\\.v1alpha1", "deployment\\.v1alpha1")
    .replaceAll("cosi.v1alpha1", "deployment.v1alpha1");
}
