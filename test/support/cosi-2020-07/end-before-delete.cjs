/** An interceptor that ends its process, as a kill does, where it would send a DeleteBucket. */
const process = require("node:process");
const { InterceptingCall } = require("@grpc/grpc-js");

module.exports = (options, nextCall) => {
  if (options.method_definition.path.endsWith("/DeleteBucket")) process.kill(process.pid, "SIGKILL");
  return new InterceptingCall(nextCall(options));
};
