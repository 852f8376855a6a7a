import type { Check } from "./check";
import { accessIdempotencyChecks } from "./checks/access-idempotency";
import { bucketIdempotencyChecks } from "./checks/bucket-idempotency";
import { collisionChecks } from "./checks/collisions";
import { concurrencyChecks } from "./checks/concurrency";
import { credentialChecks } from "./checks/credentials";
import { deploymentStatusChecks } from "./checks/deployment-status";
import { errorChecks } from "./checks/errors";
import { fieldChecks } from "./checks/fields";
import { limitChecks } from "./checks/limits";
import { parameterChecks } from "./checks/parameters";
import { processChecks } from "./checks/process";
import { separationChecks } from "./checks/separation";
import { socketChecks } from "./checks/socket";
import { unseenChecks } from "./checks/unseen";
import { wireChecks } from "./checks/wire";

/** All checks, of which a run makes those of its contract. One duty may be judged by several. */
export const checks: readonly Check[] = [
  ...wireChecks,
  ...bucketIdempotencyChecks,
  ...accessIdempotencyChecks,
  ...parameterChecks,
  ...concurrencyChecks,
  ...limitChecks,
  ...fieldChecks,
  ...errorChecks,
  ...credentialChecks,
  ...separationChecks,
  ...deploymentStatusChecks,
  ...socketChecks,
  ...processChecks,
  ...collisionChecks,
  ...unseenChecks,
];
