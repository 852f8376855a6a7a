import * as fs from "node:fs";
import * as path from "node:path";
import { errorText } from "../../provider/dynamic/error-text";
import type { ImportedDriver } from "./arguments";
import type { ImportedClaim } from "./claims";
import { foreignFiles } from "./foreign-files";
import { ImportError } from "./import-error";
import { writeNewFile } from "./new-file";
import { newProjectName } from "./project-name";

/** The program. What it declares stands in `claims.json`, so that this is the same for all. */
export const programText = `import * as fs from "node:fs";
import * as path from "node:path";
import * as cosi from "pulumi-cosi";

/** What \`pulumi-cosi import-claims\` has found. */
interface Imported {
  driver: cosi.DriverArgs;
  claims: (Omit<cosi.objectbucket.ObjectBucketClaimArgs, "driver" | "adopt"> & { resource: string })[];
}
const text = fs.readFileSync(path.join(__dirname, "claims.json"), "utf8");
const { driver: driverArgs, claims } = JSON.parse(text) as Imported;

const driver = new cosi.Driver("store", driverArgs);

for (const { resource, ...claim } of claims) {
  // Taken as it is, with its ObjectBucket, Secret and ConfigMap: nothing is written, and no bucket is made.
  new cosi.objectbucket.ObjectBucketClaim(resource, { ...claim, driver, adopt: true });
}
`;

const listFile = "claims.json";

/** What was written into a folder. */
export interface WrittenProject {
  /** Names of the files, without those that were there. */
  readonly files: readonly string[];
  /** Name of the project. */
  readonly project: string;
}

/** Files of the project but the list. */
function projectFiles(name: string): Readonly<Record<string, string>> {
  return {
    "index.ts": programText,
    "Pulumi.yaml": [
      `name: ${name}`,
      "runtime: nodejs",
      "description: Object bucket claims that were there before",
      "",
    ].join("\n"),
    "package.json": json(packageManifest(name)),
    "tsconfig.json": json({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        types: ["node"],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
      },
      files: ["index.ts"],
    }),
  };
}

/**
 * Writes each file of the project that is absent, and the list of claims last: where it is, the rest is.
 *
 * @throws ImportError where a list is there: what a new one leaves out, the next `up` would end. And where another program
 * may be there, which would not read it.
 */
export function writeProject(
  folder: string,
  driver: ImportedDriver,
  claims: readonly ImportedClaim[],
): WrittenProject {
  const declared = json({ driver, claims });
  const project = newProjectName(folder, declared);
  const program = projectFiles(project);
  try {
    const there = namesIn(folder);
    refuseOthers(folder, there, program);
    fs.mkdirSync(folder, { recursive: true });
    const absent = Object.entries(program).filter(([name]) => !there.includes(name));
    for (const [name, text] of [...absent, [listFile, declared] as const]) {
      writeNewFile(path.join(folder, name), text);
    }
    return { files: [listFile, ...absent.map(([name]) => name)], project };
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`the program cannot be written to ${folder}: ${errorText(error)}`);
  }
}

/** @throws ImportError where a folder is of another program, or may be. */
function refuseOthers(
  folder: string,
  there: readonly string[],
  program: Readonly<Record<string, string>>,
): void {
  if (there.includes(listFile)) {
    throw new ImportError(
      `${path.join(folder, listFile)} already exists, and a stack may have its claims: give another folder, or add to that file by hand`,
    );
  }
  const foreign = foreignFiles(folder, there, program);
  if (foreign.length === 0) return;
  throw new ImportError(
    `${folder} has ${foreign.join(" and ")} beside or instead of what this command writes, so an up might run another ` +
      "program: give another folder with --out, then copy over by hand what you need from the old one",
  );
}

/** Names of what a folder has; none where it is absent. */
function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function packageManifest(name: string) {
  const ranges = ownManifest();
  const pick = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, ranges[name] ?? "*"]));
  return {
    name,
    private: true,
    main: "index.ts",
    dependencies: pick(["@pulumi/kubernetes", "@pulumi/pulumi", "pulumi-cosi"]),
    devDependencies: pick(["@types/node", "ts-node", "typescript"]),
  };
}

/** Versions that this package is made for, by package; its own among them. */
function ownManifest(): Readonly<Record<string, string>> {
  const file = require.resolve("pulumi-cosi/package.json");
  const { version, dependencies, devDependencies } = JSON.parse(fs.readFileSync(file, "utf8")) as {
    version: string;
    dependencies: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  return { ...devDependencies, ...dependencies, "pulumi-cosi": `^${version}` };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
