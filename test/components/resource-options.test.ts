import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "../../index";
import { everyComponent, type Maker } from "../support/components/every-component";
import { requireTable } from "../support/docs/table";
import { run } from "./objectstorage/mocks";

/** A registration, as the SDK asks the engine for it. */
interface Asked {
  readonly type: string;
  readonly name: string;
  /** `<type>::<name>`, empty for the stack. */
  readonly parent: string;
  readonly isCustom: boolean;
  readonly ignoreChanges: readonly string[];
  /** Options that a parent hands on, and the code of a component gives no child. */
  readonly own: readonly string[];
}

/** A resource of the package that a test makes. */
interface Instance {
  readonly maker: Maker;
  readonly opts: pulumi.ComponentResourceOptions;
}

/**
 * Runs a program as a preview does.
 *
 * @returns What each resource has asked for: a component its children, another one itself.
 */
async function askedBy(
  instances: (makers: readonly Maker[]) => Instance[],
): Promise<(Instance & { asked: Asked[] })[]> {
  const asked: Asked[] = [];
  let made: Instance[] = [];
  await run(
    () => {
      recordRegistrations(asked);
      made = instances(everyComponent(cosi));
      for (const [index, { maker, opts }] of made.entries()) maker.make(`made-${index}`, opts);
    },
    // What is no input is not known yet, as in a first preview.
    { preview: true, answer: ({ name, inputs }) => ({ id: name, state: inputs as object }) },
  );
  return made.map((instance, index) => {
    const name = `made-${index}`;
    const isComponent = instance.maker.what.includes(".");
    const own = asked.filter((one) => (isComponent ? one.parent.endsWith(`::${name}`) : one.name === name));
    return { ...instance, asked: own };
  });
}

function recordRegistrations(asked: Asked[]): void {
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined) throw new Error("there is no monitor");
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, callback) => {
    if (typeof callback !== "function") throw new Error("a registration has no metadata");
    const [type = "", name = ""] = request.getParent().split("::").slice(2);
    const parent = type.endsWith("pulumi:pulumi:Stack") ? "" : `${type}::${name}`;
    asked.push({
      type: request.getType(),
      name: request.getName(),
      parent,
      isCustom: request.getCustom(),
      ignoreChanges: request.getIgnorechangesList(),
      own: [
        ...(request.getAliasesList().length > 0 ? ["aliases"] : []),
        ...(request.getTransformsList().length > 0 ? ["transforms"] : []),
        ...(request.hasRetainondelete() ? ["retainOnDelete"] : []),
      ],
    });
    return register(request, callback);
  };
}

/** Type in short: an object of the cluster by its kind, a resource of the package as a preview shows it. */
const kindOf = (type: string): string => {
  const kind = type.slice(type.lastIndexOf(":") + 1);
  return type.startsWith("kubernetes:") ? `the ${kind} object` : kind;
};

describe("the options of components", function () {
  this.timeout(120_000);

  it("are given to no child by a component's own list: all that reaches one comes through its parent", async () => {
    const opts = { aliases: [{ name: "before" }], transforms: [() => undefined], retainOnDelete: true };
    const found = await askedBy((makers) =>
      makers.filter(({ what }) => what.includes(".")).map((maker) => ({ maker, opts })),
    );
    for (const { maker, asked } of found) {
      assert.ok(asked.length > 0, `${maker.what} has no children`);
      for (const { type, own } of asked) assert.deepEqual(own, [], `${maker.what}: ${type}`);
    }
  });

  it("leave what ignoreChanges names out of the changes of whatever carries it, as the table says", async () => {
    const found = await askedBy((makers) =>
      makers.flatMap((maker) =>
        maker.ignorable.map((argument) => ({ maker, opts: { ignoreChanges: [argument] } })),
      ),
    );
    const rows = new Map<string, string[]>();
    for (const { maker, opts, asked } of found) {
      const [argument = ""] = opts.ignoreChanges ?? [];
      const carriers = asked.filter(({ ignoreChanges }) => ignoreChanges.length > 0);
      assert.ok(carriers.length > 0, `${maker.what}: ${argument} reaches nothing`);
      const kinds = [...new Set(carriers.map(({ type }) => kindOf(type)))];
      const cell = maker.what.includes(".") ? `\`${argument}\` (${kinds.join(", ")})` : `\`${argument}\``;
      rows.set(maker.what, [...(rows.get(maker.what) ?? []), cell]);
    }
    requireTable("docs/packages.md", "ignored", [
      ["of", "arguments that `ignoreChanges` may name, and what is left as it is"],
      ...[...rows].map(([what, cells]) => [`\`${what}\``, cells.join(", ")]),
    ]);
  });

  it("hand on what stands below an argument", async () => {
    const found = await askedBy((makers) =>
      makers
        .filter(({ what }) => what === "objectstorage.BucketClaim")
        .map((maker) => ({ maker, opts: { ignoreChanges: ["labels.team"] } })),
    );
    const paths = found.flatMap(({ asked }) => asked.flatMap(({ ignoreChanges }) => [...ignoreChanges]));
    assert.ok(paths.includes("metadata.labels.team"), paths.join());
  });

  it("refuse deletedWith, by which nobody would be told of a delete", async () => {
    await run(
      () => {
        const makers = everyComponent(cosi).filter(({ what }) => what !== "Driver");
        assert.ok(makers.length > 20);
        const other = new pulumi.ComponentResource("test:Other", "other");
        for (const { what, make } of makers) {
          assert.throws(
            () => make("one", { deletedWith: other }),
            { message: new RegExp(`^${what.replace(/.*\./, "")} one: the option deletedWith is given`) },
            what,
          );
        }
      },
      { preview: true, answer: ({ name, inputs }) => ({ id: name, state: inputs as object }) },
    );
  });

  it("refuse in ignoreChanges what is not changed in place, and tell what is", async () => {
    await assert.rejects(
      askedBy((makers) =>
        makers
          .filter(({ what }) => what === "objectstorage.BucketClaim")
          .map((maker) => ({ maker, opts: { ignoreChanges: ["protocols"] } })),
      ),
      /BucketClaim made-0: ignoreChanges has "protocols", .* those of "annotations", "deletionPolicy", "labels", "protectData"\./,
    );
  });
});
