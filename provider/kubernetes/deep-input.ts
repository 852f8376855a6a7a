import type * as pulumi from "@pulumi/pulumi";

/**
 * An input of which each part may be an output of its own: what a preview does not know of one part leaves the
 * others known, where an output of the whole would be unknown as a whole.
 */
export type DeepInput<T> =
  pulumi.Input<T> | (T extends object ? pulumi.Input<{ [Key in keyof T]: DeepInput<T[Key]> }> : never);
