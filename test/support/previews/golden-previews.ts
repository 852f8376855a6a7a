import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { isInternal } from "../../../provider/dynamic/internal-properties";
import type { Stack } from "../stack";
import { settled, shownResources } from "./preview-text";

const folder = path.join(__dirname, "..", "..", "integration", "previews", "golden");

/** Where previews of an API model are made. */
export interface PreviewPlace {
  /** Names that are of this run, and what stands for them. */
  readonly names: Readonly<Record<string, string>>;
  stack(source: string): Promise<Stack>;
  /** RPCs so far. */
  calls(): readonly string[];
  forget(): void;
  stop(): Promise<void>;
}

/** Programs of an API model. Each thing of the program is named for what happens to it from `before` to `after`. */
export interface PreviewedPrograms {
  /** Of which all is created. */
  readonly created: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Tests what `pulumi preview --diff` shows of the main changes of an API model, against files that a person has read. With
 * `UPDATE_GOLDEN=1` they are written.
 *
 * @param unchanged Names of what must not show: an alias renames it, or what it was copied from is edited.
 * @param ids Of the requirements that the files show. @default none
 */
export function describePreviews<Place extends PreviewPlace>(
  model: string,
  start: () => Promise<Place>,
  programs: (place: Place) => PreviewedPrograms,
  unchanged: readonly string[],
  ids = "",
): void {
  describe(`previews of ${model}`, function () {
    this.timeout(600_000);
    let place: Place;
    const shown = new Map<string, string>();
    let called: readonly string[];

    before(async () => {
      place = await start();
      const { created, before: first, after: second } = programs(place);
      const stack = await place.stack(created);
      const keep = (file: string, resources: readonly { readonly text: string }[]): void => {
        shown.set(file, `${resources.map(({ text }) => settled(text, place.names)).join("\n")}\n`);
      };
      keep("create", shownResources(await stack.succeed(["preview", "--diff"])));
      stack.write(first);
      await stack.up();
      place.forget();
      stack.write(second);
      const resources = shownResources(await stack.succeed(["preview", "--diff"]));
      for (const [name, own] of Map.groupBy(resources, (resource) => resource.name)) keep(name, own);
      called = place.calls();
      if (process.env["UPDATE_GOLDEN"] === "1") write(model, shown);
    });
    after(() => place.stop());

    it("ask no driver", () => {
      assert.deepEqual(called, []);
    });

    it("show nothing of what stays as it is", () => {
      assert.deepEqual(
        unchanged.filter((name) => shown.has(name)),
        [],
      );
    });

    it(`show of each change what its file says, and of nothing else ${ids}`.trimEnd(), () => {
      assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(goldenOf(model)));
    });

    it("show nothing internal", () => {
      for (const [file, text] of shown) assert.deepEqual(internalIn(text), [], file);
    });
  });
}

/** Properties that mean nothing to a user (of an object of the cluster its `kind` does), and what the SDK writes for what it does not know. */
function internalIn(text: string): string[] {
  const properties = [...text.matchAll(/^ {2}[ ~+-] (\w+) *:/gm)].map(([, name = ""]) => name);
  const named = properties.filter((name) => name.startsWith("__") || (name !== "kind" && isInternal(name)));
  return [...new Set([...named, ...(text.match(/04da6b54-\S+/g) ?? [])])];
}

function write(model: string, shown: ReadonlyMap<string, string>): void {
  const own = path.join(folder, model);
  fs.rmSync(own, { recursive: true, force: true });
  fs.mkdirSync(own, { recursive: true });
  for (const [name, text] of shown) fs.writeFileSync(path.join(own, `${name}.txt`), text);
}

function goldenOf(model: string): Map<string, string> {
  const own = path.join(folder, model);
  const files = fs.existsSync(own) ? fs.readdirSync(own) : [];
  return new Map(
    files.map(
      (file) => [path.basename(file, ".txt"), fs.readFileSync(path.join(own, file), "utf8")] as const,
    ),
  );
}
