/** What a finding is about, in the order of what matters. */
export const categories = [
  "data-loss",
  "orphaned-data",
  "protection-lowered",
  "access-widening",
  "credential-left",
  "credential-revoked",
  "credential-rotated",
  "credential-minted",
] as const;

export type Category = (typeof categories)[number];

/** What each category says, as a heading. */
export const headings: Readonly<Record<Category, string>> = {
  "data-loss": "Data that will be deleted",
  "orphaned-data": "Data that will be left behind without an owner",
  "protection-lowered": "Data that will be protected less",
  "access-widening": "Access that widens",
  "credential-left": "Credentials that stay alive without an owner",
  "credential-revoked": "Credentials that will be revoked",
  "credential-rotated": "Credentials that will be rotated",
  "credential-minted": "Credentials that will be made",
};

/** Something that a reviewer wants to know. No value of it is a secret. */
export interface Finding {
  readonly category: Category;
  /** Resource of the program: `Bucket photos`. */
  readonly resource: string;
  readonly urn: string;
  /** What will happen, in words. */
  readonly what: string;
  /** Why, in words. */
  readonly why: string;
  /** Name of the driver. */
  readonly driver: string;
  /** The bucket or deployment in the backend, or the account. */
  readonly object: string;
  /** @default none: it is no matter of a policy */
  readonly policy?: string;
  /** `<namespace>/<name>` of the Secret that has the credentials. @default none: they are outputs of the stack */
  readonly secret?: string;
}
