import { status } from "@grpc/grpc-js";
import { secretMask } from "../secrets/secret-mask";

/** The driver could not be reached, or did not say who it is. */
export class ConnectFailure extends Error {
  readonly code: number;
  /** What the user does about it, where that is known better than by the code. */
  readonly next: string | undefined;

  constructor(message: string, { code = status.UNAVAILABLE, next }: { code?: number; next?: string } = {}) {
    super(secretMask.apply(message));
    this.code = code;
    this.next = next;
  }
}
