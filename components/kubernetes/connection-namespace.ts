import * as pulumi from "@pulumi/pulumi";
import { readKubeconfig } from "../../provider/kubernetes/kubeconfig";
import type { NamedComponent } from "./custom-resource";
import type { ClusterArgs } from "./installation";
import { namespaceNamed } from "./named-values";
import { judge } from "./scope";

const lastResort = "default";

/** The namespace of an object, as its argument or else the connection says. */
export function namespaceArgument(
  scope: NamedComponent,
  args: ClusterArgs & { readonly namespace?: pulumi.Input<string> },
): pulumi.Output<string> {
  if (args.namespace === undefined) return connectionNamespace(args);
  return judge<unknown, string>(scope, args.namespace, (value) => namespaceNamed("namespace", value));
}

/**
 * The namespace of the Kubernetes connection (K02-013, K07-011): that of the context in the kubeconfig. Without `kubeconfig` and
 * `context` the stack's `kubernetes:namespace` takes precedence. A kubeconfig that cannot be read has no namespace: what
 * connects with it reports the error.
 */
function connectionNamespace({ kubeconfig, context }: ClusterArgs): pulumi.Output<string> {
  const config = new pulumi.Config("kubernetes");
  const configured = config.get("namespace");
  if (kubeconfig === undefined && context === undefined && configured !== undefined) {
    return pulumi.output(configured);
  }
  const namespace = pulumi.all([kubeconfig, context]).apply(([ownFile, ownContext]) => {
    const file = ownFile ?? config.get("kubeconfig");
    return namespaceOf(file, ownContext ?? (ownFile === undefined ? config.get("context") : undefined));
  });
  // The text of a kubeconfig is a secret, and the name of a namespace in it is none.
  return pulumi.unsecret(namespace);
}

async function namespaceOf(kubeconfig: string | undefined, context: string | undefined): Promise<string> {
  try {
    return (await readKubeconfig(kubeconfig, context)).namespace ?? lastResort;
  } catch {
    return lastResort;
  }
}
