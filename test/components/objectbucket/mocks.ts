import * as pulumi from "@pulumi/pulumi";
import { StorageClass, type StorageClassArgs } from "../../../components/objectbucket/storage-class";
import { Driver } from "../../../provider/driver-resource/driver";
import { run as runWith, type Run } from "../cosi20200708/mocks";
import type { Answer } from "../objectstorage/mocks";

export { custom, dynamic, waitsFor, warnings, type Run } from "../cosi20200708/mocks";

/** Name that the driver reports. */
export const driverName = "store.example.com";

const answer: Answer = ({ type, inputs }) =>
  type.endsWith(":Driver")
    ? { id: "driver", state: { driverName, ...(inputs as object), seed: "seed" } }
    : undefined;

/** Runs a program without engine, providers and cluster. @throws what the program, or a judgement, throws. */
export function run(
  program: () => void,
  { answer: other, ...options }: { preview?: boolean; answer?: Answer } = {},
): Promise<Run> {
  return runWith(program, { ...options, answer: (args) => other?.(args) ?? answer(args) });
}

export function makeDriver(args: Partial<ConstructorParameters<typeof Driver>[1]> = {}): Driver {
  return new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock", ...args });
}

/** Options of an object that @pulumi/kubernetes writes, by its kind. */
export type ObjectOptions = ReadonlyMap<string, pulumi.CustomResourceOptions>;

/** A class that was made, and the options of what it has written. */
export interface MadeClass {
  readonly made: Run;
  readonly storageClass: StorageClass;
  readonly options: ObjectOptions;
}

/** How a class is made, beside its arguments. */
export interface ClassOptions {
  readonly preview?: boolean;
  /** Arguments of its driver; `none` for a class without one. @default a driver of cosi.v1alpha1 */
  readonly driver?: Parameters<typeof makeDriver>[0] | "none";
}

/** A class, with changes; without any, a greenfield one. */
export async function classProgram(
  args: Partial<StorageClassArgs> = {},
  { driver, ...options }: ClassOptions = {},
): Promise<MadeClass> {
  const found = new Map<string, pulumi.CustomResourceOptions>();
  const classes: StorageClass[] = [];
  const made = await run(() => {
    pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
      if (type.startsWith("kubernetes:")) found.set(type.slice(type.lastIndexOf(":") + 1), opts);
      return { props, opts };
    });
    const served = driver === "none" ? {} : { driver: makeDriver(driver) };
    classes.push(new StorageClass("gold", { ...served, ...args }));
  }, options);
  const [storageClass] = classes;
  if (storageClass === undefined) throw new Error("the program made no class");
  return { made, storageClass, options: found };
}

/** In place of an argument that is left out, or of another type than a program with types may give. */
export const untyped = (value: unknown) => value as never;
export const nothing = untyped(undefined);
