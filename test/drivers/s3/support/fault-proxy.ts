import { once } from "node:events";
import { type RequestListener, createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Answer, type StoreRequest, storeError } from "./fake-store";

/**
 * What happens to a request: it goes through; it is answered with a fault and never reaches the store; it reaches
 * the store and the reply is lost; it waits until the promise is kept and then goes through.
 */
export type Fate = "pass" | "refuse" | "lose reply" | Promise<void>;

/** A network with faults between driver and store. */
export interface FaultProxy {
  readonly endpoint: string;
  fateOf: (request: StoreRequest) => Fate;
  stop(): Promise<void>;
}

const FAULT: Answer = storeError(500, "InternalError", "injected");

/** Starts a proxy in front of a store. The signatures stay valid, as the Host header goes through unchanged. */
export async function startFaultProxy(storeEndpoint: string): Promise<FaultProxy> {
  const proxy: Pick<FaultProxy, "fateOf"> = { fateOf: () => "pass" };
  const { hostname, port } = new URL(storeEndpoint);
  const listener: RequestListener = (message, response) => {
    void buffer(message).then(async (body) => {
      const { method = "", url = "", rawHeaders } = message;
      const text = body.toString();
      const action = new URLSearchParams(text).get("Action") ?? undefined;
      const fate = proxy.fateOf({ method, url, action, body: text });
      const fail = () => {
        response
          .writeHead(FAULT.status)
          .end(action === undefined ? FAULT.body : `<ErrorResponse>${FAULT.body}</ErrorResponse>`);
      };
      if (fate === "refuse") {
        fail();
        return;
      }
      await fate;
      const onward = forward({ hostname, port, method, path: url, headers: rawHeaders }, (reply) => {
        if (fate === "lose reply") {
          reply.resume().once("end", fail);
          return;
        }
        response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
        reply.pipe(response);
      });
      onward.once("error", () => response.destroy());
      onward.end(body);
    });
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return Object.assign(proxy, {
    endpoint: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}
