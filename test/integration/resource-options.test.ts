import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { quickProgram } from "../support/end-to-end/program";
import { requireTable } from "../support/docs/table";
import { Stack } from "../support/stack";

/** Where nobody listens: a preview asks no cluster. */
const kubeconfig = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "absent",
  clusters: [{ name: "absent", cluster: { server: "https://127.0.0.1:1" } }],
  contexts: [{ name: "absent", context: { cluster: "absent", user: "absent" } }],
  users: [{ name: "absent", user: {} }],
});

/** Makes everything once, each with all options, and called by its number in the list that it leaves in a file. */
const program = `
import * as fs from "node:fs";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";
import { everyComponent } from "./every-component";

const kubeconfig = process.env["KUBECONFIG"]!;
const before = new cosi.Driver("before", { endpoint: "unix:///run/cosi/cosi.sock" });
const theirs = new k8s.Provider("theirs", { kubeconfig });
const seen: pulumi.ResourceTransform = ({ custom, props, opts }) =>
  custom ? { props, opts: { ...opts, additionalSecretOutputs: ["seen"] } } : undefined;
const all = { protect: true, retainOnDelete: true, dependsOn: [before], transforms: [seen] };
const makers = everyComponent(cosi, { kubeconfig });
for (const [index, { what, make }] of makers.entries()) {
  make("made-" + index, what.includes(".") ? { ...all, providers: [theirs] } : all);
}
fs.writeFileSync(process.env["MADE"]!, JSON.stringify(makers.map(({ what }) => what)));
`;

/** A resource as a preview plans it. */
interface Planned {
  readonly urn: string;
  readonly newState: {
    readonly type: string;
    readonly custom: boolean;
    readonly parent?: string;
    readonly provider?: string;
    readonly protect?: boolean;
    readonly retainOnDelete?: boolean;
    readonly additionalSecretOutputs?: readonly string[];
  };
}

describe("the options of components, in a preview of the real engine", function () {
  this.timeout(300_000);
  let stack: Stack;
  let steps: readonly Planned[];
  let made: readonly string[];

  before(async () => {
    stack = await Stack.create({ source: program }, quickProgram);
    const file = path.join(stack.folder, "kubeconfig");
    fs.writeFileSync(file, kubeconfig);
    fs.copyFileSync(
      path.join(__dirname, "..", "support", "components", "every-component.ts"),
      path.join(stack.folder, "every-component.ts"),
    );
    const list = path.join(stack.folder, "made.json");
    const text = await stack.succeed(["preview", "--json"], { KUBECONFIG: file, MADE: list });
    made = JSON.parse(fs.readFileSync(list, "utf8")) as string[];
    ({ steps } = JSON.parse(text.slice(text.indexOf("{"))) as { steps: Planned[] });
  });
  after(async () => {
    await stack.remove();
  });

  it("reach the children that the table says", () => {
    assert.ok(made.length > 20);
    const first = steps.findIndex(({ urn }) => urn.endsWith("::before"));
    const rows = made.map((what, index) => {
      const isComponent = what.includes(".");
      const of = steps.filter(({ urn, newState: { parent = "" } }) =>
        isComponent ? parent.endsWith(`::made-${index}`) : urn.endsWith(`::made-${index}`),
      );
      const objects = of.filter(({ newState: { type } }) => type.startsWith("kubernetes:"));
      const count = (found: readonly Planned[], among = of): string => {
        if (among.length === 0) return "–";
        if (found.length === among.length) return "all";
        return found.length === 0 ? "none" : `${found.length} of ${among.length}`;
      };
      return [
        `\`${what}\``,
        isComponent ? String(of.length) : "itself",
        count(of.filter(({ newState }) => newState.protect === true)),
        count(of.filter(({ newState }) => newState.retainOnDelete === true)),
        // The engine gives a child the alias of its parent where its name begins with the parent's.
        count(of.filter(({ urn }) => urn.split("::").at(-1)?.startsWith(`made-${index}`))),
        count(of.filter(({ newState }) => newState.additionalSecretOutputs?.includes("seen") === true)),
        count(of.filter((step) => steps.indexOf(step) > first)),
        count(
          objects.filter(({ newState }) => newState.provider?.includes("::theirs::") === true),
          objects,
        ),
      ];
    });
    requireTable("docs/packages.md", "options", [
      [
        "of",
        "children",
        "`protect`",
        "`retainOnDelete`",
        "`aliases`",
        "`transforms`",
        "`dependsOn`",
        "`providers` (objects)",
      ],
      ...rows,
    ]);
  });
});
