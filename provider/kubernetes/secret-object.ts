import type { DataForm } from "./data-object-form";
import { secretKind } from "./object";

/** A Secret has its values in base64. */
export const secretForm: DataForm = {
  kind: secretKind,
  fields: { type: "Opaque" },
  encode: (value) => Buffer.from(value).toString("base64"),
  decode: (value) => Buffer.from(value, "base64").toString(),
};
