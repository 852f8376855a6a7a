import { npm } from "../end-to-end/installed-package";

/**
 * The package registry that npm is configured with here.
 *
 * @throws Error if it does not answer: what installs from it would wait for minutes.
 */
export async function registryInReach(folder: string): Promise<string> {
  const registry = (await npm(["config", "get", "registry"], folder)).trim();
  const impatient = ["--fetch-retries=1", "--fetch-timeout=20000", "--prefer-online"];
  try {
    await npm(["view", "@pulumi/pulumi", "version", ...impatient], folder);
  } catch (error) {
    throw new Error(
      "the package registry that npm is configured with does not answer, and the tests of the published form " +
        "install from it as users do; set `npm config set registry`, or run the other test files by name",
      { cause: error },
    );
  }
  return registry;
}
