import { commonCommands, destroyArgs, upArgs, type Command } from "../commands";

export const commands: readonly Command[] = [
  // The account is a part of the claim: none is replaced alone.
  ...commonCommands.filter(({ name }) => name !== "replace-access"),
  // The create of the bucket that is there is sent again, with other settings.
  {
    name: "change-config",
    from: ["standing"],
    to: "standing",
    args: upArgs,
    change: ({ isConfigChanged = false, ...choice }) => ({ ...choice, isConfigChanged: !isConfigChanged }),
  },
  {
    name: "rotate",
    from: ["standing"],
    to: "rotated",
    args: upArgs,
    change: (choice) => ({ ...choice, rotation: "now" }),
  },
  { name: "destroy", from: ["standing", "rotated"], to: "empty", args: destroyArgs },
  // A claim, and from the beginning one of another namespace whose class names the bucket of the first.
  {
    name: "share",
    from: ["empty"],
    to: "shared",
    args: upArgs,
    change: (choice) => ({ ...choice, guest: "beside" }),
  },
  { name: "finish", from: ["shared"], to: "empty", args: destroyArgs },
];
