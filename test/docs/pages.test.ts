import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { afterExample, Page, productTexts, typeErrors, unknownMessage } from "../support/docs/page";

const root = path.join(__dirname, "..", "..");
const readme = new Page("README.md");
const february = new Page("docs/cosi-2020-02.md");
const july = new Page("docs/cosi-2020-07.md");
const objectBucket = new Page("docs/object-bucket-claims.md");
const deployments = new Page("docs/deployments.md");
/** Those that begin with a program of their own, with its folder. */
const ofModels = [
  [february, "cosi-2020-02/greenfield"],
  [july, "cosi-2020-07/greenfield"],
  [objectBucket, "object-bucket-claims/greenfield"],
  [deployments, "deployments/bucket-and-database"],
] as const;
/** Those that go on from the quickstart. */
const packages = new Page("docs/packages.md");
const others = [readme, new Page("docs/tasks.md"), new Page("docs/driver-authors.md")];
const ci = new Page("docs/ci.md");
const otherLanguages = new Page("docs/other-languages.md");
const compatibility = new Page("docs/compatibility.md");
const selfService = new Page("docs/self-service.md");
const pages = [
  ...others,
  packages,
  selfService,
  ci,
  compatibility,
  otherLanguages,
  ...ofModels.map(([page]) => page),
];

/** Where each command of the pages is run: a file and what in it does so. */
const runs: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "npm run demo": ["test/integration/demo.test.ts", '"demo"'],
  "npm test": [".ci/run", "npm test"],
  "npm run entries": ["test/integration/published/entries.test.ts", '"entries.mjs"'],
  "npm install pulumi-cosi": ["test/support/end-to-end/installed-package.ts", '"install"'],
  "npm install pulumi-cosi @pulumi/pulumi": ["test/support/end-to-end/installed-package.ts", '"install"'],
  "npx pulumi-cosi conformance --command cosi-driver-s3": [
    "test/integration/conformance.test.ts",
    '"--command"',
  ],
  "kubectl get obc,ob,sc -A -o json | npx pulumi-cosi import-claims --endpoint unix:///run/cosi/cosi.sock --out claims":
    ["test/integration/objectbucket/import-claims.test.ts", '"import-claims", "--endpoint"'],
  "npx pulumi-cosi review --fail-on data-loss": [
    "test/integration/review/review.test.ts",
    '"--fail-on", "data-loss"',
  ],
  "npx pulumi-cosi review -- --stack prod --save-plan plan.json": [
    "examples/ci/github/up.yml",
    'review -- --stack "$STACK" --save-plan plan.json',
  ],
  "pulumi preview --json --show-replacement-steps --show-sames | npx pulumi-cosi review -": [
    "test/integration/review/review.test.ts",
    'reviewOf(["-"]',
  ],
  "npx ts-node teams.ts up red blue": ["test/integration/end-to-end/automation.test.ts", '"teams.ts"'],
  "pulumi preview --policy-pack policy": ["test/integration/policy/policy.test.ts", '"--policy-pack"'],
  "npm pack": ["test/support/end-to-end/installed-package.ts", '"pack"'],
  "npm install ../acme-platform-storage-1.0.0.tgz": [
    "test/integration/end-to-end/platform-package.test.ts",
    "install([own, organisations]",
  ],
  "pulumi preview": ["test/integration/end-to-end/platform-package.test.ts", '"preview"'],
  "pulumi up": ["test/integration/end-to-end/without-cluster.test.ts", ".up("],
  "pulumi config set kubernetes:clusterIdentifier prod": [
    "test/integration/end-to-end/renamed-server.test.ts",
    'configure("clusterIdentifier"',
  ],
  "pulumi up --replace 'urn:pulumi:prod::shop::cosi:objectstorage:BucketClaim$pulumi-nodejs:dynamic/cosi:Bucket::photos'":
    ["test/integration/end-to-end/gone-bucket.test.ts", '"--replace", urn'],
};

describe("the documentation", () => {
  it("shows the programs of examples/ as they are run", () => {
    const programs = pages.flatMap((page) => page.wholePrograms());
    assert.deepEqual(
      programs.map(({ file }) => file),
      [
        "examples/without-cluster/index.ts",
        "examples/quickstart/index.ts",
        "examples/teams/teams.ts",
        ...ofModels.map(([, example]) => `examples/${example}/index.ts`),
      ],
    );
    for (const { file, text } of programs) {
      assert.equal(text, fs.readFileSync(path.join(root, file), "utf8"), file);
    }
  });

  it("shows program parts that compile after the program that they go on from", function () {
    this.timeout(120_000);
    const parts = others.flatMap((page) => page.programParts());
    assert.ok(parts.length > 8);
    for (const [page] of ofModels) assert.ok(page.programParts().length > 7, page.file);
    const [wrong, ...right] = typeErrors([
      afterExample("quickstart", ['new cosi.Bucket("x", {});\n']),
      afterExample("quickstart", parts),
      `import * as pulumi from "@pulumi/pulumi";\n${afterExample("quickstart", packages.programParts())}`,
      ...ofModels.map(([page, example]) => afterExample(example, page.programParts())),
    ]);
    assert.deepEqual(right, [[], [], ...ofModels.map(() => [])]);
    assert.notDeepEqual(wrong, [], "a wrong part is found");
  });

  it("shows policy packs that compile", function () {
    this.timeout(120_000);
    const packs = ci.blocks("typescript");
    assert.equal(packs.length, 2);
    const whole = packs.map((pack) => (pack.includes("import") ? pack : `${packs[0] ?? ""}${pack}`));
    assert.deepEqual(typeErrors(whole), [[], []]);
  });

  it("explains messages that the package has", () => {
    const texts = productTexts();
    const messages = pages.flatMap((page) => page.messages());
    assert.ok(messages.length > 10);
    assert.deepEqual(
      messages.map((message) => unknownMessage(message, texts)).filter((text) => text !== undefined),
      [],
    );
    assert.notEqual(unknownMessage("has no such … text", texts), undefined, "an unknown one is found");
  });

  it("names no command that nothing runs", () => {
    const commands = pages.flatMap((page) => page.commands());
    assert.deepEqual(new Set(commands), new Set(Object.keys(runs)));
    for (const [command, [file, text]] of Object.entries(runs)) {
      assert.ok(fs.readFileSync(path.join(root, file), "utf8").includes(text), `${command}: ${file}`);
    }
  });

  it("says that the isolation of claims is for another driver and its store to keep [OBC-005]", () => {
    assert.match(objectBucket.text, /\*\*Isolation is the driver's to keep\.\*\* .*no caller can know/);
  });

  it("links to files and headings that are there", () => {
    const broken = pages.flatMap((page) => page.links().map((target) => page.brokenLink(target)));
    assert.ok(broken.length > 5);
    assert.deepEqual(
      broken.filter((text) => text !== undefined),
      [],
    );
  });
});
