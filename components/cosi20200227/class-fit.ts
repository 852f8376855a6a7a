import { supports } from "../../provider/models/cosi-2020-02/names";
import { caseOfClass, type BucketCase, type BucketClassCopy } from "../../provider/models/cosi-2020-02/specs";
import { bucketNameField, type ApiProtocol } from "../../provider/models/cosi-proposals/protocols";
import { requireDriverOf } from "../cosi-proposals/driver-name";
import { ProblemError, quoted } from "../kubernetes/problem";
import { keyTwice } from "./bucket-identifier";

/** What a Bucket requires of its class. */
export interface Wanted {
  readonly protocol: ApiProtocol;
  /** A driver makes calls for it. */
  readonly isManaged: boolean;
  /** Name of the driver that the Bucket itself is given. @default the class's own, which the class has judged */
  readonly driverName: string | undefined;
}

/** A class that a Bucket can be served by. */
export interface FittingClass {
  readonly bucketClass: BucketClassCopy;
  readonly bucketCase: BucketCase;
  /** The backend's name of an existing bucket. @default a new one is made, or a static class does not name it */
  readonly bucketId: string | undefined;
}

/**
 * Judges a class by what the Bucket asks for: as the Bucket keeps it, whatever has become of the class since.
 *
 * @throws ProblemError for one that cannot serve it: K02-028, K02-056, K02-060 to K02-063.
 */
export function fitting(
  bucketClass: BucketClassCopy,
  { protocol, isManaged, driverName }: Wanted,
): FittingClass {
  const { name, supportedProtocols, bucketIdentifier, parameters, provisioner } = bucketClass;
  const whose = `the BucketClass ${name}`;
  if (!supports(supportedProtocols, protocol)) {
    throw new ProblemError(
      `requestProtocol is ${JSON.stringify(protocol)}, but ${whose} supports ${quoted(supportedProtocols)}: ask for one of ` +
        "these, or give a class that supports that protocol",
    );
  }
  const bucketCase = caseOfClass(bucketClass);
  if (bucketCase === undefined) {
    throw new ProblemError(
      `${whose} has secretRef and no bucketIdentifier: give a class that has both, or neither`,
    );
  }
  if (bucketCase === "static") {
    if (!isManaged) return { bucketClass, bucketCase, bucketId: nameIn(bucketClass, protocol) };
    throw new ProblemError(
      `driver is given, but ${whose} is static, so no driver is called: leave driver out`,
    );
  }
  if (!isManaged) {
    throw new ProblemError(
      `driver is missing, and ${whose} is ${bucketCase}: give the Driver of its provisioner`,
    );
  }
  if (driverName !== undefined) requireDriverOf(provisioner ?? "", driverName, whose);
  if (bucketCase === "greenfield") return { bucketClass, bucketCase, bucketId: undefined };
  const bucketId = nameIn(bucketClass, protocol);
  if (bucketId === undefined) {
    throw new ProblemError(
      `bucketIdentifier of ${whose} has no ${bucketNameField(protocol)}, the backend's name of the bucket for ` +
        `requestProtocol ${JSON.stringify(protocol)}: give a class that has it`,
    );
  }
  const both = keyTwice(bucketIdentifier ?? {}, parameters, [protocol]);
  if (both === undefined) return { bucketClass, bucketCase, bucketId };
  throw new ProblemError(
    `bucketIdentifier and parameters of ${whose} both have ${JSON.stringify(both)}, which the driver would get as one parameter ` +
      `for requestProtocol ${JSON.stringify(protocol)}: give a class that has it once`,
  );
}

function nameIn({ bucketIdentifier }: BucketClassCopy, protocol: ApiProtocol): string | undefined {
  const name = bucketIdentifier?.[bucketNameField(protocol)];
  return name === "" ? undefined : name;
}
