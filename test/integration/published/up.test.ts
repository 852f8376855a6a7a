import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { createPulumiEnvironment, type PulumiEnvironment } from "../../../tools/toolchain/pulumi-environment";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { consumerWith, publishedPackage } from "../../support/published/consumer";
import type { ManagerName } from "../../support/published/package-manager";
import { programAt, type ModuleSystem } from "../../support/published/programs";
import { Stack } from "../../support/stack";

/** A stack whose program lies where a user has it: below a folder that a package manager has filled. */
class ProjectStack extends Stack {
  private constructor(
    environment: PulumiEnvironment,
    folder: string,
    variables: Readonly<Record<string, string>>,
  ) {
    super(environment, folder, variables);
  }

  /** @param node Folder of the Node that comes first on PATH. */
  static async at(folder: string, node: string): Promise<ProjectStack> {
    const environment = await createPulumiEnvironment();
    const PATH = [node, environment.env["PATH"] ?? ""].join(path.delimiter);
    fs.writeFileSync(path.join(folder, "Pulumi.yaml"), "name: program\nruntime: nodejs\n");
    const stack = new ProjectStack(environment, folder, { PATH });
    await stack.succeed(["stack", "init", "test"]);
    return stack;
  }
}

/** Each with what the usual project, npm with CommonJS and Node 22, has not: package.test.ts runs that one. */
const programs: readonly {
  readonly manager: ManagerName;
  readonly typescript: string;
  readonly system: ModuleSystem;
}[] = [
  { manager: "pnpm", typescript: "~6.0.3", system: "module" },
  { manager: "yarn", typescript: "~5.9.3", system: "commonjs" },
];

for (const { manager, typescript, system } of programs) {
  describe(`a program with "type": "${system}" and TypeScript ${typescript} on Node 24, installed by ${manager}`, function () {
    this.timeout(600_000);
    const driver = new WatchedDriver();
    let stack: ProjectStack;
    let remove = (): Promise<void> => Promise.resolve();

    before(async () => {
      const consumer = await consumerWith(manager, typescript);
      const { node24 } = (await publishedPackage()).consumers;
      await driver.start();
      const folder = consumer.write("up", system, { "index.ts": programAt(driver.fake.endpoint) });
      stack = await ProjectStack.at(folder, node24);
      remove = () => stack.remove();
    });
    after(async () => {
      await remove();
      driver.fake.stop();
    });

    it("makes its bucket, has an empty preview, and deletes it", async () => {
      await stack.up();
      const { node, ...outputs } = await stack.outputs();
      assert.match(String(node), /^v24\./);
      const [created = ""] = driver.events.filter((event) => event.startsWith("answered create "));
      assert.deepEqual(outputs, { bucketId: created.replace("answered create ", ""), region: "eu-1" });
      await stack.succeed(["preview", "--expect-no-changes"]);
      await stack.destroy();
      assert.deepEqual(driver.fake.paths().slice(-2), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
    });
  });
}
