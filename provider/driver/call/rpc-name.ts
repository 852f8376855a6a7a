/** The name by which users know an RPC: `DriverCreateBucket`. */
export function rpcName(method: { readonly path: string }): string {
  return method.path.slice(method.path.lastIndexOf("/") + 1);
}
