import { forgetProtection } from "../../provider/run/given-up";
import { forgetClaims } from "../../provider/run/untold-claims";
import { secretsOfRun } from "../../provider/run/one-secret";
import { creatableSecrets } from "../../provider/kubernetes/creatable-secrets";
import { writersOfRun } from "../../provider/kubernetes/writers";
import { defaultClassesOfRun } from "../../provider/models/cosi-2020-07/default-classes";
import { objectsOfRun } from "../../provider/run/objects-of-run";
import { accountsOfRun, bucketsOfRun } from "../../provider/run/run-ownership";
import { driverNamesOfRun } from "../../provider/run/driver-names";
import { driversOfRun } from "../../provider/run/drivers";
import { recordedUids } from "../../provider/run/recorded-uids";
import { stacksOfRun } from "../../provider/run/stacks-of-run";
import { replacementsOfRun } from "../../provider/bucket/plan";
import { nextNamesOfRun } from "../../provider/run/next-names";
import { ownersOfRun } from "../../provider/run/owners";
import { revokeWordsOfRun } from "../../provider/run/revoke-words";
import { rotationsOfRun } from "../../provider/run/rotations";
import { successionsOfRun } from "../../provider/run/successions";
import { forgetWarnings } from "../../provider/run/warning";

/** A run of `pulumi` begins with a new host process, which knows nothing of the last; tests share one process. */
export function beginRun(): void {
  bucketsOfRun.clear();
  accountsOfRun.clear();
  objectsOfRun.clear();
  recordedUids.clear();
  stacksOfRun.clear();
  writersOfRun.clear();
  creatableSecrets.clear();
  secretsOfRun.clear();
  rotationsOfRun.clear();
  revokeWordsOfRun.clear();
  successionsOfRun.clear();
  driversOfRun.clear();
  driverNamesOfRun.clear();
  ownersOfRun.clear();
  nextNamesOfRun.clear();
  replacementsOfRun.clear();
  defaultClassesOfRun.clear();
  forgetProtection();
  forgetClaims();
  forgetWarnings();
}
