import { provideTool, type ToolName } from "../toolchain/toolchain";
import { step } from "./progress.mjs";

/**
 * Makes tools ready, one step each, so that nothing later waits for a build.
 *
 * @throws ToolUnavailableError for the first tool that cannot be had.
 */
export async function provideTools(names: readonly ToolName[]): Promise<void> {
  for (const name of names) {
    await step("tools", async ({ note, detail }) => {
      detail(name);
      const tool = await provideTool(name, { report: note });
      detail(`${name} ${tool.version} (${tool.source})`);
    });
  }
}

/** The tools that the tests need in this environment. */
export function toolsOfTests(environment: Readonly<NodeJS.ProcessEnv>): readonly ToolName[] {
  return [
    ...toolsOfDemo(environment),
    "pulumi-language-yaml",
    "actionlint",
    "cosi-recorder",
    "cosi-recorder-v0.1",
  ];
}

/**
 * The tools that the demo needs in this environment: a cluster or a store that the user gives (see tools/local) needs
 * none of ours.
 */
export function toolsOfDemo(environment: Readonly<NodeJS.ProcessEnv>): readonly ToolName[] {
  const clusterGiven = isSet(environment["PULUMI_COSI_TEST_KUBECONFIG"]);
  const storeGiven = isSet(environment["PULUMI_COSI_TEST_S3_ENDPOINT"]);
  return [
    ...toolsOfBench(environment),
    ...(clusterGiven ? [] : (["kube-controller-manager"] as const)),
    ...(storeGiven ? [] : (["weed"] as const)),
  ];
}

/** The tools that the benchmark needs: its driver stores nothing, and it has objects of its own deleted alone. */
export function toolsOfBench(environment: Readonly<NodeJS.ProcessEnv>): readonly ToolName[] {
  const clusterGiven = isSet(environment["PULUMI_COSI_TEST_KUBECONFIG"]);
  return [
    "pulumi",
    "pulumi-language-nodejs",
    "pulumi-resource-kubernetes",
    ...(clusterGiven ? [] : (["etcd", "kube-apiserver"] as const)),
  ];
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
