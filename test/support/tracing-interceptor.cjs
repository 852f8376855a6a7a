/** An interceptor as a user writes it for tracing: it notes each call's path and status. */
const { InterceptingCall } = require("@grpc/grpc-js");

/** What it saw, `/cosi.v1alpha1.Identity/DriverGetInfo 0`. */
const seen = [];

module.exports = (options, nextCall) =>
  new InterceptingCall(nextCall(options), {
    start(metadata, _listener, next) {
      next(metadata, {
        onReceiveStatus(status, forward) {
          seen.push(`${options.method_definition.path} ${status.code}`);
          forward(status);
        },
      });
    },
  });
module.exports.seen = seen;
