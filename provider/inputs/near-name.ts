/** Fewer letters than this say too little of what is meant. */
const fewest = 3;

/**
 * The name that a wrong one was probably meant to be: the same in another spelling (`existing_bucket_id`), a part of one
 * (`env`), or one with a letter too many or too few. `undefined` if there is none, or more than one.
 */
export function nearName(wrong: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(wrong);
  const equal = names.find((name) => lettersOf(name) === letters);
  if (equal !== undefined || letters.length < fewest) return equal;
  const akin = names.filter((name) => isPart(letters, lettersOf(name)) || isOneOff(letters, lettersOf(name)));
  return akin.length === 1 ? akin[0] : undefined;
}

function lettersOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

function isPart(one: string, other: string): boolean {
  return other.startsWith(one) || (one.startsWith(other) && other.length >= fewest);
}

/** True if one letter was added, left out, or is another one. */
function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return rest.slice(1) === otherRest.slice(1) || rest.slice(1) === otherRest || rest === otherRest.slice(1);
}
