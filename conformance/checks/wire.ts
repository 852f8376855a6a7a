import { status } from "@grpc/grpc-js";
import {
  AuthenticationType,
  DriverGrantBucketAccessRequest,
  S3SignatureVersion,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { isDriverName } from "../../provider/driver/connect/driver-name";
import type { Check, Problem, Verdict } from "../check";
import type { Exchange } from "../exchange";
import { firstOfEachRpc, problem, throwIfUnanswered, verdict, wantInvalid, wantOk } from "../judge";
import { authenticationTypeNames } from "../tested-contract";

/** Numbers of authentication types that a driver must refuse. */
const meaninglessTypes = [0, 3];

/** An authentication type by its number on the wire, also one that the contract does not have. */
function authenticationTypeOf(number: number): AuthenticationType {
  const tagOfField3 = 0x18;
  return DriverGrantBucketAccessRequest.decode(Uint8Array.of(tagOfField3, number)).authenticationType;
}

export const wireChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-001", deployment: "DEP-001" },
    run: async (context) => {
      const info = await context.getInfo();
      const created = await context.create(context.bucketFields());
      const served = (exchange: Exchange): Problem | undefined =>
        (exchange.code === undefined && !exchange.late) || exchange.code === status.UNIMPLEMENTED
          ? problem(exchange, "an answer other than UNIMPLEMENTED: the RPC is REQUIRED")
          : undefined;
      const missing = [served(info), served(created)];
      if (missing.some((found) => found !== undefined)) return verdict(missing);
      throwIfUnanswered(info);
      if (created.late) throwIfUnanswered(created);
      return verdict([wantOk(info, "the driver tells its name")]);
    },
  },
  {
    ids: { cosi: "GRPC-003", deployment: "DEP-001" },
    last: true,
    recordsOnly: true,
    run: ({ exchanges, made: { creates }, contract }): Promise<Verdict> => {
      const answered = exchanges.filter(({ code, lost }) => code === status.OK && lost === undefined);
      const unreadable = answered.filter(({ reply }) => reply === undefined);
      const broken = answered.filter(({ brokenText }) => brokenText);
      const withoutId = creates.filter(({ reply }) => reply?.bucketId === "");
      const problems = [
        ...firstOfEachRpc(unreadable, "a reply message that can be decoded"),
        ...firstOfEachRpc(broken, "strings in UTF-8: a strict caller cannot read this reply"),
        ...firstOfEachRpc(withoutId, `a ${contract.objectId} that is not empty`),
      ];
      const reason = `no ${contract.rpcs.create.name} was answered with a message`;
      return Promise.resolve(
        problems.length === 0 && creates.length === 0 ? { is: "not-judged", reason } : verdict(problems),
      );
    },
  },
  {
    ids: { cosi: "GRPC-003" },
    needs: ["bucket"],
    last: true,
    run: async (context) => {
      const created = await context.create(context.bucketFields());
      const problems: Problem[] = [];
      const type = created.reply?.bucketInfo?.type;
      const grantsS3 = context.replies.grants.some(({ credentials }) => credentials.has("s3"));
      if (type?.$case === "s3") {
        if (type.value.region === "") problems.push(problem(created, "bucket_info.s3.region is set"));
        if (type.value.signatureVersion === S3SignatureVersion.UnknownSignature) {
          problems.push(problem(created, "bucket_info.s3.signature_version is set, 2 for S3V4"));
        }
      }
      if (created.reply === undefined || type !== undefined || !grantsS3) return verdict(problems);
      const wanted = "bucket_info with s3.region and s3.signature_version: the driver grants S3 credentials";
      return { is: "doubtful", problems: [problem(created, wanted)] };
    },
  },
  {
    ids: { cosi: "GRPC-006", deployment: "DEP-006" },
    needs: ["access"],
    run: async (context) => {
      const { bucketId } = await context.bucket();
      const fields = context.accessFields(bucketId);
      const problems: (Problem | undefined)[] = [];
      for (const type of meaninglessTypes) {
        const refused = await context.grant({ ...fields, authenticationType: authenticationTypeOf(type) });
        problems.push(
          wantInvalid(refused, authenticationTypeNames, `authentication_type ${type} means nothing`),
        );
      }
      // A refused grant leaves no account, which would be in the way of one of the same name.
      problems.push(wantOk(await context.grant(fields), "refused grants have left no account of this name"));
      const other =
        fields.authenticationType === AuthenticationType.Key
          ? AuthenticationType.IAM
          : AuthenticationType.Key;
      const offered = await context.grant({
        ...context.accessFields(bucketId),
        authenticationType: other,
      });
      if (offered.code !== status.OK) {
        problems.push(
          wantInvalid(offered, authenticationTypeNames, "a type that is not offered is an invalid argument"),
        );
      }
      return verdict(problems);
    },
  },
  {
    ids: { cosi: "GRPC-007", deployment: "DEP-007" },
    run: async (context) => {
      const info = await context.getInfo();
      const { reply } = info;
      if (reply === undefined) return verdict([wantOk(info, "the driver tells its name")]);
      const rule =
        "a name that starts and ends alphanumeric, at most 63 characters, labels split by single dots";
      if (!isDriverName(reply.name)) return verdict([problem(info, rule)]);
      if (reply.name.includes(".")) return verdict([]);
      const wanted = "(SHOULD) a name that contains the company's name and the driver's: two labels or more";
      return { is: "doubtful", problems: [problem(info, wanted)] };
    },
  },
  {
    ids: { cosi: "GRPC-117", deployment: "DEP-083" },
    last: true,
    run: async (context) => {
      const { rpcs } = context.contract;
      const path = rpcs.create.path.replace(rpcs.create.name, "DriverConformanceCheck");
      const unknown = await context.method(path);
      const problems: Problem[] = [];
      if (unknown.code !== status.UNIMPLEMENTED) {
        const answered = unknown.lost ?? `code ${unknown.code ?? "none"}`;
        problems.push({ sent: path, answered, wanted: "UNIMPLEMENTED (12): no contract has this method" });
      }
      const offered = new Set(
        context.exchanges.filter(({ code }) => code === status.OK).map(({ rpc }) => rpc),
      );
      const missing = new Map(
        context.exchanges
          .filter(({ rpc, code }) => code === status.UNIMPLEMENTED && !offered.has(rpc))
          // An extension, which a driver may do without.
          .filter(({ rpc }) => rpc !== rpcs.status.name)
          .map((exchange) => [exchange.rpc, exchange]),
      );
      for (const exchange of missing.values()) {
        problems.push(problem(exchange, "a driver SHOULD implement all RPCs of the service"));
      }
      return verdict(problems);
    },
  },
];
