import { billionthsOf } from "../../../../provider/models/objectbucket/quantity";

const BILLION = 10n ** 9n;

/**
 * The bytes of a size such as `2G` or `4Ki`, a part of a byte rounded up; 0 for an empty text, which stands for no limit, and
 * undefined for any other text.
 */
export function bytesOf(size: string): bigint | undefined {
  if (size === "") return 0n;
  const billionths = billionthsOf(size);
  return billionths === undefined ? undefined : (billionths + BILLION - 1n) / BILLION;
}
