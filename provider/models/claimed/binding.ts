import type * as pulumi from "@pulumi/pulumi";
import type { DeepInput } from "../../kubernetes/deep-input";
import type { KubernetesTarget } from "../../kubernetes/target";

/** What the binding of a claim is given under one name in every API model. */
export interface BindingArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  /** What the program says of the claim's bucket. @default true */
  protectData?: pulumi.Input<boolean> | undefined;
}
