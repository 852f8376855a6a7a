import { commonCommands, destroyArgs, upArgs, type Command } from "../commands";

export const commands: readonly Command[] = [
  ...commonCommands,
  {
    name: "rotate",
    from: ["standing"],
    to: "rotated",
    args: upArgs,
    change: (choice) => ({ ...choice, rotation: "now" }),
  },
  { name: "destroy", from: ["standing", "rotated"], to: "empty", args: destroyArgs },
];
