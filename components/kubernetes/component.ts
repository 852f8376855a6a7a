import * as pulumi from "@pulumi/pulumi";
import { fromProgram } from "../../provider/dynamic/program-position";

/** Base of the package's components: in the state, each has the position of the program's own line. */
export abstract class Component extends pulumi.ComponentResource {
  protected constructor(type: string, name: string, opts: pulumi.ComponentResourceOptions | undefined) {
    const undo = fromProgram();
    try {
      super(type, name, {}, opts);
    } finally {
      undo();
    }
  }
}
