import { soakKills } from "./kills";
import type { SoakOptions } from "./options";
import { soakReplies } from "./replies";
import type { SoakReport } from "./report";

/** The parts of the soak, by name, in their order. */
export const parts: Readonly<Record<string, (options: SoakOptions) => Promise<SoakReport>>> = {
  kills: soakKills,
  replies: ({ replies, seed }) => soakReplies({ count: replies, seed }),
};
