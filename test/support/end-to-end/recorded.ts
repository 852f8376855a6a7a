import type { Stack } from "../stack";

/** What a state holds of each resource, to compare: encrypted values are left out, as they differ in every export. */
export function recorded({ resources }: Pick<Awaited<ReturnType<Stack["state"]>>, "resources">): unknown {
  const hidden = (key: string, value: unknown): unknown => (key === "ciphertext" ? "…" : value);
  return resources.map(({ urn, id, inputs, outputs }) => [
    urn,
    id,
    JSON.stringify([inputs ?? {}, outputs ?? {}], hidden),
  ]);
}
