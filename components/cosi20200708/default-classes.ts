import { readProtocol, type ApiProtocol } from "../../provider/models/cosi-proposals/protocols";
import type { Installation } from "../kubernetes/installation";
import { ProblemError } from "../kubernetes/problem";
import type { BucketClass } from "./bucket-class";

/** A class that is, or may turn out to be, the default class of its protocol. */
interface DefaultClass {
  readonly bucketClass: BucketClass;
  /** @default only an output says it, or says whether it is a default class at all */
  readonly protocol: ApiProtocol | undefined;
}

/** By what the components of a program share on a cluster, in the order of the program. */
const classesOf = new WeakMap<Installation, DefaultClass[]>();

/** Makes a default class known to the requests after it. */
export function noteDefaultClass(installation: Installation, entry: DefaultClass): void {
  const known = classesOf.get(installation) ?? [];
  classesOf.set(installation, [...known, entry]);
}

/** What a program has of default classes for a request without a class. */
export interface DefaultClasses {
  /** The one of its protocol. @default one of the cluster is looked up at `up` */
  readonly bucketClass?: BucketClass;
  /** Those that may turn out to be it: they have to exist before one is looked up. */
  readonly possible: readonly BucketClass[];
}

/**
 * The default class that the program has constructed before a request (K07-026).
 *
 * @param protocol As the request has it; one that is an output tells nothing yet.
 * @throws ProblemError where there are several.
 */
export function defaultClassFor(installation: Installation, protocol: unknown): DefaultClasses {
  const known = classesOf.get(installation) ?? [];
  const wanted = readProtocol(protocol);
  const [found, ...others] = known.filter((entry) => wanted !== undefined && entry.protocol === wanted);
  if (others.length > 0) {
    throw new ProblemError(
      `bucketClass is missing, and this program has ${others.length + 1} default classes for protocol ` +
        `${JSON.stringify(wanted)}: give one of them as bucketClass, and leave isDefaultBucketClass at one class only`,
    );
  }
  if (found !== undefined) return { bucketClass: found.bucketClass, possible: [] };
  const possible = known.filter((entry) => wanted === undefined || entry.protocol === undefined);
  return { possible: possible.map(({ bucketClass }) => bucketClass) };
}
