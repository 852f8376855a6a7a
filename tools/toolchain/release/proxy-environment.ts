const NAMES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;

/**
 * The environment with proxies as Node's agents read them: they pass over one without a scheme (`proxy.example.com:3128`),
 * which other programs take for HTTP.
 */
export function proxyEnvironment(environment: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const read: NodeJS.ProcessEnv = { ...environment };
  for (const name of NAMES) {
    const value = environment[name];
    if (value !== undefined && value !== "" && !value.includes("://")) read[name] = `http://${value}`;
  }
  return read;
}
