#!/usr/bin/env node
/**
 * Pulumi's plugin for programs in other languages, `pulumi-resource-cosi`: it serves the core resources on a port of the
 * loopback interface, which it tells the engine in its first line of output.
 */
import * as fs from "node:fs";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { serveEngine } from "../driver/process/host";
import { errorText } from "../dynamic/error-text";
import { schemaText } from "./schema";
import { providerService } from "./service";

/** What the engine and its peers may send at once: state of any size. */
const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

async function serve(): Promise<number> {
  const manifest = fs.readFileSync(require.resolve("pulumi-cosi/package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const server = new grpc.Server(unlimited);
  server.addService(ResourceProviderService, providerService(version, schemaText(version)));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

// Flags for logs come before it.
const address = process.argv.slice(2).find((argument) => /^[^-].*:\d+$/.test(argument));
if (address !== undefined) serveEngine(address);
serve().then(
  (port) => {
    process.stdout.write(`${port}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`pulumi-resource-cosi could not be started: ${errorText(error)}\n`);
    process.exit(1);
  },
);
