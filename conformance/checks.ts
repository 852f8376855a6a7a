import type { Check } from "./check";
import { accessIdempotencyChecks } from "./checks/access-idempotency";
import { bucketIdempotencyChecks } from "./checks/bucket-idempotency";
import { concurrencyChecks } from "./checks/concurrency";
import { credentialChecks } from "./checks/credentials";
import { errorChecks } from "./checks/errors";
import { fieldChecks } from "./checks/fields";
import { limitChecks } from "./checks/limits";
import { parameterChecks } from "./checks/parameters";
import { processChecks } from "./checks/process";
import { socketChecks } from "./checks/socket";
import { unseenChecks } from "./checks/unseen";
import { wireChecks } from "./checks/wire";

/** One check for each duty of a driver, by id. Source: requirements of cosi.v1alpha1, section 18. */
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
  ...socketChecks,
  ...processChecks,
  ...unseenChecks,
].sort((a, b) => (a.id < b.id ? -1 : 1));
