import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { status, type Interceptor } from "@grpc/grpc-js";
import { errorText } from "../../dynamic/error-text";
import { isRecord } from "../../dynamic/values";
import { ConnectFailure } from "./connect-failure";

/**
 * Environment variable with the absolute paths of modules, separated as in PATH, whose gRPC interceptors stand around
 * every call. It is a variable and no input: the host of providers has to load the modules, and on destroy, when no
 * program runs, it knows the state alone.
 */
const variable = "PULUMI_COSI_INTERCEPTORS";

/**
 * Loads the user's interceptors, for tracing; the first one stands outermost. Each module's default export, or
 * `module.exports`, is an interceptor of @grpc/grpc-js or an array of them. They see messages as bytes, credentials
 * included.
 *
 * @throws ConnectFailure if a module cannot be loaded.
 */
export async function loadInterceptors(): Promise<Interceptor[]> {
  const modules = (process.env[variable] ?? "").split(path.delimiter).filter((entry) => entry !== "");
  return (await Promise.all(modules.map(load))).flat();
}

async function load(module: string): Promise<Interceptor[]> {
  const refuse = (reason: string): ConnectFailure =>
    new ConnectFailure(`the interceptor module ${JSON.stringify(module)} ${reason}`, {
      code: status.FAILED_PRECONDITION,
      next: `correct or unset ${variable}, then run the command again`,
    });
  if (!path.isAbsolute(module)) throw refuse("is not named by an absolute path");
  let exported: unknown;
  try {
    exported = defaultOf(defaultOf(await import(pathToFileURL(module).href)));
  } catch (error) {
    throw refuse(`cannot be loaded: ${errorText(error)}`);
  }
  const interceptors: unknown[] = Array.isArray(exported) ? exported : [exported];
  if (!interceptors.every(isInterceptor)) {
    throw refuse("has no interceptor, (options, nextCall) => InterceptingCall, as its default export");
  }
  return interceptors;
}

/** A compiled CommonJS module has its default export one level deeper. */
function defaultOf(exported: unknown): unknown {
  return isRecord(exported) && "default" in exported ? exported["default"] : exported;
}

function isInterceptor(value: unknown): value is Interceptor {
  return typeof value === "function";
}
