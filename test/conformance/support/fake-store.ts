import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An S3 API on loopback that knows which key may do what, and holds objects. */
export class FakeStore {
  /** Bucket of each live key; `*`: all. */
  readonly keys = new Map<string, string>();
  /** `bucket/key` of each object. */
  readonly objects = new Set<string>();
  /** Buckets that keys have made here. */
  readonly made = new Set<string>();
  /** Buckets that were deleted with their objects. */
  readonly dropped = new Set<string>();
  /** False for a bucket of which it tells every key that there is none. */
  knows: (bucket: string) => boolean = () => true;
  /** Every key may make buckets. */
  letsMakeBuckets = false;
  /** Every key may remove what keys have made. */
  letsRemoveBuckets = false;
  /** So many removals of buckets are answered with a fault before one is done. */
  busyRemovals = 0;
  /**
   * So many of the first requests of a key are answered as if nobody knew it yet, as a store that is eventually
   * consistent does; those that list count apart from those that read an object, as another node may answer them.
   */
  learnsAfter = 0;
  /** Keys may put and delete objects, and neither list nor read. */
  isWriteOnly = false;
  /** Keys may list and read, and put nothing. */
  isReadOnly = false;
  /** A bucket is made, and the request is answered with a fault. */
  losesAnswers = false;
  /** Called for each request: true for one that gets no answer, as of a store behind a firewall. */
  isSilent: (method: string, object: string) => boolean = () => false;
  /** What it says to who wants to make a bucket, instead of an answer. */
  saysToMakers: ((keyId: string) => string) | undefined;
  /** Objects that are put again or deleted stay as versions. */
  keepsVersions = false;
  /** Keys may remove a version for good. */
  letsRemoveVersions = true;
  readonly #versions = new Map<string, Set<string>>();
  #lastVersion = 0;
  readonly #asked = new Map<string, number>();
  readonly #server = createServer((request, response) => {
    request.resume();
    this.#answer(request.method ?? "", request.url ?? "", request.headers.authorization ?? "", response);
  });

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  isEmpty(bucket: string): boolean {
    const held = [...this.objects, ...this.#versions.keys()];
    return !held.some((object) => object.startsWith(`${bucket}/`));
  }

  /** Deletes a bucket with its objects. */
  drop(bucket: string): void {
    this.dropped.add(bucket);
    this.empty(bucket);
  }

  empty(bucket: string): void {
    for (const object of this.objects) if (object.startsWith(`${bucket}/`)) this.objects.delete(object);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(method: string, url: string, authorization: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, this.endpoint);
    const [, bucket = "", key = ""] = pathname.split("/");
    if (this.isSilent(method, `${bucket}/${key}`)) return;
    const keyId = /Credential=([^/]+)\//.exec(authorization)?.[1] ?? "";
    const allowed = this.keys.get(keyId);
    if (allowed === undefined || (method === "GET" && this.#isLate(`${keyId} ${key === ""}`))) {
      refuse(response, 403, "InvalidAccessKeyId");
      return;
    }
    if (key === "" && method === "PUT" && this.saysToMakers !== undefined) {
      refuse(response, 400, "InvalidRequest", this.saysToMakers(keyId));
      return;
    }
    if (key === "" && (method === "PUT" || method === "DELETE")) {
      this.#makeOrRemove(method, bucket, allowed === "*", response);
      return;
    }
    if (!this.knows(bucket)) {
      refuse(response, 404, "NoSuchBucket");
      return;
    }
    if ((allowed !== "*" && allowed !== bucket) || (this.isWriteOnly && method === "GET")) {
      refuse(response, 403, "AccessDenied");
      return;
    }
    if (this.dropped.has(bucket)) {
      refuse(response, 404, "NoSuchBucket");
      return;
    }
    if (this.isReadOnly && method === "PUT") {
      refuse(response, 403, "AccessDenied");
      return;
    }
    const object = `${bucket}/${key}`;
    const version = searchParams.get("versionId");
    if (version !== null && !this.letsRemoveVersions) {
      refuse(response, 403, "AccessDenied");
      return;
    }
    if (key === "" && method === "GET") {
      response.writeHead(200).end(`<ListBucketResult><Name>${bucket}</Name></ListBucketResult>`);
    } else if (method === "PUT") {
      this.objects.add(object);
      response.writeHead(200, this.#newVersion(object)).end();
    } else if (method === "DELETE") {
      this.objects.delete(object);
      if (version === null) {
        const marker = this.keepsVersions ? { "x-amz-delete-marker": "true" } : {};
        response.writeHead(204, { ...marker, ...this.#newVersion(object) }).end();
      } else {
        this.#forget(object, version);
        response.writeHead(204).end();
      }
    } else if (this.objects.has(object)) response.writeHead(200).end(key);
    else refuse(response, 404, "NoSuchKey");
  }

  #newVersion(object: string): Record<string, string> {
    if (!this.keepsVersions) return {};
    const version = `v${++this.#lastVersion}`;
    this.#versions.set(object, new Set([...(this.#versions.get(object) ?? []), version]));
    return { "x-amz-version-id": version };
  }

  #forget(object: string, version: string): void {
    const versions = this.#versions.get(object);
    versions?.delete(version);
    if (versions?.size === 0) this.#versions.delete(object);
  }

  #isLate(question: string): boolean {
    const asked = this.#asked.get(question) ?? 0;
    this.#asked.set(question, asked + 1);
    return asked < this.learnsAfter;
  }

  #makeOrRemove(method: "PUT" | "DELETE", bucket: string, isMighty: boolean, response: ServerResponse): void {
    const lets = method === "PUT" ? this.letsMakeBuckets : this.letsRemoveBuckets;
    if (!lets && !isMighty) refuse(response, 403, "AccessDenied");
    else if (method === "PUT") {
      this.made.add(bucket);
      if (this.losesAnswers) refuse(response, 500, "InternalError");
      else response.writeHead(200).end();
    } else if (this.busyRemovals > 0) {
      this.busyRemovals--;
      refuse(response, 500, "InternalError");
    } else if (this.made.delete(bucket)) response.writeHead(204).end();
    else refuse(response, 404, "NoSuchBucket");
  }
}

function refuse(response: ServerResponse, code: number, name: string, message = name): void {
  response
    .writeHead(code, { "content-type": "application/xml" })
    .end(`<Error><Code>${name}</Code><Message>${message}</Message></Error>`);
}
