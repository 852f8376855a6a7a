import type { ReleaseRecipe } from "./release/release";

/** How a tool is built from its pinned Go module. */
export interface GoRecipe {
  /** The folder below tools/go that holds go.mod and go.sum. */
  readonly module: string;
  /** The main package, as an import path or `.`. */
  readonly package: string;
  /** What is given to the linker. */
  readonly ldflags: string;
  /** About how long the first build takes on two cores, in minutes: it is shown. */
  readonly minutes: number;
  /**
   * Files of a required module that the main package embeds: they are copied beside it, and the module's folder is
   * built as a copy outside the repository.
   */
  readonly embedded?: {
    readonly module: string;
    /** Relative to the module's root. */
    readonly files: readonly string[];
    /** A JSON file among them whose top-level `version` becomes the tool's version. */
    readonly versioned: string;
  };
}

/** Where a user may have a tool of their own. */
export type UserPlace =
  | {
      /** In a folder of the environment variable, or on PATH; the program tells its version. */
      readonly kind: "path";
      readonly folderVariable?: string;
      readonly versionArguments: readonly string[];
      /** The oldest version that is good enough. */
      readonly minimum: string;
    }
  /** In the folder of another tool of the user's: the two are released together. */
  | { readonly kind: "beside"; readonly tool: string; readonly place: UserPlace & { readonly kind: "path" } }
  /** Among the installed plugins of Pulumi, in exactly the tool's version. */
  | { readonly kind: "pulumi-plugin"; readonly plugin: string }
  /** Nobody has it: it is a program of this repository. */
  | { readonly kind: "own" };

/** A program that the demo and the tests run. */
export interface Tool {
  /** The file name of the program. */
  readonly name: string;
  /** The version that is built here. */
  readonly version: string;
  readonly user: UserPlace;
  /** The official release, whose version may differ from the one that is built. */
  readonly release: ReleaseRecipe;
  readonly go: GoRecipe;
}
