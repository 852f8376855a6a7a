import * as pulumi from "@pulumi/pulumi";

/**
 * Refuses the option `deletedWith` where a delete tells a driver something. Pulumi would drop the resource from its state as
 * deleted and call nobody: a bucket of policy Delete stays, and keys live on.
 *
 * @throws RunError that names the resource.
 */
export function refuseDeletedWith(
  type: string,
  name: string,
  opts: pulumi.ResourceOptions | undefined,
): void {
  if (opts?.deletedWith === undefined) return;
  throw new pulumi.RunError(
    `${type} ${name}: the option deletedWith is given, and Pulumi would take it out of the state without a call: what it has at ` +
      "the driver, a bucket or the keys of an account, would live on. Next: leave the option out",
  );
}
