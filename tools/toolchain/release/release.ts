import type { Platform } from "./platform";

/** One file of an official release, and what is taken out of it. */
export interface Release {
  /** The version of the programs in it. */
  readonly version: string;
  readonly url: string;
  /** `program`: the file is the program itself. */
  readonly format: "tar.gz" | "zip" | "program";
  /** The checksum file that the same release publishes. It guards against damage, not against who can write both. */
  readonly checksums: {
    readonly url: string;
    readonly algorithm: "sha256" | "md5";
  };
  /** The programs that are taken out: name of the tool, and path in the archive. */
  readonly programs: Readonly<Record<string, string>>;
  /** A program among them that tells its version. */
  readonly versionCheck?: { readonly program: string; readonly arguments: readonly string[] };
}

/** There is no release to take. */
export interface NoRelease {
  /** Why, as a sentence without its full stop. */
  readonly absent: string;
}

/** The release of a tool for a platform. */
export type ReleaseRecipe = (platform: Platform) => Release | NoRelease;
