import { commonCommands, destroyArgs, upArgs, type Command } from "../commands";

export const commands: readonly Command[] = [
  ...commonCommands,
  { name: "destroy", from: ["standing"], to: "empty", args: destroyArgs },
  // A bucket, and from the beginning one from elsewhere who is bound to it too.
  {
    name: "share",
    from: ["empty"],
    to: "shared",
    args: upArgs,
    change: (choice) => ({ ...choice, guest: "beside" }),
  },
  // The request that the bucket was made for goes; the bucket waits for the last one that is bound.
  {
    name: "leave",
    from: ["shared"],
    to: "left",
    args: upArgs,
    change: (choice) => ({ ...choice, guest: "alone" }),
  },
  // The last one that is bound goes, and the bucket with it.
  { name: "finish", from: ["left"], to: "empty", args: destroyArgs },
];
