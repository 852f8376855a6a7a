import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a fake store was asked. */
export interface StoreRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The action of a request to IAM, which stands in its body; undefined for one to S3. */
  readonly action: string | undefined;
  readonly body: string;
}

/** One answer of a fake store. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** An error reply of S3; the fake store puts it into the envelope that IAM has around it. */
export function storeError(status: number, code: string, message = `${code} said the store`): Answer {
  return { status, body: `<Error><Code>${code}</Code><Message>${message}</Message></Error>` };
}

/** The OK of an action of IAM that returns nothing of interest. */
export function iamOk(action: string): Answer {
  return { status: 200, body: `<${action}Response><${action}Result/></${action}Response>` };
}

/** A store that gives every request what the test says, over real HTTP. */
export interface FakeStore {
  readonly endpoint: string;
  readonly requests: readonly StoreRequest[];
  answer: (request: StoreRequest) => Answer | Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a fake store on loopback; with a key and certificate it speaks TLS. */
export async function startFakeStore(tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<FakeStore> {
  const requests: StoreRequest[] = [];
  const store: Pick<FakeStore, "answer"> = { answer: () => storeError(500, "InternalError") };
  const listener: RequestListener = (message, response) => {
    void text(message).then(async (body) => {
      const action = new URLSearchParams(body).get("Action") ?? undefined;
      const request = { method: message.method ?? "", url: message.url ?? "", action, body };
      requests.push(request);
      const answer = await store.answer(request);
      const iamError = action !== undefined && answer.body.startsWith("<Error>");
      response
        .writeHead(answer.status, { "content-type": "application/xml" })
        .end(iamError ? `<ErrorResponse>${answer.body}</ErrorResponse>` : answer.body);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(store, {
    endpoint: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}
