import { object, oneOf, text, type Schema } from "./schema";

/** A text that is not empty. */
export const given = { minLength: 1 } as const;

export const releasePolicy = oneOf(
  "What becomes of the backend's bucket: Retain keeps it, Delete destroys it with its content.",
  ["Retain", "Delete"],
  "Retain",
);

/** In `status`. */
export const message = text("Reason of the phase, for people.");

/** In `status`. */
export const conditions: Schema = {
  type: "array",
  description: "Conditions of the object.",
  items: object(
    {
      type: text("Type of the condition."),
      status: oneOf("State of the condition.", ["True", "False", "Unknown"]),
      reason: text("Reason of the last change, in one word."),
      message: text("Reason of the last change, for people."),
      lastTransitionTime: text("When the state changed last.", { format: "date-time" }),
      observedGeneration: {
        type: "integer",
        format: "int64",
        description: "Generation of the object that the condition is about.",
      },
    },
    ["type", "status"],
  ),
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
};

export const signatureVersion = oneOf("Version of the signatures of requests.", ["V2", "V4"]);
