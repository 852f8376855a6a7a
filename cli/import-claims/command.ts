import * as fs from "node:fs";
import { errorText } from "../../provider/dynamic/error-text";
import type { Command, Terminal } from "../command";
import { exitCodes } from "../exit-codes";
import { UsageError } from "../usage-error";
import { readImportArguments, type ImportArguments } from "./arguments";
import { takeClaims, type TakenClaims } from "./claims";
import { readLists, type ClusterLists, type ListText } from "./cluster-lists";
import { ImportError } from "./import-error";
import { listing } from "./list-text";
import { writeProject, type WrittenProject } from "./project";

const help = `pulumi-cosi import-claims: a program that takes over the object bucket claims of a cluster, as they are

  kubectl get obc -A -o json | pulumi-cosi import-claims --endpoint unix:///run/cosi/cosi.sock --out claims
  pulumi-cosi import-claims claims.json --endpoint unix:///run/cosi/cosi.sock --out claims [options]

It reads what kubectl has listed and writes a Pulumi program: claims.json with what it declares, and index.ts, Pulumi.yaml,
package.json and tsconfig.json where they are absent. It asks no cluster and no store, and reads no Secret. Each folder is
a project of its own, so that its stacks are no other program's. The first pulumi up takes each claim with its
ObjectBucket, Secret and ConfigMap, and changes none of them; from then on the bucket is kept and its account never
revoked. The operator that made the claims has to stop serving them first.

  --endpoint <address>       driver that the program will have: unix:///path/driver.sock, or dns:///host:port with TLS
  --driver-name <name>       name that it must report (default: the one that it reports at the first up)
  --out <folder>             folder of the program, for one run at a time. It must not hold a claims.json, nor any other
                             Pulumi.yaml, .yml or .json, package.json, tsconfig.json or index.* than the command writes
  --class <name>             only claims of this StorageClass; repeat it for more
  --object-buckets <file>    kubectl get ob -o json, to see before up that each claim has its own, bound, of its bucket,
                             and not about to be deleted
  --storage-classes <file>   kubectl get sc -o json, to see whether the claims are of one store
  -h, --help

Instead of further files, the claims may be listed together with the others: kubectl get obc,ob,sc -A -o json.

Exit code: 0 all claims are taken; 1 some are left out, and named; 2 wrong command line; 3 nothing could be done.
`;

/** `pulumi-cosi import-claims`. */
export const importClaims: Command = {
  name: "import-claims",
  summary: "write a program that takes over a cluster's object bucket claims",
  help,
  run: async (args, terminal) => {
    const asked = readImportArguments(args);
    if (asked.help) {
      terminal.out(help);
      return exitCodes.ok;
    }
    try {
      return await importAsked(asked, terminal);
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      terminal.err(`pulumi-cosi import-claims: ${error.message}\n`);
      return exitCodes.cannotRun;
    }
  },
};

async function importAsked(asked: ImportArguments, terminal: Terminal): Promise<number> {
  const { file, objectBuckets, storageClasses, classes, driver, folder } = asked;
  const claims = file === undefined ? await pipedIn(terminal) : textOf(file);
  const lists = readLists(
    claims,
    objectBuckets === undefined ? undefined : textOf(objectBuckets),
    storageClasses === undefined ? undefined : textOf(storageClasses),
  );
  const found = takeClaims(lists, classes);
  const { taken, leftOut, warnings } = found;
  if (taken.length === 0 && leftOut.length === 0) {
    const wanted = classes.length === 0 ? "" : ` of the StorageClass ${classes.join(" or ")}`;
    throw new ImportError(`${claims.source} has no ObjectBucketClaim${wanted}, so no program is written`);
  }
  for (const text of warnings) terminal.err(`warning: ${text}\n`);
  for (const { claim, reason } of leftOut) terminal.err(`left out: ObjectBucketClaim ${claim} ${reason}\n`);
  if (taken.length > 0) {
    terminal.out(summary(folder, writeProject(folder, driver, taken), found, lists));
  }
  return leftOut.length === 0 ? exitCodes.ok : exitCodes.leftOut;
}

function summary(
  folder: string,
  { files, project }: WrittenProject,
  { taken, leftOut }: TakenClaims,
  lists: ClusterLists,
): string {
  const claims = taken.length === 1 ? "1 claim" : `${taken.length} claims`;
  const others = leftOut.length === 0 ? "" : `, ${leftOut.length} left out`;
  return [
    `${claims} in ${folder}${others}; written: ${files.join(", ")}`,
    ...notLookedAt(lists),
    `The project is ${project}. No other program may have its stack ${project}/prod:`,
    "an up removes the claims that the stack has but the program does not.",
    "Next: stop the operator that serves them, then in that folder npm install, pulumi stack init prod,",
    "pulumi up, and pulumi preview --expect-no-changes.",
    "",
  ].join("\n");
}

function notLookedAt({ objectBuckets, storageClasses }: ClusterLists): string[] {
  const absent = [
    ...(objectBuckets === undefined ? ["ObjectBuckets"] : []),
    ...(storageClasses === undefined ? ["StorageClasses"] : []),
  ];
  return absent.length === 0 ? [] : [`Not looked at, as not listed (${listing}): ${absent.join(", ")}.`];
}

async function pipedIn({ input }: Terminal): Promise<ListText> {
  if (input === undefined) {
    throw new UsageError(
      "no claims are given: name a file, or pipe in what kubectl get obc -A -o json writes",
    );
  }
  return { source: "the input", text: await input() };
}

function textOf(file: string): ListText {
  try {
    return { source: file, text: fs.readFileSync(file, "utf8") };
  } catch (error) {
    throw new ImportError(`${file} cannot be read: ${errorText(error)}`);
  }
}
