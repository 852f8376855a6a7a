import * as fs from "node:fs";
import * as path from "node:path";
import { createPulumiEnvironment, type PulumiEnvironment } from "../../../tools/toolchain/pulumi-environment";
import { Stack } from "../stack";

/** A stack whose program lies where a user has it: in a project that a package manager has filled. */
export class ProjectStack extends Stack {
  /**
   * @param folder Of the program.
   * @param node Folder of the Node that Pulumi finds first on PATH.
   */
  static async at(folder: string, node: string): Promise<ProjectStack> {
    const environment = await createPulumiEnvironment();
    const PATH = [node, environment.env["PATH"] ?? ""].join(path.delimiter);
    fs.writeFileSync(path.join(folder, "Pulumi.yaml"), "name: program\nruntime: nodejs\n");
    const stack = new ProjectStack(environment, folder, { PATH });
    await stack.succeed(["stack", "init", "test"]);
    return stack;
  }

  private constructor(
    environment: PulumiEnvironment,
    folder: string,
    variables: Readonly<Record<string, string>>,
  ) {
    super(environment, folder, variables);
  }
}
