/** What the types of dynamic resources begin with. */
export const dynamicPrefix = "pulumi-nodejs:dynamic/";

/** True for the type of a dynamic resource of this package: of the module `cosi`, or one below it. */
export function isOwnDynamicType(type: string): boolean {
  return ["cosi:", "cosi/"].some((module) => type.startsWith(`${dynamicPrefix}${module}`));
}
