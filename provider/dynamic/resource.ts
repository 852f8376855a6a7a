import * as pulumi from "@pulumi/pulumi";
import { ignoredInternally } from "./ignored-inputs";
import { hiddenName, isApart } from "./internal-properties";
import { programInputs } from "./program-inputs";
import { fromProgram } from "./program-position";
import { dynamicPrefix } from "./type-token";

/**
 * Base of the package's dynamic resources.
 *
 * Pulumi stores a dynamic provider as source text in every resource's state. This text is a constant of one
 * line that loads the installed package, so that an edit of the package never shows as a change, no value of
 * a program can be captured in it, and `destroy` runs the code that is installed.
 */
export abstract class DynamicResource extends pulumi.CustomResource {
  /**
   * @param module Pulumi module of the type token, `cosi` or a module below it.
   * @param type Type name of the token, as a user reads it in a preview.
   * @param file Path below `provider/`, without extension, of the file that exports `provider`.
   * @throws RunError for the option `import`: the engine asks the provider of an import to read, without the text that
   * it is stored as, and the host's words for that ("code must be a string") name no way on.
   */
  protected constructor(
    module: string,
    type: string,
    file: string,
    name: string,
    props: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    if (opts?.import !== undefined) {
      throw new pulumi.RunError(
        `${type} ${name}: the option import is ${JSON.stringify(opts.import)}, and Pulumi cannot import dynamic resources. ` +
          "Next: leave it out. A bucket that exists is taken over by its id, with the input existingBucketId of " +
          "cosi.Bucket or objectstorage.Bucket, a deployment by existingDeploymentId; an access to it is granted anew.",
      );
    }
    const undo = fromProgram();
    try {
      super(
        `${dynamicPrefix}${module}:${type}`,
        name,
        {
          ...programInputs(props, ignoredInternally(opts ?? {})),
          __provider: `exports.handler = () => require("pulumi-cosi/provider/${file}").provider;`,
        },
        opts,
      );
    } finally {
      undo();
    }
    for (const property of Object.keys(props).filter(isApart)) {
      Object.defineProperty(this, property, {
        get: (): unknown => Reflect.get(this, hiddenName(property)),
      });
    }
  }
}

/**
 * URN of a resource's parent, which tells two resources apart that have one name. It is not handed on as an output: that
 * would make the resource depend on its parent, hence on all of the parent's children, itself among them.
 */
export function parentUrn({ parent }: pulumi.CustomResourceOptions): Promise<string> | undefined {
  if (parent === undefined) return undefined;
  const known = urns.get(parent);
  if (known !== undefined) return known;
  const urn = new Promise<string>((resolve) => {
    parent.urn.apply(resolve);
  });
  urns.set(parent, urn);
  return urn;
}

/** Of parents: all children of one ask for the same. */
const urns = new WeakMap<pulumi.Resource, Promise<string>>();
