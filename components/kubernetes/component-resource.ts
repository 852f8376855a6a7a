import * as pulumi from "@pulumi/pulumi";
import { refuseDeletedWith } from "../../provider/dynamic/deleted-with";
import { fromProgram } from "../../provider/dynamic/program-position";

/** Base of the package's components: that of the SDK, with the position of the program's own line in the state. */
export abstract class ComponentResource extends pulumi.ComponentResource {
  protected constructor(type: string, name: string, opts: pulumi.ComponentResourceOptions | undefined) {
    refuseDeletedWith(type.slice(type.lastIndexOf(":") + 1), name, opts);
    const undo = fromProgram();
    try {
      super(type, name, {}, opts);
    } finally {
      undo();
    }
  }
}
