import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const entry = `
  export { KubeConfig } from "@kubernetes/client-node/dist/config.js";
  export { load } from "js-yaml";`;

/** Types of what is used of it; they name no package, as none is left. */
const types = `import type { RequestOptions } from "node:https";
export declare class KubeConfig {
  loadFromString(text: string): void;
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}
export declare function load(yaml: string): unknown;
`;

/** What the class only needs to make clients of its own, which nobody here asks for; and what it takes from there. */
const leftOut: readonly (readonly [file: RegExp, names: readonly string[]])[] = [
  // A class for every kind there is: a second of CPU and 70 MB to load.
  [/@kubernetes\/client-node\/dist\/gen\/index\.js$/, ["createConfiguration", "ServerConfiguration"]],
  // For `fetch`; requests go by Node's own https.
  [/node_modules\/undici\/index\.js$/, ["Agent", "ProxyAgent"]],
];

/**
 * Bundles the part of @kubernetes/client-node that reads a kubeconfig and authenticates as it says, with the packages that
 * this part needs, and their licences beside it. Loading the library as a whole takes a second of CPU, which every command of
 * a user would pay; installed it is 65 MB.
 *
 * @param folder - Where it is written to: `index.js`, `index.d.ts` and `LICENSES.txt`.
 */
export async function bundleKubeconfig(root: string, folder: string): Promise<void> {
  const { metafile } = await build({
    stdin: { contents: entry, resolveDir: root, sourcefile: "kubeconfig.js" },
    absWorkingDir: root,
    outfile: join(folder, "index.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    metafile: true,
    legalComments: "none",
    // Node.js keeps the text of a module, at two bytes for each character once a single comment has one beyond Latin-1.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "error",
    plugins: [leaveOut],
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.d.ts"), types);
  await writeFile(join(folder, "LICENSES.txt"), await licences(root, Object.keys(metafile.inputs)));
}

const leaveOut: Plugin = {
  name: "leave-out",
  setup: (bundler) => {
    for (const [filter, names] of leftOut) {
      const contents = names.map((name) => `export const ${name} = undefined;`).join("\n");
      bundler.onLoad({ filter }, () => ({ contents, loader: "js" }));
    }
    // Under a name that no package can have.
    bundler.onResolve({ filter: /^[a-z]/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace(/^(node:)?/, "node:"), external: true } : undefined,
    );
  },
};

/** The licence of each package that a part of is in the bundle. */
async function licences(root: string, inputs: readonly string[]): Promise<string> {
  const folders = [...new Set(inputs.flatMap(packageFolder))].filter((folder) => !folder.endsWith("/undici"));
  const texts = await Promise.all(folders.sort().map((folder) => licence(join(root, folder))));
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

function packageFolder(input: string): string[] {
  const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
  return folder === undefined ? [] : [folder];
}

async function licence(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license: string;
  };
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.|-|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name}, which is a part of the bundle, has no licence file`);
  return `${name} ${version} (${license})\n\n${await readFile(join(folder, file), "utf8")}`;
}
