import { soakKills } from "./kills";
import type { SoakOptions } from "./options";
import { soakReplies } from "./replies";
import type { SoakReport } from "./report";

/** The parts of the soak, by name, in their order; each gives its reports as they come. */
export const parts: Readonly<Record<string, (options: SoakOptions) => AsyncIterable<SoakReport>>> = {
  kills: soakKills,
  async *replies({ replies, seed }) {
    yield await soakReplies({ count: replies, seed });
  },
};
