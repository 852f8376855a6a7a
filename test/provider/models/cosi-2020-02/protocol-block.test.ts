import assert from "node:assert/strict";
import {
  accountOutputs,
  ownedAccountOf,
  rememberAccountData,
} from "../../../../provider/bucket/account-state";
import { secretMask } from "../../../../provider/driver/secrets/secret-mask";
import { issuedFields } from "../../../../provider/models/cosi-2020-02/protocol-block";
import { handlerReference } from "../../../support/cosi-2020-02";
import { wire } from "../../../support/lifecycle";

const gcs = {
  bucketName: "b",
  projectId: "p",
  serviceAccountName: "robot@p",
  privateKeyName: "k1",
  privateKey: "gcs-pr1vate",
};
const azure = { containerName: "c", storageAccountName: "s", accountKey: "azure-k3y", sasToken: "" };

describe("what is told of an account by protocol (COSI proposal of 2020-02-27)", () => {
  it("in the BucketContent is who it is, and no key [K02-040] [K02-042]", () => {
    assert.deepEqual(issuedFields("gcs", { kind: "gcs", values: gcs }), {
      bucketName: "b",
      privateKeyName: "k1",
      projectId: "p",
      serviceAccount: "robot@p",
    });
    assert.deepEqual(issuedFields("azureBlob", { kind: "azure", values: azure }), {
      storageAccountName: "s",
      containerName: "c",
    });
  });

  it("in the Secret is all of it, by the fields of the wire, without those that are empty [K02-074]", () => {
    const driver = handlerReference("unix:///tmp/none.sock");
    const credentials = (kind: "gcs" | "azure", values: Record<string, string>) =>
      wire(accountOutputs({ driver }, { issued: { kind, values } }))["credentials"];
    assert.deepEqual(credentials("gcs", gcs), { protocol: "gcs", ...gcs });
    const { sasToken, ...rest } = azure;
    assert.equal(sasToken, "");
    assert.deepEqual(credentials("azure", azure), { protocol: "azureBlob", ...rest });
  });

  it("tells two accounts of one user apart, and one from itself not", () => {
    const driver = handlerReference("unix:///tmp/none.sock");
    const account = (values: Record<string, string>) =>
      ownedAccountOf({ driver }, "b", { issued: { kind: "s3", values: { userName: "u", ...values } } })?.ids;
    assert.notDeepEqual(account({ accessKeyId: "AK1" }), account({ accessKeyId: "AK2" }));
    assert.deepEqual(account({ accessKeyId: "AK1", region: "x" }), account({ accessKeyId: "AK1" }));
    assert.equal(ownedAccountOf({ driver }, null, { issued: { kind: "s3", values: gcs } }), undefined);
  });

  it("is kept out of later texts, but for protocol and place [K02-094]", () => {
    rememberAccountData({ protocol: "azureBlob", containerName: "pictures", accountKey: "azure-k3y-of-all" });
    assert.equal(
      secretMask.apply("protocol azureBlob, bucket pictures, key azure-k3y-of-all"),
      "protocol azureBlob, bucket pictures, key [secret]",
    );
  });

  it("is null in the state of a bucket whose contract grants by a call of its own", () => {
    const driver = { ...handlerReference("unix:///tmp/none.sock"), contract: "cosi-2020-07" } as const;
    assert.deepEqual(accountOutputs({ driver }, {}), { issued: null, credentials: null, checksum: null });
  });
});
