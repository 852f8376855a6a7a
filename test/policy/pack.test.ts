import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as path from "node:path";
import { validateResourceOfType, type Policies, type PolicyPackConfig } from "@pulumi/policy";
import * as cosi from "../../index";
import { policies } from "../../policy";
import { withLevels } from "../../policy/enforcement";
import { requireKnownSettings } from "../../policy/known-settings";
import { configOf, type RuleArgs } from "../../policy/rule";
import { kindWrittenBy } from "../../policy/resources/kubernetes-object";
import { resourceTypes } from "../../policy/resources/types";
import { Secret } from "../../provider/kubernetes/secret-resource";
import { BucketBinding } from "../../provider/models/cosi-2020-02/bucket-binding";
import { SourceSecret } from "../../provider/models/cosi-2020-02/source-secret";
import { AdminBucket } from "../../provider/models/cosi-2020-07/admin-bucket";
import { Claim } from "../../provider/models/objectbucket/claim";
import schema from "../../provider/plugin/schema.json";

const root = path.join(__dirname, "..", "..");

/** Modules that are loaded once a file is. */
function loadedBy(file: string): string[] {
  const script = `require("ts-node/register/transpile-only"); require(${JSON.stringify(file)});
    console.log(JSON.stringify(Object.keys(require.cache)));`;
  return JSON.parse(execFileSync("node", ["-e", script], { cwd: root, encoding: "utf8" })) as string[];
}

describe("the policy pack", () => {
  it("has rules with a name of the package's, a level, a way out, and a default and a description for each setting", () => {
    assert.equal(new Set(policies.map(({ name }) => name)).size, policies.length);
    for (const {
      name,
      enforcementLevel,
      description,
      remediationSteps,
      severity,
      configSchema,
    } of policies) {
      assert.match(name, /^cosi-/);
      assert.equal(enforcementLevel, "mandatory", name);
      for (const text of [description, remediationSteps]) assert.match(text ?? "", /^[A-Z].*\.$/, name);
      assert.ok(severity, name);
      for (const [setting, schema] of Object.entries(configSchema?.properties ?? {})) {
        assert.notEqual(schema.default, undefined, `${name}, ${setting}`);
        assert.ok(schema.description, `${name}, ${setting}`);
      }
      assert.ok(configSchema?.properties["except"], name);
    }
  });

  it("keeps the level of a rule that is set, which the SDK alone would make advisory", () => {
    const other: Policies = [{ name: "own", description: "", validateStack: () => undefined }];
    const config = {
      "cosi-allowed-drivers": { drivers: ["x"] },
      "cosi-no-anonymous-write": { anonymousRead: "deny", enforcementLevel: "advisory" },
      "cosi-brownfield-needs-retain": "disabled",
      own: { size: 1 },
    } as const;
    assert.deepEqual(withLevels(config, [...policies, ...other]), {
      "cosi-allowed-drivers": { drivers: ["x"], enforcementLevel: "mandatory" },
      "cosi-no-anonymous-write": { anonymousRead: "deny", enforcementLevel: "advisory" },
      "cosi-brownfield-needs-retain": "disabled",
      own: { size: 1, enforcementLevel: "advisory" },
    });
    const all = withLevels(
      { all: "advisory", "cosi-allowed-drivers": { drivers: [] } },
      policies,
      "mandatory",
    );
    assert.deepEqual(all["cosi-allowed-drivers"], { drivers: [], enforcementLevel: "advisory" });
    assert.deepEqual(withLevels({ own: { size: 1 } }, other, "mandatory")["own"], {
      size: 1,
      enforcementLevel: "mandatory",
    });
  });

  it("takes no setting whose rule, key or level is not right, which would be without force", () => {
    const refused = (config: PolicyPackConfig, reason: RegExp): void => {
      assert.throws(() => {
        requireKnownSettings(config, policies);
      }, reason);
    };
    refused(
      { "cosi-allowed-driver": { drivers: ["x"] } },
      /^Error: config has "cosi-allowed-driver", which is no rule of this pack: use one of all, .*cosi-allowed-drivers/,
    );
    refused(
      { "cosi-allowed-drivers": { driver: ["x"] } },
      /^Error: config of cosi-allowed-drivers has "driver", which is no setting of this rule: use one of enforcementLevel, drivers, except$/,
    );
    const level = "advise" as "advisory";
    refused(
      { "cosi-allowed-drivers": level },
      /^Error: config of cosi-allowed-drivers: enforcementLevel is "advise": use/,
    );
    refused({ "cosi-allowed-drivers": { enforcementLevel: level } }, /enforcementLevel is "advise"/);
    requireKnownSettings(
      {
        all: "mandatory",
        "cosi-allowed-drivers": { drivers: ["x"], except: [], enforcementLevel: "advisory" },
      },
      policies,
    );
    requireKnownSettings({ own: { size: 1 } }, [{ name: "own" }]);
  });

  it("judges nothing by a setting that is none, wherever that was given", () => {
    const getConfig: RuleArgs["getConfig"] = () => ({ driver: ["x"] }) as never;
    const rule = {
      name: "own",
      description: "",
      severity: "low",
      remediationSteps: "",
      defaults: { drivers: [] },
      settings: { drivers: { type: "array" } },
    } as const;
    assert.throws(() => configOf(rule, { getConfig }), /config of own has "driver", which is no setting/);
  });

  it("knows the resources by the types that their classes carry", () => {
    const classes = {
      driver: cosi.Driver,
      bucket: cosi.Bucket,
      bucketAccess: cosi.BucketAccess,
      deployment: cosi.Deployment,
      deploymentAccess: cosi.DeploymentAccess,
      secret: Secret,
      objectBucketClaim: Claim,
      adminBucket: AdminBucket,
      bucketBinding: BucketBinding,
      sourceSecret: SourceSecret,
    } satisfies Record<keyof typeof resourceTypes, unknown>;
    for (const [key, [ofClass]] of Object.entries(resourceTypes)) {
      assert.equal(ofClass, Object.entries(classes).find(([name]) => name === key)?.[1].__pulumiType);
    }
  });

  it("knows every resource of the plugin by its type", () => {
    const known = Object.values(resourceTypes).flatMap(([, ofPlugin]) => ofPlugin ?? []);
    assert.deepEqual(known.sort(), Object.keys(schema.resources).sort());
  });

  it("knows every component as what writes objects", () => {
    const modules = [
      cosi.objectstorage,
      cosi.objectbucket,
      cosi.deployment,
      cosi.cosi20200708,
      cosi.cosi20200227,
    ];
    const types = modules.flatMap((module) =>
      Object.values<object>(module).flatMap((part): unknown => Reflect.get(part, "__pulumiType") ?? []),
    );
    assert.equal(types.length, 21);
    for (const type of types) assert.notEqual(kindWrittenBy(String(type)), undefined, String(type));
  });

  it("is not needed by an organisation's own rule, which recognises a resource by its class", () => {
    const rule = validateResourceOfType(cosi.Bucket, ({ deletionPolicy }, _, reportViolation) => {
      if (deletionPolicy === "Delete") reportViolation("no");
    });
    assert.equal(Reflect.get(rule, "__pulumiType"), resourceTypes.bucket[0]);
  });

  it("is not loaded by the package, and loads nothing that talks to drivers and clusters", function () {
    this.timeout(120_000);
    const has = (files: readonly string[], name: string): boolean =>
      files.some((file) => file.includes(path.join("node_modules", name) + path.sep));
    assert.equal(has(loadedBy("./index.ts"), "@pulumi/policy"), false);
    const loaded = loadedBy("./policy/index.ts");
    assert.equal(has(loaded, "@pulumi/policy"), true);
    assert.equal(has(loaded, "@pulumi/kubernetes"), false);
    const own = loaded.map((file) => path.relative(root, file)).filter((file) => file.startsWith("provider"));
    assert.deepEqual(own.sort(), [
      "provider/contracts/bucket-words.ts",
      "provider/contracts/contract.ts",
      "provider/contracts/deployment-words.ts",
      "provider/contracts/traits.ts",
      "provider/dynamic/values.ts",
      "provider/models/cosi-2020-07/specs.ts",
    ]);
  });
});
