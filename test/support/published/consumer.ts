import * as fs from "node:fs";
import * as path from "node:path";
import { provideConsumers, type Consumers } from "../../../tools/consumers/provide-consumers";
import { createRunFolder } from "../../../tools/local/run-folder";
import { pack, runProgram, type Ended, type Tarball } from "../end-to-end/installed-package";
import { packageManager, type ManagerName, type PackageManager } from "./package-manager";
import { compilerSettings, type ModuleSystem } from "./programs";
import { registryInReach } from "./registry";

/** The tarball in a folder outside the repository, and what projects install it with. */
export interface Published {
  /** For projects. It is deleted at the exit of this process. */
  readonly folder: string;
  readonly tarball: Tarball;
  readonly consumers: Consumers;
  readonly registry: string;
}

/** A program below a project. */
export interface Program {
  readonly system: ModuleSystem;
  /** What its package.json says is run. @default "index.ts" */
  readonly main?: string;
  /** Whether its compiler takes the types of libraries as they are. @default true */
  readonly skipLibCheck?: boolean;
  /** The texts of its files, one of which is index.ts. */
  readonly files: Readonly<Record<string, string>>;
}

/** A project of a user: the package is in its node_modules. */
export interface Consumer {
  readonly folder: string;
  readonly manager: PackageManager;
  /**
   * Writes a program below the project.
   *
   * @param name Of its folder.
   * @returns Its folder.
   */
  write(name: string, program: Program): string;
  /** Compiles a program to `out/` with the compiler of the project. */
  compile(name: string): Promise<Ended>;
}

let published: Promise<Published> | undefined;
const installed = new Map<string, Promise<Consumer>>();

/** Packs the package, once for all test files. @throws Error if no registry is in reach. */
export function publishedPackage(): Promise<Published> {
  published ??= publish();
  return published;
}

/**
 * A project that has the package from its tarball, made once for all test files.
 *
 * @param typescript Range of the compiler's version.
 */
export function consumerWith(name: ManagerName, typescript: string): Promise<Consumer> {
  const key = `${name} ${typescript}`;
  const known = installed.get(key) ?? makeConsumer(name, typescript);
  installed.set(key, known);
  return known;
}

async function publish(): Promise<Published> {
  const { path: folder } = await createRunFolder("published");
  const registry = await registryInReach(folder);
  const consumers = await provideConsumers();
  return { folder, registry, consumers, tarball: await pack(folder) };
}

async function makeConsumer(name: ManagerName, typescript: string): Promise<Consumer> {
  const { folder: above, tarball, consumers, registry } = await publishedPackage();
  const folder = path.join(above, name.replace(" ", "-"));
  fs.mkdirSync(folder);
  const write = (file: string, content: object): void => {
    fs.writeFileSync(path.join(folder, file), JSON.stringify(content, undefined, 2));
  };
  const manager = await packageManager(name, consumers, registry);
  write("package.json", {
    name: "project",
    version: "1.0.0",
    private: true,
    dependencies: { "@pulumi/pulumi": "^3.276.0", "pulumi-cosi": `file:${tarball.file}` },
    devDependencies: { "@types/node": "^22.20.0", "ts-node": "^10.9.2", typescript },
  });
  await manager.install(folder);
  const compiler = path.join(folder, "node_modules", "typescript", "bin", "tsc");
  return {
    folder,
    manager,
    write: (program, { system, main = "index.ts", skipLibCheck = true, files }) => {
      fs.mkdirSync(path.join(folder, program));
      write(`${program}/package.json`, { private: true, type: system, main });
      write(`${program}/tsconfig.json`, compilerSettings({ skipLibCheck }));
      for (const [file, text] of Object.entries(files))
        fs.writeFileSync(path.join(folder, program, file), text);
      return path.join(folder, program);
    },
    compile: (program) => runProgram(process.execPath, [compiler, "-p", program], { cwd: folder }),
  };
}
