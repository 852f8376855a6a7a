import * as fs from "node:fs";
import * as path from "node:path";
import { errorText } from "../../provider/dynamic/error-text";
import type { ImportedDriver } from "./arguments";
import type { ImportedClaim } from "./claims";
import { ImportError } from "./import-error";
import { newProjectName, projectNameIn } from "./project-name";
import { isThere, strangersIn } from "./strange-project";

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
const projectFile = "Pulumi.yaml";

/** What was written into a folder. */
export interface WrittenProject {
  /** Names of the files, without those that were there. */
  readonly files: readonly string[];
  /** Name of the project; `undefined` if the `Pulumi.yaml` that was there has none that can be read. */
  readonly project: string | undefined;
}

/** Files of the project but the list. */
function projectFiles(name: string): Readonly<Record<string, string>> {
  return {
    "index.ts": programText,
    [projectFile]: [
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
 * @throws ImportError where a list is there: what a new one leaves out, the next `up` would end. And where a program is
 * there that would not read it.
 */
export function writeProject(
  folder: string,
  driver: ImportedDriver,
  claims: readonly ImportedClaim[],
): WrittenProject {
  const list = path.join(folder, listFile);
  if (isThere(list)) {
    throw new ImportError(
      `${list} is there, and a stack may have its claims: give another folder, or add to that file by hand`,
    );
  }
  const strangers = strangersIn(folder, programText);
  if (strangers.length > 0) {
    throw new ImportError(
      `${folder} has a program of its own, which would take no claim of ${listFile}: ${strangers.join("; ")}. Next: give ` +
        "another folder; what is written there can be moved into this program by hand",
    );
  }
  try {
    fs.mkdirSync(folder, { recursive: true });
    const declared = json({ driver, claims });
    const files = Object.entries(projectFiles(newProjectName(folder, declared)));
    const absent = files.filter(([name]) => !isThere(path.join(folder, name)));
    for (const [name, text] of [...absent, [listFile, declared] as const]) {
      writeWhole(path.join(folder, name), text);
    }
    return {
      files: [listFile, ...absent.map(([name]) => name)],
      project: projectNameIn(path.join(folder, projectFile)),
    };
  } catch (error) {
    throw new ImportError(`the program cannot be written to ${folder}: ${errorText(error)}`);
  }
}

/** Writes a file that is there as a whole or not at all: a disk may be full. */
function writeWhole(file: string, text: string): void {
  const part = `${file}.part`;
  try {
    fs.writeFileSync(part, text);
    fs.renameSync(part, file);
  } catch (error) {
    fs.rmSync(part, { force: true });
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
