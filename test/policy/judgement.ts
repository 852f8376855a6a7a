import * as sdk from "@pulumi/policy";
import type { ReportViolation, ResourceValidationPolicy } from "@pulumi/policy";

/** What @pulumi/policy has in the place of a text that a preview does not know. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** The same for an object. */
export const unknownObject = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff";

/** A resource as a test gives it. */
export interface Given {
  readonly type: string;
  readonly name?: string;
  readonly props?: Readonly<Record<string, unknown>>;
  /** @default "dev" */
  readonly stack?: string;
  /** @default none */
  readonly tags?: Readonly<Record<string, string>>;
  /** Types of what it belongs to. @default none */
  readonly parents?: readonly string[];
  /** Settings of the rule. @default none */
  readonly config?: object;
}

/** What a rule says; `undefined` where it is not about the resource. */
export function judge(policy: ResourceValidationPolicy, given: Given): string[] | undefined {
  const { type, name = "photos", props = {}, stack = "dev", tags = {}, parents = [], config = {} } = given;
  const { validateResource } = policy;
  if (typeof validateResource !== "function") throw new Error(`${policy.name} judges no resource`);
  const violations: string[] = [];
  const report: ReportViolation = (message) => violations.push(message);
  const notApplicable = new Error("not applicable");
  const args: sdk.ResourceValidationArgs = {
    type,
    name,
    urn: `urn:pulumi:${stack}::shop::${[...parents, type].join("$")}::${name}`,
    props: asInPreview(props),
    opts: {
      protect: false,
      ignoreChanges: [],
      aliases: [],
      customTimeouts: noTimeouts,
      additionalSecretOutputs: [],
    },
    stackTags: new Map(Object.entries(tags)),
    isType: () => false,
    asType: () => undefined,
    getConfig: configured(config),
    notApplicable: () => {
      throw notApplicable;
    },
  };
  try {
    void validateResource(args, report);
  } catch (error) {
    if (error !== notApplicable) throw error;
    return undefined;
  }
  return violations;
}

const noTimeouts = { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 };

type GetConfig = sdk.ResourceValidationArgs["getConfig"];

/** Settings as a rule asks for them. */
export function configured(config: object): GetConfig {
  const getConfig: unknown = () => config;
  if (!isGetConfig(getConfig)) throw new Error("not reached");
  return getConfig;
}

function isGetConfig(value: unknown): value is GetConfig {
  return typeof value === "function";
}

type Properties = Readonly<Record<string, unknown>>;

/** Properties that throw where an unknown one is read, as the SDK hands them on; its types leave the function out. */
export function asInPreview(props: Properties): Record<string, unknown> {
  const proxy: unknown = Reflect.get(sdk, "unknownCheckingProxy");
  if (!isProxying(proxy)) throw new Error("@pulumi/policy has no unknownCheckingProxy");
  return proxy(props);
}

function isProxying(value: unknown): value is (props: Properties) => Record<string, unknown> {
  return typeof value === "function";
}
