import { fitsAny } from "../globs";
import { deletionWordsOf, quoteWord } from "../resources/deletion";
import { describe, type JudgedResource } from "../resources/judged-resource";
import { resourcePolicy, textsSetting } from "../rule";

/** Settings of `cosi-no-delete-in-production`. */
export interface NoDeleteInProductionConfig {
  /**
   * Names of stacks that are production; `*` stands for any characters.
   *
   * @default prod, production, and names that begin or end with one of them and a dash
   */
  readonly productionStacks: readonly string[];
  /**
   * Tags that mark a stack as production, as names and values; one of them is enough.
   *
   * @default environment: production
   */
  readonly productionTags: Readonly<Record<string, string>>;
}

const defaults: NoDeleteInProductionConfig = {
  productionStacks: ["prod", "prod-*", "*-prod", "production", "production-*", "*-production"],
  productionTags: { environment: "production" },
};

/** No deletion policy in a production stack deletes data. */
export const noDeleteInProduction = resourcePolicy<NoDeleteInProductionConfig>({
  name: "cosi-no-delete-in-production",
  description: "In a production stack, buckets, deployments and their classes keep the data when they go.",
  severity: "critical",
  remediationSteps:
    'Set the policy (deletionPolicy, releasePolicy or reclaimPolicy) to "Retain", which is the default of this package. ' +
    "To delete data of a production stack on purpose, name the resource in `except` for the time of the change.",
  defaults,
  settings: {
    productionStacks: textsSetting(
      "Names of stacks that are production, * for any characters",
      defaults.productionStacks,
    ),
    productionTags: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Tags that mark a stack as production, by their names; one of them is enough",
      default: defaults.productionTags,
    },
  },
  judge: (resource, config) => {
    const because = productionBy(resource, config);
    const words = deletionWordsOf(resource);
    if (because === undefined || words === undefined) return undefined;
    return words
      .filter(({ policy }) => policy === "Delete")
      .map(
        (word) =>
          `${describe(resource)}: ${quoteWord(word)}, and stack ${resource.stack} is production (${because}): what it holds ` +
          `would be deleted with it. Next: set ${word.field} to "Retain".`,
      );
  },
});

/** By what a stack is production; `undefined` if it is not. */
function productionBy(
  { stack, stackTags }: JudgedResource,
  { productionStacks, productionTags }: NoDeleteInProductionConfig,
): string | undefined {
  if (fitsAny(stack, productionStacks)) return "by its name";
  const tag = Object.entries(productionTags).find(([name, value]) => stackTags.get(name) === value);
  return tag === undefined ? undefined : `by its tag ${tag.join(": ")}`;
}
