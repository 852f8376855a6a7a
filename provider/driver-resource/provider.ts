import { hosted } from "../dynamic/hosted";
import { judgedByType } from "../inputs/judged-by-type";
import { create, read, update } from "./life";
import { check, diff } from "./plan";
import type { DriverInputs, DriverOutputs } from "./state";

/** Logic of `Driver`, called by Pulumi's host. */
export const provider = hosted(
  judgedByType<DriverInputs, DriverOutputs>("Driver", {
    check: (olds, news) => Promise.resolve(check(olds, news)),
    diff: (_id, olds, news) => Promise.resolve(diff(olds, news)),
    create,
    read: (id, props) => Promise.resolve(read(id, props)),
    update,
    // The driver belongs to somebody else, or ends with this process.
    delete: () => Promise.resolve(),
  }),
);
