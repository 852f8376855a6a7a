import type { BucketInfo, IssuedCredential, Protocol } from "../contracts/contract";
import type { CredentialProtocol } from "../credentials/credentials";
import type { AccountKey } from "./account-record";
import type { CustomResourceDefinition } from "../kubernetes/definition";
import { RefusedError } from "../kubernetes/kubernetes-error";
import type { KubernetesTarget } from "../kubernetes/target";

/** The objects around a bucket; plain JSON, part of the inputs of the resource that makes the call. */
export interface BucketObjects {
  /** Name of the API model, `objectstorage.k8s.io/v1alpha1`. */
  model: string;
  kubernetes: KubernetesTarget;
  /** `<organization>/<project>/<stack>`: who the objects of this program belong to. */
  owner?: string | null;
  /** The claim that the bucket is made for; `null` for a static bucket, which is there before its claim. */
  claim: { namespace: string; name: string; uid: string } | null;
  /** UID: `""` where the object is known by its request. */
  bucket: { name: string; uid: string };
  /** Secret in the claim's namespace with keys of the driver's store, for a model that has one. @default none */
  secretName?: string | null;
}

/** The objects around an access; plain JSON, part of the inputs of the resource that makes the call. */
export interface AccessObjects {
  /** Name of the API model, `objectstorage.k8s.io/v1alpha1`. */
  model: string;
  kubernetes: KubernetesTarget;
  /** `<organization>/<project>/<stack>`: who the objects of this program belong to. */
  owner?: string | null;
  access: { namespace: string; name: string; uid: string };
  bucket: { name: string; uid: string };
  claim: { namespace: string; name: string };
  /** Name of the Secret that the credentials will be written to. */
  secretName: string;
  /** What the Secret says as the bucket's name. @default "object" */
  bucketInfoName?: "object" | "id" | null;
  /** Protocols whose credentials the Secret has a place for. @default all */
  secretProtocols?: CredentialProtocol[] | null;
  /** The ServiceAccount that gets access, where the authentication type is `IAM`. @default none */
  serviceAccountName?: string | null;
  /** The bucket was there before, and no call has looked it up. @default false */
  staticBucket?: boolean | null;
  /** The account was there before, and its objects stay as they are. @default false */
  adopted?: boolean | null;
  /** The object of the cluster that stands for the account, for a model in which `access` is a request. @default none */
  account?: { name: string; uid: string } | null;
}

/** The object that a Secret of credentials belongs to. */
export interface SecretObjects {
  model: string;
  kubernetes: KubernetesTarget;
  owner: { namespace: string; name: string; uid: string; apiVersion: string; kind: string };
  /** `<organization>/<project>/<stack>`: who that object belongs to. @default the state does not tell */
  stack?: string | null | undefined;
}

/** What a create call asks for, beside the name. */
export interface CreateRequest {
  driverName: string;
  /** Absent is the same as empty. */
  parameters?: Record<string, string> | undefined;
  /** The bucket comes with an account, which ends with it. @default false */
  grantsAtCreate?: boolean;
  /** What becomes of the bucket, which the objects tell and no call is sent. @default the objects tell nothing */
  deletionPolicy?: string | undefined;
  /** A call is made; a bucket that was there is known by its id alone. @default true */
  isSent?: boolean;
}

/** What a refresh saw of the objects around a resource. */
export interface Observation {
  /** What is other than it was written, in words; empty if all is as it should be. */
  drift: string[];
  /** What the user should be told and the next `up` cannot restore: an object that is being deleted. */
  notes: { kind: string; name: string; text: string }[];
  /** The claim that the bucket was made for, in words, if it is gone. @default it is there */
  lostClaim?: string;
}

/** What a create, or a grant for a bucket that was there, has told. */
export interface BucketResult {
  bucketId: string;
  bucketInfo?: BucketInfo | null;
  /** The account that came with the bucket, for a contract that has it so. @default none */
  issued?: IssuedCredential | null;
}

/** How a call ended that failed. */
export interface FailedCall {
  /**
   * The resource stays in the state, since the backend object may exist; the objects then keep their finalizers.
   * Otherwise nothing is left to protect, and they are taken off, so that a `destroy` does not hang on them.
   */
  kept: boolean;
  /** An equal call would end the same way. */
  isFinal: boolean;
  /** Why, for people, secrets masked. */
  reason: string;
}

/** How a call ended that was to delete something, and failed. */
export interface FailedDelete {
  /** It may have had its effect. */
  outcomeUnknown: boolean;
  /** Why, for people, secrets masked. */
  reason: string;
}

/** A bucket whose resource goes. */
export interface BucketToDelete {
  /** Name that was sent. */
  name: string;
  /** `null` if its create has no known outcome. */
  bucketId: string | null;
  driverName: string;
  /** False if it is sure that no bucket was made. */
  made: boolean;
  /** By the state, the bucket is deleted in the backend. */
  deletes: boolean;
}

/** What a delete does, by the objects. */
export interface DeletePlan {
  /** The bucket is deleted in the backend, whatever the state says. */
  backend: boolean;
  /** The object goes too, once that is done. @default it stays, or goes by itself */
  objectGoes?: boolean;
  /** An earlier run may have sent the call already. @default none has */
  earlierAttempt?: boolean;
}

/** A bucket of others whose deletion has waited for the last access to it. */
export interface AbandonedBucket {
  /** Name of its object. */
  name: string;
  uid: string;
  bucketId: string;
  protocol: Protocol;
  parameters: Record<string, string>;
  bucketInfo: BucketInfo | null;
  /** Keys of the driver's store. */
  secrets: Record<string, string>;
}

/** The account that a grant asks for. */
export interface AskedAccount {
  /** The name that is sent. */
  name: string;
  /** Accounts of this access are rotated, so the object keeps a record of them. */
  rotates: boolean;
  /** It is there already, and is taken as it is. @default false */
  adopted?: boolean;
  /** Name of the account that the state has of this access, where a new entry takes its place. @default none */
  inState?: string | undefined;
  /** The account that gives way to it. */
  retiring?: { name: string; accountId: string | null; adopted?: boolean } | undefined;
}

/** An account of a rotation that was not finished. */
export interface UnfinishedAccount {
  name: string;
  /** The driver's id, if it was told. */
  accountId?: string;
}

/**
 * What the resource that makes a bucket does to the objects around it, in this order: `beforeCreate`, the call,
 * then `created` or `failed`; later `beforeDelete`, the call, `deleted`. Every method may be repeated. All but
 * `failed` throw when an object is not as it must be, or the API server does not answer.
 */
export interface BucketObserver {
  /**
   * Protects the objects, tells the claim the bucket's name, and marks that a create may have been sent.
   *
   * @returns `earlierAttempt`: the mark of an equal call was there already, so a create of an earlier run may have
   *   succeeded. `held`: nothing may be made, as the object is being deleted and held by our own finalizer, or as
   *   a step failed and the finalizer could not be taken off again; the text of the error with which the resource has to
   *   stay in the state.
   */
  beforeCreate(): Promise<{ earlierAttempt: boolean; held?: string }>;
  /** Writes that the bucket is ready, on the Bucket object first, then on the claim. */
  created(result: BucketResult): Promise<void>;
  /**
   * Writes that the bucket is not ready. Never throws: the call's own error is what the user must see.
   *
   * @returns True if no finalizer of ours is left; else the resource has to stay in the state, so that a `destroy` takes it
   *   off.
   */
  failed(call: FailedCall): Promise<boolean>;
  /**
   * Refuses if an access outside the program uses the claim, if somebody else's object has taken the place of ours, if rights
   * or a policy refuse what has to follow the call in the cluster, or if the API server cannot be asked.
   *
   * @returns What is done, in a model where the objects decide it; `undefined` where the state does.
   */
  beforeDelete(bucket: BucketToDelete): Promise<DeletePlan | undefined>;
  /** Says that the bucket, or its account, is there still, as the call to end it has failed. Never throws. */
  deleteFailed?(call: FailedDelete): Promise<void>;
  /** Says why a call for a bucket that is there, and stays, has failed. Never throws. */
  failedLater?(reason: string): Promise<void>;
  /** Takes the finalizers off the Bucket object; one that is gone is fine. */
  deleted(plan?: DeletePlan): Promise<void>;
  /** An attempt has failed, and the call goes on. Never throws. */
  retrying?(reason: string): void;
  /** Keys of the driver's store for a call, read now. @default none: the driver has its own */
  callSecrets?(verb: "create" | "delete"): Promise<Record<string, string>>;
  /** Compares the objects with what `created` wrote. */
  read(expected: { bucketId: string }): Promise<Observation>;
  /** Writes anew what `read` found to be other: finalizers, mark and status. */
  restore(expected: BucketResult): Promise<void>;
}

/**
 * What the resource that makes a grant does to the objects around it, in this order: `beforeGrant`, the call, then
 * `granted` or `failed`; later `beforeRevoke`, the call, `revoked` or, if it had no effect, `revokeRefused`. Every method
 * may be repeated. All but `failed` and `revokeRefused` throw when an object is not as it must be, or the API server does
 * not answer.
 */
export interface AccessObserver {
  /**
   * Refuses unless the name of the Secret is free or ours, and claim and bucket are ready; then protects the
   * objects, and records what is asked for if accounts are rotated.
   *
   * @returns `recordedAccountId`: an account that the object names although the state may not know it; not one that gives
   *   way to this one. `held`: as {@link BucketObserver.beforeCreate} has it. `earlierAttempt`: a grant of an earlier run
   *   may have succeeded.
   */
  beforeGrant(
    asked: AskedAccount,
  ): Promise<{ recordedAccountId?: string; held?: string; earlierAttempt?: boolean }>;
  /**
   * Writes the account; that access is granted is said only once the Secret is there.
   *
   * @throws UnwantedGrantError if the bucket goes, so that the account has to be revoked at once.
   */
  granted(result: { name: string; accountId: string; bucketId: string }): Promise<void>;
  /**
   * Writes that access is not granted. Never throws: the call's own error is what the user must see.
   *
   * @returns True if no finalizer of ours is left that holds the object for nothing; else the resource has to stay in the
   *   state, so that a `destroy` takes it off.
   */
  failed(call: FailedCall & { name: string }): Promise<boolean>;
  /**
   * Refuses if somebody else's object has taken the place of ours; then marks that a revoke may have been sent, and writes
   * that access is not granted, by which it is also sure that the API server answers after the call. Of an account that
   * has given way to another one only the mark is written, and not before the Secret has the other one's keys.
   *
   * Where rights or a policy refuse what has to follow in the cluster, nothing is marked, and no call is made.
   *
   * @param account With what tells its credentials, as the state has them. `leaving`: the objects of the access go too.
   * @returns `earlierAttempt`: the mark was there already, so a revoke of an earlier run may have succeeded. `done`: it has,
   *   and none is sent.
   */
  beforeRevoke(
    account: AccountKey & { handsOut: HandsOut; leaving?: boolean },
  ): Promise<{ earlierAttempt: boolean; done?: boolean }>;
  /**
   * Refuses as {@link beforeRevoke} does, where the object goes with the access and no revoke is sent: @pulumi/kubernetes would
   * delete what has the name of ours.
   */
  requireOwn?(): Promise<void>;
  /** Refuses where no grant can come in the place of an account that is to be revoked for it. */
  requireGrantable?(): Promise<void>;
  /** True if a revoke of the account may have been sent, so that it may be gone. */
  mayBeRevoked(account: AccountKey): Promise<boolean>;
  /** Says that access is granted where the Secret is there and stays as it is, as a new account has the keys of the old one. */
  unchanged?(): Promise<void>;
  /** Says why a revoke has failed. Never throws. */
  failedLater?(reason: string): Promise<void>;
  /** Takes the mark off again after a revoke that had no effect. Never throws, as `failed`. */
  revokeRefused(account: AccountKey): Promise<void>;
  /**
   * Forgets the account and takes mark and finalizers off; objects that are gone are fine. While another account of the
   * access works, only the record of this one changes.
   *
   * @returns A bucket that has to be deleted now, as this was the last access to it; {@link finished} is told of the end.
   */
  revoked(account: AccountKey): Promise<AbandonedBucket | undefined>;
  /** Lets the objects of a bucket go that {@link revoked} has told of. */
  finished?(bucket: AbandonedBucket): Promise<void>;
  /** An attempt has failed, and the call goes on. Never throws. */
  retrying?(reason: string): void;
  /** Keys of the driver's store for a call, read now. @default none: the driver has its own */
  callSecrets?(parameters: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  /** Positions of the credentials of an account that are revoked by now. */
  revokedCredentials?(account: { accountId: string }): Promise<readonly number[]>;
  /** Notes them, after each revoke. */
  noteRevoked?(account: { accountId: string }, positions: readonly number[]): Promise<void>;
  /**
   * Accounts that a rotation has asked for, and that no state may know, as their run was killed.
   *
   * @param known `leaving`: the access goes, and every other account of it with it.
   */
  unfinished(known: AccountKey & { leaving: boolean }): Promise<UnfinishedAccount[]>;
  /** Marks that a revoke of an unfinished account may have been sent. */
  settling(account: { name: string }): Promise<void>;
  /** Records that an unfinished account is revoked, or was never made. */
  settled(account: { name: string }): Promise<void>;
  /** Compares the objects with what `granted` wrote. */
  read(expected: AccountKey & { accountId: string }): Promise<Observation>;
  /** Writes anew what `read` found to be other: finalizers and account. */
  restore(expected: { name: string; accountId: string }): Promise<void>;
}

/** What the resource that writes a Secret of credentials does to the object that asked for it. */
export interface SecretObserver {
  /** Refuses where the account may be revoked whose credentials the Secret would hold. */
  beforeWrite(): Promise<void>;
  /** Says that access is granted: the Secret is there. */
  written(): Promise<void>;
  /** Says that access is no longer granted: the Secret goes. */
  removing(): Promise<void>;
  /** What is other than `written` left it, in words. */
  read(): Promise<string[]>;
}

/** The bucket of an account went while it was being granted. */
export class UnwantedGrantError extends RefusedError {}

/** True if values of a Secret hand out the credentials of a certain account. */
export type HandsOut = (values: readonly string[]) => boolean;

/** One set of Kubernetes kinds. */
export interface Model {
  /** What asks for a bucket, and what for an account: `BucketClaim`, `BucketAccess`. */
  readonly requests: { readonly bucket: string; readonly access: string };
  /** A class names the driver that serves it, which stays that of what was made by it. */
  readonly namesProvisioners: boolean;
  /**
   * Its buckets come with an account, so that they are made by a contract which has it so, and by no other; or the other way
   * round. `either`: its components do it as the contract has it.
   */
  readonly grantsAtCreate: boolean | "either";
  /** How a user keeps the data of a bucket whose replacement is refused, in words. */
  readonly wayToKeepData: string;
  /** The definitions of its kinds. */
  readonly definitions: readonly CustomResourceDefinition[];
  observeBucket(objects: BucketObjects, request: CreateRequest): BucketObserver;
  observeAccess(objects: AccessObjects): AccessObserver;
  observeSecret(objects: SecretObjects): SecretObserver;
}
