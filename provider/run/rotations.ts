/** When the account of an access gives way to a new one, as the program says it. */
export interface RotationSchedule {
  trigger?: string | number | boolean;
  everyDays?: number;
}

/** A schedule, and how far it has come. When that was is told apart, as no plan that is saved could hold it. */
export interface Rotation extends RotationSchedule {
  /** Rotations so far. */
  generation: number;
  /** Name of the first account, from which those of its successors are made. */
  firstName: string;
}

/** How far the rotation of an access has come. */
export interface PlannedRotation {
  /** Rotations so far. */
  generation: number;
  /** When the account's turn began, RFC 3339. */
  since: string;
}

/** What the state has of a resource. */
export interface KeptEntry {
  /** What the state calls the resource. */
  readonly kept: string;
  /** Name of its account. */
  readonly name: string;
}

/** An account that gives way to another one of the same access. */
export interface RetiringAccount {
  readonly name: string;
  /** Name of the first account of the access, from which those of all others are made. */
  readonly firstName: string;
  readonly accountId: string | null;
  /** It was there before, and no revoke is ever sent for it. */
  readonly adopted: boolean;
}

/** The rotation that the state has of an access, if that was ever given one. */
export interface RecordedRotation {
  readonly rotation?: (Rotation & { readonly since?: string | undefined }) | undefined;
}

/**
 * Rotations of this run. To replace an access the engine asks `check` a second time, then without the state, and
 * `create` never sees what it replaces: what the first `check` and `diff` knew is noted here.
 */
export class Rotations {
  readonly #plans = new Map<string, PlannedRotation & KeptEntry>();
  readonly #retiring = new Map<string, RetiringAccount>();
  readonly #recorded = new Map<string, RecordedRotation>();

  /**
   * Notes how far the rotation of a resource has come.
   *
   * @param resource What the program calls the resource.
   */
  plan(resource: string, { generation, since, kept, name }: PlannedRotation & KeptEntry): void {
    this.#plans.set(resource, { generation, since, kept, name });
  }

  planned(resource: string): (PlannedRotation & KeptEntry) | undefined {
    return this.#plans.get(resource);
  }

  /**
   * Notes what the state has of a resource that may be made anew. Where it goes with its bucket, the engine asks `diff`, with
   * the inputs of the state, and after the delete `check`, without them, for the same resource.
   */
  record(resource: string, { rotation }: RecordedRotation): void {
    this.#recorded.set(resource, { rotation });
  }

  /** What the state has, or had, of a resource; `undefined` for one that is new. */
  recorded(resource: string): RecordedRotation | undefined {
    return this.#recorded.get(resource);
  }

  /**
   * Notes that the account of a resource will be revoked once its successor is in use.
   *
   * @param kept What the state calls the resource.
   */
  retire(kept: string, { name, firstName, accountId, adopted }: RetiringAccount): void {
    this.#retiring.set(kept, { name, firstName, accountId, adopted });
  }

  /** The account that gives way to the one that a resource of the program makes. */
  retiring(resource: string): RetiringAccount | undefined {
    const plan = this.#plans.get(resource);
    return plan === undefined ? undefined : this.#retiring.get(plan.kept);
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#plans.clear();
    this.#retiring.clear();
    this.#recorded.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const rotationsOfRun = new Rotations();
