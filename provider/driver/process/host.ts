import * as http2 from "node:http2";

let toldAddress: string | undefined;

/** Notes the engine that this process serves, if it is a plugin and not Pulumi's host of dynamic providers. */
export function serveEngine(address: string): void {
  toldAddress = address;
}

/**
 * gRPC address of the Pulumi engine: what a plugin was told, or, if this process is Pulumi's host of dynamic providers, its
 * first argument. Elsewhere (a test, a tool) there is none.
 */
export function engineAddress(): string | undefined {
  if (toldAddress !== undefined) return toldAddress;
  const [, script, address] = process.argv;
  return script !== undefined && /[\\/]cmd[\\/]dynamic-provider/.test(script) ? address : undefined;
}

/**
 * Calls back once when the engine at this address is gone. The engine gives no sign of its end, and a shell between
 * it and its host outlives it; an open connection closes in either case.
 */
export function watchEngine(address: string, onGone: () => void): void {
  const session = http2.connect(`http://${address}`);
  session.on("error", () => undefined);
  session.once("close", onGone);
  session.unref();
}

let ending = false;

/** Ends this host when the engine is gone: Pulumi leaves it running after a killed CLI. */
export function endWithEngine(): void {
  const address = engineAddress();
  if (address === undefined || ending) return;
  ending = true;
  watchEngine(address, () => process.exit(0));
}
