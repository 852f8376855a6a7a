import * as grpc from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { errorText } from "../dynamic/error-text";
import { FailedResourceError } from "../dynamic/failed";
import { toStruct } from "./properties";

/** An error as the engine takes it; of a resource that failed and stays in the state, with what the state keeps. */
export function failureOf(error: unknown): Partial<grpc.StatusObject> {
  const details = errorText(error);
  if (!(error instanceof FailedResourceError)) return { code: grpc.status.UNKNOWN, details };
  const failed = new ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(toStruct(error.properties))
    .setReasonsList([...error.reasons]);
  const packed = new Any();
  packed.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(details).setDetailsList([packed]);
  const metadata = new grpc.Metadata();
  // Where gRPC's own libraries look for what an error says beside its text.
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details, metadata };
}
