/** Path of a property within another one, as Pulumi writes it: `parameters.accessMode`, `parameters["a b"]`. */
export function pathTo(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
