/** Where a stack runs. */
export type Environment = "production" | "development";

/** What Acme decides for every bucket of an environment. */
interface EnvironmentPolicy {
  readonly deletionPolicy: "Retain" | "Delete";
  /** `pulumi destroy`, or a bucket that is taken out of the program, is refused. */
  readonly protect: boolean;
}

export const environments: Readonly<Record<Environment, EnvironmentPolicy>> = {
  production: { deletionPolicy: "Retain", protect: true },
  development: { deletionPolicy: "Delete", protect: false },
};

/** The sizes that a team can have without asking. */
export type Size = "small" | "large";

/** Parameters of the driver, by size. */
export const sizes: Readonly<Record<Size, Readonly<Record<string, string>>>> = {
  small: { maxSize: "10G" },
  large: { maxSize: "1T", versioning: "true" },
};

/** What an account may do, by the `accessMode` of the driver. */
export const accessModes = { "read-write": "rw", "read-only": "ro" } as const;

/** Names of objects that Acme makes for all teams. */
export const className = (what: string): string => `acme-${what}`;

/** Name of a claim: one scheme, so that a bucket tells its team. */
export const claimName = (team: string, bucket: string): string => `${team}-${bucket}`;

/** Names of the Secrets, the same in every environment. */
export const secretNames = {
  "read-write": (bucket: string): string => `${bucket}-bucket`,
  "read-only": (bucket: string): string => `${bucket}-bucket-reader`,
} as const;
