/** The words of a ValidatingAdmissionPolicy, and of a webhook. */
const denial = /\bdenied (the )?request\b/;

/** True where a policy or a webhook has refused, by what the server says. */
export function isDenied(detail: string): boolean {
  return denial.test(detail);
}

/**
 * What to do about a request that the API server refused or failed, by what it says: a policy or a webhook
 * chooses its code (`Unauthorized` too), and a quota, a namespace that is going and a right that is missing have the same one.
 */
const stepsByWords: readonly (readonly [said: RegExp, next: string])[] = [
  [
    /failed calling webhook/,
    "see to the admission webhook that the server names: it has to answer, or be removed",
  ],
  [denial, "satisfy the policy that denies it"],
  [/exceeded quota/, "free some of the quota that the server names, or raise it"],
  [
    /because it is being terminated/,
    "wait until the namespace is gone and create it again, or take what is in it out of the program",
  ],
];

/** The next step by the words of the server; `undefined` where they tell no more than the code. */
export function stepByWords(detail: string): string | undefined {
  return stepsByWords.find(([said]) => said.test(detail))?.[1];
}
