import { provider as definitions } from "../../../../provider/kubernetes/custom-resource-definitions";
import { kindsOf, modelNameOf } from "../../../../provider/models/cosi-2020-07/kinds";
import type { Cluster } from "../cluster";
import { owner } from "../objects";

/** API model of the proposal of 2020-07-08 in its own group. */
export const july = modelNameOf("cosi.io");
export const kinds = kindsOf("cosi.io");

/** Installs the six kinds, once per cluster. */
export async function installJuly({ target }: Cluster): Promise<void> {
  await definitions.create({ kubernetes: target, model: july, owner });
}

export const provisioner = "ceph-rgw/ceph-rgw.cosi.ceph.com";

/** A Bucket as an admin writes it by hand: what is required, and no more. */
export const bucketSpec = {
  provisioner,
  permittedNamespaces: [],
  protocol: { protocolSignature: "s3", s3: { bucketName: "legacy" } },
} as const;
