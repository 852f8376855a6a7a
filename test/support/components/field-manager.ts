/** Manager, for server-side apply, that a custom resource names; `undefined` for the random one of @pulumi/kubernetes. */
export function fieldManagerOf({ inputs }: { readonly inputs: Record<string, unknown> }): unknown {
  const { annotations } = inputs["metadata"] as { annotations: Record<string, unknown> };
  return annotations["pulumi.com/patchFieldManager"];
}
