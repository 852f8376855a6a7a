import type { ToolSource } from "./tool-source";

/** The official release downloads, checked against the checksum file of the same release: they come later. */
export function releaseSource(): ToolSource {
  return {
    label: "release",
    description: "the official release download",
    find: () => Promise.resolve({ reason: "this version of the set-up downloads no releases yet" }),
  };
}
