import { printable } from "../printable";
import type { Node } from "./life-cycle";

/** Longer names are cut in their middle: both ends tell more than the UID between. */
const longest = 56;

export function shortened(text: string): string {
  const characters = Array.from(printable(text.replaceAll(/\s+/g, " ")));
  if (characters.length <= longest) return characters.join("");
  const half = Math.floor((longest - 1) / 2);
  return `${characters.slice(0, half).join("")}…${characters.slice(-half).join("")}`;
}

/** `BucketClaim photos`; namespace and driver are those of its frame. */
export function titleOf({ kind, name }: Node): string {
  return shortened(`${kind} ${name}`);
}

/** `BucketClaim shop/photos`, where no frame tells it. */
export function fullTitleOf({ kind, name, namespace }: Node): string {
  return shortened(`${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`);
}
