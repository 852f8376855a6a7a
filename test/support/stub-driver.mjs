/**
 * A driver process for tests of how drivers are started and ended. It appends what it was given to the file
 * STUB_REPORT, one line of JSON per start, and serves all RPCs of cosi.v1alpha1 and of deployment.v1alpha1; a bucket's id is the pid. Variables
 * change what it does:
 *
 * - STUB_EXIT: exit with this status after a second, without serving, and say STUB_SAY on stderr before
 * - STUB_SIGNALS: append its pid to this file at each SIGTERM
 * - STUB_STUBBORN: take no other notice of SIGTERM
 * - STUB_CHILD: leave a child running
 * - STUB_OUTPUT: write so many megabytes to each of stdout and stderr before serving
 * - STUB_DIES: in so many starts, the first ones, say STUB_SAY on stderr and die in the middle of a create
 * - STUB_CALLS: append path and body of each call to this file
 * - STUB_BUCKET: id of a bucket, in place of the pid
 * - STUB_SECRET: secret access key of every account
 */
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import grpc from "@grpc/grpc-js";

const { COSI_ENDPOINT, Deployment_ENDPOINT, STUB_REPORT, STUB_CALLS, STUB_SIGNALS, STUB_SAY } = process.env;
const { STUB_EXIT, STUB_STUBBORN, STUB_CHILD } = process.env;
const { STUB_OUTPUT = "0", STUB_DIES = "0", STUB_BUCKET, STUB_SECRET = "not very secret" } = process.env;

const child =
  STUB_CHILD === undefined
    ? undefined
    : spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
const report = {
  pid: process.pid,
  parent: process.ppid,
  child: child?.pid,
  arguments: process.argv.slice(2),
  environment: process.env,
};
fs.appendFileSync(STUB_REPORT, `${JSON.stringify(report)}\n`);
const starts = fs.readFileSync(STUB_REPORT, "utf8").trim().split("\n").length;

if (STUB_EXIT === undefined) serve();
else {
  say();
  setTimeout(() => process.exit(Number(STUB_EXIT)), 1000);
}

function say() {
  if (STUB_SAY !== undefined) process.stderr.write(`${STUB_SAY}\n`);
}

function serve() {
  for (let megabyte = 0; megabyte < Number(STUB_OUTPUT); megabyte += 1) {
    for (const stream of [1, 2]) writeAll(stream, Buffer.from(`${"x".repeat(1023)}\n`.repeat(1024)));
  }
  const server = new grpc.Server();
  const account = message(1, "account");
  const secrets = Buffer.concat([entry("accessKeyID", "AKSTUB"), entry("accessSecretKey", STUB_SECRET)]);
  answer(server, "Identity/DriverGetInfo", () => message(1, "stub.example.com"));
  answer(server, "Provisioner/DriverCreateBucket", () => message(1, STUB_BUCKET ?? String(process.pid)));
  answer(server, "Provisioner/DriverDeleteBucket", () => Buffer.alloc(0));
  answer(server, "Provisioner/DriverGrantBucketAccess", () =>
    Buffer.concat([account, message(2, Buffer.concat([message(1, "s3"), message(2, secrets)]))]),
  );
  answer(server, "Provisioner/DriverRevokeBucketAccess", () => Buffer.alloc(0));
  const flag = "--driver-addr=";
  const address =
    process.argv.find((argument) => argument.startsWith(flag))?.slice(flag.length) ??
    COSI_ENDPOINT ??
    Deployment_ENDPOINT;
  server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error) => {
    if (error !== null) throw error;
  });
  process.on("SIGTERM", () => {
    if (STUB_SIGNALS !== undefined) fs.appendFileSync(STUB_SIGNALS, `${process.pid}\n`);
    if (STUB_STUBBORN !== undefined) return;
    server.forceShutdown();
    process.exit(0);
  });
}

/** Writes to a pipe, however slowly its reader reads. */
function writeAll(stream, bytes) {
  for (let written = 0; written < bytes.length;) {
    try {
      written += fs.writeSync(stream, bytes, written);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

/** Field of a message with a length: text, bytes, another message. */
function message(number, content) {
  const bytes = Buffer.from(content);
  if (bytes.length > 127) throw new Error("the stub writes short fields only");
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

/** One entry of the map that is field 1. */
function entry(key, value) {
  return message(1, Buffer.concat([message(1, key), message(2, value)]));
}

/** Serves a method of both contracts. */
function answer(server, name, reply) {
  serveMethod(server, `/cosi.v1alpha1.${name}`, reply);
  serveMethod(server, `/deployment.v1alpha1.${name.replace("Bucket", "Deployment")}`, reply);
}

function serveMethod(server, path, reply) {
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
  const handler = (call, callback) => {
    if (STUB_CALLS !== undefined) {
      fs.appendFileSync(STUB_CALLS, `${path} ${call.request.toString("hex")}\n`);
    }
    if (/\/DriverCreate(Bucket|Deployment)$/.test(path) && starts <= Number(STUB_DIES)) {
      say();
      process.exit(70);
    }
    callback(null, reply());
  };
  server.addService({ [path]: method }, { [path]: handler });
}
