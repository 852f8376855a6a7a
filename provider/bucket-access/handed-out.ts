import type { AccessOutputs } from "./state";
import { isAddressKey } from "../credentials/address-keys";
import type { HandsOut } from "../models/model";

/** A shorter text of a protocol's credentials stands in others by chance; in characters. */
const shortestTold = 8;

/** Tells whether values of a Secret hand an account's credentials out. */
export function handsOut({ granted }: AccessOutputs): HandsOut {
  if (granted === null) return () => false;
  if ("entries" in granted) {
    // They are written as they are, all of them: two accounts may share some, such as a certificate.
    const secrets = Object.values(granted.entries).flatMap(told);
    return (values) => secrets.length > 0 && secrets.every((secret) => values.includes(secret));
  }
  // A layout leaves keys of the driver out and puts the others into documents: one of them is enough.
  const secrets = told(granted.secrets).filter((secret) => secret.length >= shortestTold);
  return (values) => secrets.some((secret) => values.some((value) => value.includes(secret)));
}

/** Values that are no addresses. */
function told(secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([key, value]) => value !== "" && !isAddressKey(key))
    .map(([, value]) => value);
}
