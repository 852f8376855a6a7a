import { claimedModel } from "../claimed/model";
import { api } from "./api";
import { definitions } from "./definitions";

/** The living COSI API, as COSI v0.2.2 has it. */
export const objectstorageV1alpha1 = claimedModel(api, definitions);
