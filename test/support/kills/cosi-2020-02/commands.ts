import { commonCommands, destroyArgs, upArgs, type Command } from "../commands";

export const commands: readonly Command[] = [
  // A bucket comes with its account here: there is no access of its own to replace.
  ...commonCommands.filter(({ name }) => name !== "replace-access"),
  {
    name: "move-secret",
    from: ["standing"],
    to: "standing",
    args: upArgs,
    change: ({ isSecretMoved = false, ...choice }) => ({ ...choice, isSecretMoved: !isSecretMoved }),
  },
  { name: "destroy", from: ["standing"], to: "empty", args: destroyArgs },
  // A bucket, and from the beginning a Bucket of another namespace that is granted access to it.
  {
    name: "share",
    from: ["empty"],
    to: "shared",
    args: upArgs,
    change: (choice) => ({ ...choice, guest: "beside" }),
  },
  { name: "finish", from: ["shared"], to: "empty", args: destroyArgs },
];
