import { withoutHidden } from "../../provider/dynamic/state-properties";
import { isOwnDynamicType } from "../../provider/dynamic/type-token";
import { kindOf } from "../../provider/plugin/kinds";
import { isPluginType } from "./known-types";

/** Properties of a resource, as a preview or a state has them. */
type Properties = Readonly<Record<string, unknown>>;

/**
 * Inputs of a resource under the names that the code has for them: a dynamic resource keeps some of them hidden, and the plugin
 * has others for programs. What others call as we call something hidden is theirs.
 *
 * @param type Type token of the resource.
 */
export function ownInputs(kept: Properties, type: string): Properties {
  const inputs = ownOutputs(kept, type);
  return isPluginType(type) ? kindOf(type).inward(inputs) : inputs;
}

/** Outputs of a resource in the same way. Those of the plugin are the provider's, or what a dynamic resource has left it. */
export function ownOutputs(kept: Properties, type: string): Properties {
  return isOwnDynamicType(type) || isPluginType(type) ? withoutHidden(kept) : kept;
}
