/** A platform that releases are taken for. */
export type Platform = (typeof platforms)[number];

/** All platforms that releases are taken for, as `<process.platform>-<process.arch>`. */
export const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;

/** The platform of this process; `undefined` when no releases are taken for it. */
export function platformOf(system: string, architecture: string): Platform | undefined {
  return platforms.find((platform) => platform === `${system}-${architecture}`);
}
