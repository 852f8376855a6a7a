import type * as pulumi from "@pulumi/pulumi";
import { unknown } from "@pulumi/pulumi/output";

/**
 * What a resource looks up when it is made. In a preview, which returns its inputs as its outputs, this is `null`, and that
 * is not what it will be.
 */
export function toldLater<T>(output: pulumi.Output<T>): pulumi.Output<NonNullable<T>> {
  // Typed as the value whose place it takes: nobody is called with it.
  return output.apply<NonNullable<T>>((value) => value ?? (unknown as never));
}
