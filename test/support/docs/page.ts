import * as fs from "node:fs";
import * as path from "node:path";
import ts from "typescript";

const root = path.join(__dirname, "..", "..", "..");

/** A program that a page shows whole. */
export interface WholeProgram {
  readonly file: string;
  readonly text: string;
}

/** A page of the documentation. */
export class Page {
  readonly text: string;

  /** @param file Relative to the repository. */
  constructor(readonly file: string) {
    this.text = fs.readFileSync(path.join(root, file), "utf8");
  }

  /** What stands in the code blocks of one language. */
  blocks(language: string): string[] {
    const form = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm");
    return [...this.text.matchAll(form)].map(([, text = ""]) => text);
  }

  /** Programs that the page shows whole: the comment before the block names the file. */
  wholePrograms(): WholeProgram[] {
    return [...this.text.matchAll(/<!-- (\S+) -->\n```ts\n([\s\S]*?)^```/gm)].map(
      ([, file = "", text = ""]) => ({ file, text }),
    );
  }

  /** Parts of programs, which go on after the one that the page begins with. */
  programParts(): string[] {
    const whole = new Set(this.wholePrograms().map(({ text }) => text));
    return this.blocks("ts").filter((text) => !whole.has(text));
  }

  /** Commands that a reader is told to type, without those that only set a variable. */
  commands(): string[] {
    return this.blocks("sh")
      .flatMap((text) => text.trim().split("\n"))
      .filter((line) => !line.startsWith("export "));
  }

  /** Messages of the package that a table explains, as written; "…" stands for any text. */
  messages(): string[] {
    const table = /^\| the text says \|.*\n\|[-|]+\|\n((?:\|.*\n?)+)/m.exec(this.text)?.[1] ?? "";
    return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = ""]) => text);
  }

  /** Links to files of the repository and to headings, as written. */
  links(): string[] {
    return [...this.text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
  }

  /** A link that leads nowhere, in words; `undefined` if it leads somewhere. */
  brokenLink(target: string): string | undefined {
    const [file = "", heading] = target.split("#");
    const linked = file === "" ? this.file : path.join(path.dirname(this.file), file);
    if (!fs.existsSync(path.join(root, linked))) return `${this.file}: ${target}: no such file`;
    if (heading === undefined) return undefined;
    const headings = [...fs.readFileSync(path.join(root, linked), "utf8").matchAll(/^#+ (.+)$/gm)];
    return headings.some(([, text = ""]) => anchorOf(text) === heading)
      ? undefined
      : `${this.file}: ${target}: no such heading`;
  }
}

/** The anchor that the usual renderers of Markdown give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/** The parts of a page as a program after an example, each in a block of its own. */
export function afterExample(example: string, parts: readonly string[]): string {
  const before = fs.readFileSync(path.join(root, "examples", example, "index.ts"), "utf8");
  return [before, ...parts.map((part) => `{\n${part}}\n`)].join("\n");
}

/** A message that a page quotes and no source file has, in words; `undefined` if one has it. */
export function unknownMessage(quoted: string, sources: string): string | undefined {
  const form = quoted.split("…").map((part) => part.trim().replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(form.join('[^"`\\n]{0,200}?')).test(sources)
    ? undefined
    : `no source file says ${quoted}`;
}

/** The texts of all source files of the product, each text of several lines as one, "…" for what is filled in. */
export function productTexts(): string {
  return ["components", "provider"]
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => fs.readFileSync(path.join(root, folder, name), "utf8")),
    )
    .join("\n")
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…")
    .replace(/["`] \+\s+["`]/g, "");
}

/**
 * Messages of the compiler for programs, each as if it lay in the folder of an example. They are compiled together: most
 * of the time goes into the types that they share.
 *
 * @returns One list for each program.
 */
export function typeErrors(sources: readonly string[]): string[][] {
  const programs = new Map(
    sources.map((source, index) => [path.join(root, "examples", "quickstart", `page-${index}.ts`), source]),
  );
  const config = ts.readConfigFile(path.join(root, "tsconfig.json"), (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => programs.has(name) || fileExists(name);
  host.readFile = (name) => programs.get(name) ?? readFile(name);
  const program = ts.createProgram([...programs.keys()], { ...options, noUnusedLocals: false }, host);
  return [...programs.keys()].map((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  );
}
