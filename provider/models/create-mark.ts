import { createHash } from "node:crypto";
import { canonical } from "../dynamic/values";
import type { CreateRequest } from "./model";

/**
 * Value of the mark `pulumi-cosi/create-sent`: a hash of what the call asks for. The object of a bucket that was kept
 * (`retainOnDelete`) still has the mark of its own create, which says nothing of one with other attributes.
 */
export function createMarkOf({ driverName, parameters }: CreateRequest): string {
  return createHash("sha256")
    .update(canonical([driverName, parameters]))
    .digest("hex")
    .slice(0, 16);
}
