/**
 * A driver process for tests of how drivers are started and ended. It appends what it was given to the file
 * STUB_REPORT, one line of JSON per start, and serves the identity and the create of buckets; a bucket's id is the
 * pid. Variables change what it does:
 *
 * - STUB_EXIT: exit with this status after a second, without serving, and say STUB_SAY on stderr before
 * - STUB_STUBBORN: take no notice of SIGTERM
 * - STUB_CHILD: leave a child running
 * - STUB_OUTPUT: write so many megabytes to stdout before serving
 */
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import grpc from "@grpc/grpc-js";

const { STUB_REPORT, STUB_EXIT, STUB_SAY, STUB_STUBBORN, STUB_CHILD, STUB_OUTPUT, COSI_ENDPOINT } =
  process.env;

const child =
  STUB_CHILD === undefined
    ? undefined
    : spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
const report = {
  pid: process.pid,
  child: child?.pid,
  arguments: process.argv.slice(2),
  environment: process.env,
};
fs.appendFileSync(STUB_REPORT, `${JSON.stringify(report)}\n`);

if (STUB_SAY !== undefined) process.stderr.write(`${STUB_SAY}\n`);
if (STUB_EXIT === undefined) serve();
else setTimeout(() => process.exit(Number(STUB_EXIT)), 1000);

function serve() {
  for (let megabyte = 0; megabyte < Number(STUB_OUTPUT ?? 0); megabyte += 1) {
    fs.writeSync(1, `${"x".repeat(1023)}\n`.repeat(1024));
  }
  const server = new grpc.Server();
  answer(server, "/cosi.v1alpha1.Identity/DriverGetInfo", "stub.example.com");
  answer(server, "/cosi.v1alpha1.Provisioner/DriverCreateBucket", String(process.pid));
  const flag = "--driver-addr=";
  const address =
    process.argv.find((argument) => argument.startsWith(flag))?.slice(flag.length) ?? COSI_ENDPOINT;
  server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error) => {
    if (error !== null) throw error;
  });
  process.on("SIGTERM", () => {
    if (STUB_STUBBORN !== undefined) return;
    server.forceShutdown();
    process.exit(0);
  });
}

/** Serves a method whose reply has the text as its field 1. */
function answer(server, path, text) {
  const bytes = (value) => value;
  const method = {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
  const reply = Buffer.concat([Buffer.from([0x0a, text.length]), Buffer.from(text)]);
  server.addService({ [path]: method }, { [path]: (_call, callback) => callback(null, reply) });
}
