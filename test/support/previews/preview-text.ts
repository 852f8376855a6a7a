/** What `pulumi preview --diff` shows of one resource that changes. */
export interface ShownResource {
  /** Name in the program; what a component is made of has the component's. */
  readonly name: string;
  /** As shown, without the indentation that its place in the tree makes. */
  readonly text: string;
}

/** A line that begins a resource: `~ cosi:objectstorage:BucketClaim: (update)`. */
const head = /^[ ~+\-<>=]*[\w./:-]+: \(([a-z-]+)\)/;

/**
 * Reads the resources that change out of `pulumi preview --diff`, in an order that is the same in every run.
 *
 * @param text What the command printed.
 */
export function shownResources(text: string): ShownResource[] {
  const lines = text.split("\n");
  const end = lines.indexOf("Resources:");
  const blocks: string[][] = [];
  for (const line of end === -1 ? lines : lines.slice(0, end)) {
    if (head.test(line)) blocks.push([line]);
    else if (line.trim().endsWith("--outputs:--")) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks
    .flatMap((block) => {
      const op = head.exec(block[0] ?? "")?.[1];
      const urn = /\[urn=([^\]]+)\]/.exec(block.join("\n"))?.[1];
      if (op === undefined || op === "same" || urn === undefined) return [];
      return urn.includes("::pulumi:pulumi:Stack::") ? [] : [{ urn, block }];
    })
    .toSorted((one, other) => (one.urn < other.urn ? -1 : 1))
    .map(({ urn, block }) => ({ name: urn.split("::").slice(3).join("::"), text: outdented(block) }));
}

function outdented(block: readonly string[]): string {
  // Signs of life, and, of @pulumi/kubernetes, the URN and random id of its provider.
  const lines = block.filter((line) => !/^\s*$|^@ |^ *\[provider=/.test(line));
  const least = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(least).trimEnd()).join("\n");
}

/** What differs from run to run, each by a pattern and what stands for it; several of one kind are numbered. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uid"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "time"],
  [/\b[0-9a-f]{16,}\b|(?<=-r\d+-)[0-9a-f]{6}\b/g, "random"],
];

/** A text as it is in every run. @param names What the run has made names from, and what stands for it. */
export function settled(text: string, names: Readonly<Record<string, string>>): string {
  const named = Object.entries(names).reduce((all, [name, word]) => all.replaceAll(name, word), text);
  return changing.reduce(
    (all, [pattern, word]) => {
      const known = new Map<string, string>();
      return all.replaceAll(pattern, (found) => {
        const stands = known.get(found) ?? `<${word} ${known.size + 1}>`;
        known.set(found, stands);
        return stands;
      });
    },
    named
      .replaceAll(/unix:\/\/\/\S*?\/cosi\.sock/g, "unix:///run/cosi.sock")
      // How much of a claim's name is left in that of its account depends on the namespace's.
      .replaceAll(
        /\bobc-shop-[a-z0-9-]*?-(?=r\d+-|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g,
        "obc-shop-<name>-",
      ),
  );
}
