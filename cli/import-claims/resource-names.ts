import { createHash } from "node:crypto";
import type { ClaimName } from "../../provider/models/objectbucket/names";

/**
 * Names of the claims in the program, `<namespace>-<name>`. Where two claims would have one, each has a hash behind it, so
 * that its name does not depend on the order of a list.
 */
export function resourceNames(claims: readonly ClaimName[]): string[] {
  const plain = claims.map(({ namespace, name }) => `${namespace}-${name}`);
  return claims.map((claim, index) => {
    const name = plain[index] ?? "";
    const isShared = plain.filter((other) => other === name).length > 1;
    return isShared ? `${name}-${hashOf(claim)}` : name;
  });
}

function hashOf({ namespace, name }: ClaimName): string {
  return createHash("sha256").update(`${namespace}/${name}`).digest("hex").slice(0, 8);
}
