import { awsEnvironment } from "./aws-environment";
import type { GrantedAccess } from "./granted-access";

/** Sets of keys that a Secret can have in addition to its document. */
export type ExtraKeys = "aws-environment";

const layouts: Readonly<Record<ExtraKeys, (access: GrantedAccess) => Record<string, string>>> = {
  "aws-environment": awsEnvironment,
};

/** The names of {@link ExtraKeys}, for checks. */
export const extraKeysNames: readonly string[] = Object.keys(layouts);

/** The keys of all the sets. @throws LayoutError if the credentials do not fit one of them. */
export function extraKeys(names: readonly ExtraKeys[], access: GrantedAccess): Record<string, string> {
  return Object.assign({}, ...names.map((name) => layouts[name](access))) as Record<string, string>;
}
