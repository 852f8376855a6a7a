import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";

/** What is wrong with the arguments of a component; shown under the component, without a stack trace. */
export class InvalidArgumentError extends pulumi.ResourceError {
  /**
   * @param component The component.
   * @param name Its name in the program.
   * @param problem The argument, its value, and what to do: `protocols is []: give at least one of S3, Azure, GCP`.
   */
  constructor(component: pulumi.ComponentResource, name: string, problem: string) {
    super(`${component.constructor.name} ${name}: ${problem}`, component, true);
    this.name = "InvalidArgumentError";
  }

  /** Pulumi inspects every error of a program; with the component that includes all its resources, which takes minutes. */
  [inspect.custom](): string {
    return this.message;
  }
}
