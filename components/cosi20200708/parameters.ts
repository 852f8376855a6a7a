import * as pulumi from "@pulumi/pulumi";
import { parametersProblem } from "../../provider/fields/parameters";
import {
  secretNameParameter,
  secretNamespaceParameter,
  secretParametersProblem,
} from "../../provider/models/cosi-2020-07/provisioner-secrets";
import { ProblemError } from "../kubernetes/problem";
import { given } from "../kubernetes/required";
import { judge } from "../kubernetes/scope";
import type { Scope } from "./installation";

/** A Secret with the keys with which a driver logs in to its store. */
export interface ProvisionerSecret {
  /** Name of the Secret. `${bucket.name}` and `${bucket.namespace}` in it are filled in for each call. */
  name: pulumi.Input<string>;
  /** Namespace of the Secret. The same templates are filled in. */
  namespace: pulumi.Input<string>;
}

/** Settings for a driver. */
export interface ParametersArgs {
  /**
   * Parameters for the driver. Those that begin with `cosi.io/` are for this package and are not sent.
   *
   * @default none: the driver's own defaults apply
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Secret whose keys are sent with each call; they are read when the call is made. It sets the parameters
   * `cosi.io/provisioner-secret-name` and `cosi.io/provisioner-secret-namespace`. If you give the `metadata` of a Secret of
   * the same program, that Secret is created before the first call, and deleted after the last.
   *
   * @default none: the driver uses its own keys
   */
  provisionerSecret?: pulumi.Input<ProvisionerSecret>;
}

/** The parameters of a class or a Bucket, as its object has them; empty if it has none. */
export function parametersOf(
  scope: Scope,
  { parameters, provisionerSecret }: ParametersArgs,
): pulumi.Output<Record<string, string>> {
  const own = judge<Record<string, string> | undefined, Record<string, string>>(
    scope,
    parameters,
    (known = {}) => checked("parameters", known),
  );
  if (provisionerSecret === undefined) return own;
  return judge(scope, pulumi.all([own, pulumi.output(provisionerSecret)]), ([known, { name, namespace }]) => {
    const both = [secretNameParameter, secretNamespaceParameter].find((key) => key in known);
    if (both !== undefined) {
      throw new ProblemError(
        `provisionerSecret is given beside the parameter ${JSON.stringify(both)}: leave one of them out`,
      );
    }
    return checked("parameters, with provisionerSecret,", {
      ...known,
      [secretNameParameter]: given("provisionerSecret.name", name),
      [secretNamespaceParameter]: given("provisionerSecret.namespace", namespace),
    });
  });
}

function checked(argument: string, parameters: Record<string, string>): Record<string, string> {
  const problem =
    parametersProblem(parameters, { contract: "cosi-2020-07" }) ?? secretParametersProblem(parameters);
  if (problem !== undefined) throw new ProblemError(`${argument} ${problem}`);
  return parameters;
}

/** True if an object has parameters at all. */
export function hasParameters({ parameters, provisionerSecret }: ParametersArgs): boolean {
  return parameters !== undefined || provisionerSecret !== undefined;
}
