import { randomBytes } from "node:crypto";
import { status } from "@grpc/grpc-js";
import type {
  DriverCreateBucketRequest,
  DriverGrantBucketAccessRequest,
} from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { BackendKnowledge } from "./backend-knowledge";
import { DriverCalls } from "./driver-calls";
import type { Exchange } from "./exchange";
import type { AccessRequest, BucketRequest, Granted, MadeAccount, MadeBucket } from "./ledger";
import { NotJudgedError } from "./not-judged-error";

/** A driver under test: what checks ask of it, and what is known of its backend. */
export class Context extends DriverCalls {
  readonly backend = new BackendKnowledge();

  /** Who can tell what calls alone do not show, and how to ask. */
  get howToSee(): string {
    const { backend, trialOption } = this.contract;
    const { failure } = this.backend;
    return `only the ${backend} can tell, ${failure === undefined ? `see with ${trialOption}` : `but ${failure}`}`;
  }

  /** A parameter that no driver can know. */
  unknownParameter(): [string, string] {
    return [`${this.options.prefix}-${randomBytes(3).toString("hex")}`, "1"];
  }

  /** Fields of a create with the user's parameters, under a new name unless one is given. */
  bucketFields(name: string = this.names.next()): BucketRequest & DriverCreateBucketRequest {
    return { name, parameters: new Map(this.options.parameters) };
  }

  /** Fields of a grant with the user's parameters, under a new name unless one is given. */
  accessFields(
    bucketId: string,
    name: string = this.names.next(),
  ): AccessRequest & DriverGrantBucketAccessRequest {
    const { authenticationType, accessParameters } = this.options;
    return { bucketId, name, authenticationType, parameters: new Map(accessParameters) };
  }

  /** A new bucket. @throws NotJudgedError */
  async bucket(): Promise<MadeBucket> {
    const fields = this.bucketFields();
    const created = await this.create(fields);
    const { reply } = created;
    if (reply === undefined || reply.bucketId === "") throw this.#notGot(created);
    return { ...fields, bucketId: reply.bucketId };
  }

  /** A new account of the bucket. @throws NotJudgedError */
  async account(bucketId: string, name?: string): Promise<Granted> {
    const fields = this.accessFields(bucketId, name);
    const granted = await this.grant(fields);
    const { reply } = granted;
    if (reply === undefined || reply.accountId === "") throw this.#notGot(granted);
    return { ...fields, accountId: reply.accountId, reply };
  }

  /** Deletes a bucket, with the parameters of its create as context. @throws NotJudgedError */
  async deleted({ bucketId, parameters }: MadeBucket): Promise<void> {
    const deleted = await this.delete({ bucketId, deleteContext: new Map(parameters) });
    if (deleted.code !== status.OK) throw this.#notGot(deleted);
  }

  /** Revokes an account, with the parameters of its grant as context. @throws NotJudgedError */
  async revoked({ bucketId, accountId, parameters }: MadeAccount): Promise<void> {
    const fields = { bucketId, accountId, revokeAccessContext: new Map(parameters) };
    const revoked = await this.revoke(fields);
    if (revoked.code !== status.OK) throw this.#notGot(revoked);
  }

  #notGot(exchange: Exchange): NotJudgedError {
    return new NotJudgedError(`${exchange.sent}: ${exchange.answered}`, this.leavesOut(exchange));
  }
}
