import { rememberCredentials } from "../credentials/remember";
import { hosted } from "../dynamic/hosted";
import type { SecretObserver } from "../models/model";
import { observeSecret } from "../models/registry";
import { secretsOfRun } from "../run/one-secret";
import { dataObjectProvider } from "./data-object";
import { secretForm } from "./secret-object";
import { inputKeys, outputsOf, type SecretInputs, type SecretOutputs } from "./secret-state";
import { configureKubernetes } from "./target";

const written = dataObjectProvider<SecretInputs, SecretOutputs>({
  form: secretForm,
  inputKeys,
  changing: ["model"],
  outputsOf,
  remember: rememberCredentials,
  observer: observerOf,
});

/** Logic of `Secret`, called by Pulumi's host. */
export const provider = hosted<SecretInputs, SecretOutputs>({
  ...written,
  configure: configureKubernetes,

  async diff(id, olds, news) {
    const plan = await written.diff(id, olds, news);
    const isMoved = news.moves === true && (plan.replaces ?? []).every((property) => property === "name");
    // A state from before the stack was recorded takes it in with the next change: a new release is none.
    const isRenamed = typeof olds.stack === "string" && olds.stack !== news.stack;
    return { ...plan, changes: plan.changes === true || isRenamed, deleteBeforeReplace: !isMoved };
  },

  async create(inputs) {
    const created = await written.create(inputs);
    if (inputs.moves === true) secretsOfRun.noteWritten(inputs);
    return created;
  },

  async delete(id, props) {
    rememberCredentials(props.data);
    // `--replace` has it written before it is deleted, under the name that it has.
    if (secretsOfRun.isWritten(props)) return;
    await written.delete(id, props);
  },
});

/** What writes of a Secret into the objects that tell of it; `undefined` if none do. */
function observerOf({
  model,
  kubernetes,
  namespace,
  owner,
  stack,
}: SecretInputs): SecretObserver | undefined {
  if (typeof model !== "string") return undefined;
  return observeSecret({ model, kubernetes: kubernetes ?? {}, owner: { namespace, ...owner }, stack });
}
