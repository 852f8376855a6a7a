import * as deployment from "../../../components/deployment";
import { Driver } from "../../../provider/driver-resource/driver";
import { only, run, type Answer, type Registered } from "../objectstorage/mocks";

/** UIDs by which the objects of a program are known; a second request, or access, has that of its name. */
export const uids: Readonly<Record<string, string>> = {
  DeploymentRequest: "7e900000-0000-4000-8000-000000000001",
  Deployment: "de900000-0000-4000-8000-000000000002",
  DeploymentAccess: "acce5500-0000-4000-8000-000000000003",
};

/** What a driver gives for an account. */
export type Entries = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the providers of these components would answer. */
function answers(credentials: Entries): Answer {
  return ({ type, name, inputs }) => {
    const own = inputs as Record<string, unknown>;
    switch (type) {
      case "pulumi-nodejs:dynamic/cosi/deployment:RequestBinding": {
        const { request, existingDeploymentName } = own as {
          request: { uid: string };
          existingDeploymentName?: string;
        };
        return {
          id: existingDeploymentName ?? `deployment-${request.uid}`,
          state: { ...own, deploymentUid: uids["Deployment"] },
        };
      }
      case "pulumi-nodejs:dynamic/cosi:Deployment": {
        const { existingDeploymentId: deploymentId = "backend-id", name: sent = deploymentId } =
          own as Record<string, string>;
        return { id: sent, state: { ...own, deploymentId, deploymentInfo: null } };
      }
      case "pulumi-nodejs:dynamic/cosi:DeploymentAccess":
        return {
          id: String(own["name"]),
          state: { ...own, accountId: "account", credentials, grantedAt: null, checksum: "sum" },
        };
      default: {
        if (!type.startsWith("kubernetes:")) return undefined;
        const kind = type.split(":")[2] ?? "";
        const metadata = own["metadata"] as { name?: string; namespace?: string } | undefined;
        const uid = uids[kind];
        const known = metadata?.namespace === "shop" ? uid : `${metadata?.namespace ?? ""}-${uid ?? ""}`;
        const isCluster = metadata?.namespace === undefined;
        return {
          id: `${type}-${name}`,
          state: { ...own, metadata: { ...metadata, uid: isCluster ? uid : known } },
        };
      }
    }
  };
}

/** Changes of the program that tests run, and what its driver gives. */
export interface Changes {
  readonly deploymentClass?: Partial<deployment.DeploymentClassArgs>;
  readonly accessClass?: Partial<deployment.DeploymentAccessClassArgs>;
  readonly request?: Partial<deployment.DeploymentRequestArgs>;
  readonly access?: Partial<deployment.DeploymentAccessArgs>;
  readonly credentials?: Entries;
  readonly install?: deployment.InstallArgs;
}

export function postgres(): Driver {
  return new Driver("postgres", {
    contract: "deployment.v1alpha1",
    endpoint: "unix:///run/deployment/postgres.sock",
  });
}

/** A class of each kind, a request, and an access to it; with changes. */
export function program(changes: Changes = {}, options?: { preview: boolean }): Promise<Registered[]> {
  return runs(
    () => {
      if (changes.install !== undefined) deployment.install(changes.install);
      const driver = postgres();
      const small = new deployment.DeploymentClass("small", {
        driver,
        deletionPolicy: "Delete",
        parameters: { size: "s" },
        ...changes.deploymentClass,
      });
      const login = new deployment.DeploymentAccessClass("login", {
        driver,
        authenticationType: "Key",
        parameters: { role: "writer" },
        ...changes.accessClass,
      });
      const orders = new deployment.DeploymentRequest("orders", {
        namespace: "shop",
        deploymentClass: small,
        ...changes.request,
      });
      new deployment.DeploymentAccess("orders-rw", {
        namespace: "shop",
        deploymentRequest: orders,
        deploymentAccessClass: login,
        credentialsSecretName: "orders-login",
        ...changes.access,
      });
    },
    { ...options, ...(changes.credentials === undefined ? {} : { credentials: changes.credentials }) },
  );
}

/** Runs a program with the providers of these components. */
export function runs(
  source: () => void,
  {
    credentials = { cred: { DB_USER: "u", DB_PASSWORD: "hidden" } },
    ...options
  }: { credentials?: Entries; preview?: boolean } = {},
): Promise<Registered[]> {
  return run(source, { ...options, answer: answers(credentials) });
}

/** The one custom resource of a kind. */
export function custom(
  registered: readonly Registered[],
  kind: string,
  group = "platform.plural.sh",
): Registered {
  return only(registered, `${group}/v1alpha1:${kind}`);
}

/** The one dynamic resource of a type. */
export function dynamic(registered: readonly Registered[], type: string): Registered {
  return only(
    registered.filter(({ type: token }) => token.startsWith("pulumi-nodejs:dynamic/")),
    type,
  );
}

/** `spec` of a custom resource. */
export function specOf({ inputs }: Registered): unknown {
  return inputs["spec"];
}
