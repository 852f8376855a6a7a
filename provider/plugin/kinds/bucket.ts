import { provider } from "../../bucket/provider";
import { inputKeys } from "../../bucket/state";
import { untyped } from "../kind";
import { madeByDriver } from "./made-by-driver";

/** `cosi:index:Bucket`. */
export const bucketKind = madeByDriver("Bucket", untyped(provider), {
  id: "bucketId",
  info: "bucketInfo",
  ownInputs: inputKeys,
});
