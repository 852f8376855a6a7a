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

  /** Parts of programs, which go on after the quickstart. */
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

/** The parts of a page as a program after the quickstart, each in a block of its own. */
export function afterQuickstart(parts: readonly string[]): string {
  const quickstart = fs.readFileSync(path.join(root, "examples", "quickstart", "index.ts"), "utf8");
  return [quickstart, ...parts.map((part) => `{\n${part}}\n`)].join("\n");
}

/** Messages of the compiler for a program that lies in the folder of the quickstart. */
export function typeErrors(source: string): string[] {
  const file = path.join(root, "examples", "quickstart", "page.ts");
  const config = ts.readConfigFile(path.join(root, "tsconfig.json"), (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? source : readFile(name));
  const program = ts.createProgram([file], { ...options, noUnusedLocals: false }, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
