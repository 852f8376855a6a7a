/** Text of a kubeconfig with one cluster, and a user with the token `very-secret-token`. */
export function kubeconfigOf(cluster: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    "current-context": "test",
    clusters: [{ name: "test", cluster }],
    users: [{ name: "test", user: { token: "very-secret-token" } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
  });
}
