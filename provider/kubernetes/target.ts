import type { dynamic } from "@pulumi/pulumi";
import { isUnknown } from "../dynamic/values";

/**
 * The API server that a dynamic resource talks to. Fields that are absent are filled in at call time, by
 * {@link resolveTarget}. It is part of each resource's inputs, because `destroy` runs no program.
 */
export interface KubernetesTarget {
  /**
   * Text of a kubeconfig, or the path of one.
   *
   * @default the stack's `kubernetes:kubeconfig`, else `KUBECONFIG`, `~/.kube/config`, or the Pod's service account
   */
  kubeconfig?: string | null | undefined;
  /**
   * Context of the kubeconfig.
   *
   * @default the stack's `kubernetes:context` if the kubeconfig is the stack's too, else the current context
   */
  context?: string | null | undefined;
  /** UID of the Namespace `kube-system` that was recorded: a server with another one is refused. */
  clusterUid?: string | null | undefined;
  /** Random id that this stack recorded for itself there: value of the annotation `pulumi-cosi/stack-id`. */
  stackId?: string | null | undefined;
}

/** What the stack's config says of the API server. */
interface StackConnection {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly clusterIdentifier?: string | undefined;
}

let stackTarget: StackConnection = {};

/**
 * Takes over the stack's `kubernetes:kubeconfig` and `kubernetes:context`; every provider that talks to an API
 * server exports it, or calls it, as its `configure`. The host calls it once per provider, and does not wait for
 * it before the next call: all is set before the first `await`. On `destroy` the values are those of the last
 * update.
 */
export function configureKubernetes({ config }: dynamic.ConfigureRequest): Promise<void> {
  stackTarget = {
    kubeconfig: present(config.get("kubernetes:kubeconfig")),
    context: present(config.get("kubernetes:context")),
    clusterIdentifier: present(config.get("kubernetes:clusterIdentifier")),
  };
  return Promise.resolve();
}

/** The stack's config, as {@link configureKubernetes} took it; what is empty is absent. */
export function stackConnection(): StackConnection {
  return stackTarget;
}

/**
 * The target of a resource that is in the state already, for its `check`. When the resource that recorded the
 * cluster is updated, Pulumi does not know the UID and the stack's id in the preview; they are then what they were.
 */
export function keepTarget<T extends KubernetesTarget | null | undefined>(
  olds: KubernetesTarget | null | undefined,
  news: T,
): T {
  if (!news) return news;
  const { clusterUid = null, stackId = null } = olds ?? {};
  return {
    ...news,
    ...(isUnknown(news.clusterUid) && clusterUid !== null ? { clusterUid } : {}),
    ...(isUnknown(news.stackId) && stackId !== null ? { stackId } : {}),
  };
}

/** What a target means in this run: its own fields, else the stack's; nothing stands for the environment. */
export function resolveTarget(target: KubernetesTarget): {
  kubeconfig: string | undefined;
  context: string | undefined;
} {
  const own = present(target.kubeconfig);
  return {
    kubeconfig: own ?? stackTarget.kubeconfig,
    context: present(target.context) ?? (own === undefined ? stackTarget.context : undefined),
  };
}

function present(text: string | null | undefined): string | undefined {
  return text === null || text === "" ? undefined : text;
}
