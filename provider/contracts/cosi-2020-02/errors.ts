import { status } from "@grpc/grpc-js";
import type { ErrorReading } from "../contract";

/** Reads an answer other than OK: the proposal names no errors, so the code is all there is. */
export function readError(code: number): ErrorReading {
  return code === status.UNIMPLEMENTED ? { code, next: unimplemented } : { code };
}

const unimplemented =
  "the Driver is set to contract cosi-2020-02 (services cosi.v1.DynamicBucketHandler and cosi.v1.StaticBucketHandler " +
  "of the proposal of 2020-02-27): correct its input contract, or point it at a driver that serves this " +
  "one, then run the command again";
