/** Runs with some environment variables set, or without those that are `undefined`; they are then what they were. */
export async function withEnvironment<T>(
  variables: Readonly<Record<string, string | undefined>>,
  run: () => Promise<T>,
): Promise<T> {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  set(variables);
  try {
    return await run();
  } finally {
    set(before);
  }
}

function set(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}
