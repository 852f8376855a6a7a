import { provideTool, type ToolName } from "../toolchain/toolchain";
import { step } from "./progress.mjs";

/**
 * Makes the tools ready that the demo and the tests need, one step each, so that no test waits for a build.
 *
 * A cluster or a store that the user gives (see tools/local) needs no tools of ours.
 *
 * @throws ToolUnavailableError for the first tool that cannot be had.
 */
export async function provideTools(environment: Readonly<NodeJS.ProcessEnv>): Promise<void> {
  for (const name of neededTools(environment)) {
    await step("tools", async ({ note, detail }) => {
      detail(name);
      const tool = await provideTool(name, { report: note });
      detail(`${name} ${tool.version} (${tool.source})`);
    });
  }
}

/** The tools that the demo and the tests need in this environment. */
export function neededTools(environment: Readonly<NodeJS.ProcessEnv>): readonly ToolName[] {
  const clusterGiven = isSet(environment["PULUMI_COSI_TEST_KUBECONFIG"]);
  const storeGiven = isSet(environment["PULUMI_COSI_TEST_S3_ENDPOINT"]);
  return [
    "pulumi",
    "pulumi-language-nodejs",
    "pulumi-resource-kubernetes",
    ...(clusterGiven ? [] : (["etcd", "kube-apiserver", "kube-controller-manager"] as const)),
    ...(storeGiven ? [] : (["weed"] as const)),
  ];
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
