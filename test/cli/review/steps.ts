import { readPreview } from "../../../cli/review/preview";
import { review } from "../../../cli/review/review";
import type { Finding } from "../../../cli/review/finding";

/** Of a state, beside its properties. */
export interface StateOptions {
  readonly parent?: string;
  readonly outputs?: object;
  readonly retainOnDelete?: boolean;
  readonly custom?: boolean;
  readonly type?: string;
}

export const driver = { driverName: "db.example.com", contract: "cosi.v1alpha1" };

/** How a preview shows a secret, as a state has it. */
export const secretOfState = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "v1:x",
};

/** What a preview writes for what it does not know. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A step as `pulumi preview --json` writes it. @param more Of the state before; `parent` is of both. */
export function step(
  op: string,
  type: string,
  name: string,
  oldInputs?: object,
  newInputs?: object,
  { parent, ...more }: StateOptions = {},
) {
  const state = (inputs: object) => ({ inputs: inputsAsWritten(type, inputs), parent });
  return {
    op,
    urn: `urn:pulumi:prod::shop::${type}::${name}`,
    ...(oldInputs === undefined ? {} : { oldState: { ...state(oldInputs), outputs: {}, ...more } }),
    ...(newInputs === undefined ? {} : { newState: state(newInputs) }),
  };
}

/** The same step, with more in the states, such as Pulumi's options. */
export function withStates(
  one: ReturnType<typeof step>,
  { before, after, ...more }: { readonly before?: object; readonly after?: object; readonly urn?: string },
): object {
  return {
    ...one,
    ...more,
    ...(one.oldState === undefined ? {} : { oldState: { ...one.oldState, ...before } }),
    ...(one.newState === undefined ? {} : { newState: { ...one.newState, ...after } }),
  };
}

/** An access of the plugin has what it is to, and the driver of that, as one input. */
function inputsAsWritten(type: string, inputs: object): object {
  if (type !== "cosi:index:BucketAccess") return { driver, ...inputs };
  return { bucket: { name: "photos", bucketId: "photos", bucketInfo: null, driver }, ...inputs };
}

/** Types of the core resources, as programs have them. */
export const languages = {
  TypeScript: (kind: string) => `pulumi-nodejs:dynamic/cosi:${kind}`,
  "another language": (kind: string) => `cosi:index:${kind}`,
} as const;

/** What a review of a preview with these steps finds. */
export function findingsOf(...steps: readonly object[]): readonly Finding[] {
  return review(readPreview(JSON.stringify({ steps }), "a test")).findings;
}

/** Category and object of each finding. */
export function found(...steps: readonly object[]): string[] {
  return findingsOf(...steps).map(({ category, resource }) => `${category} ${resource}`);
}
