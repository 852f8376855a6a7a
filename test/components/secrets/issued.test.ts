import assert from "node:assert/strict";
import { connectionKeys } from "../../../components/secrets/connection";
import { LayoutError } from "../../../components/secrets/granted-access";
import { issuedKeys } from "../../../components/secrets/issued";

describe("the Secret of issued credentials", () => {
  it("has a key for each field that the driver filled, of every form", () => {
    assert.deepEqual(issuedKeys([{ kind: "s3", values: { id: "AKIA", permission: "", owner: "web" } }]), {
      id: "AKIA",
      owner: "web",
    });
    assert.deepEqual(
      issuedKeys([{ kind: "gcs", values: { entity: "e", role: "r", domain: "d", project: "p" } }]),
      { entity: "e", role: "r", domain: "d", project: "p" },
    );
    assert.deepEqual(issuedKeys([{ kind: "azure", values: { id: "a", permission: "rw" } }]), {
      id: "a",
      permission: "rw",
    });
    assert.deepEqual(issuedKeys([{ kind: "generic", values: { "access.key-ID_1": "AKIA" } }]), {
      "access.key-ID_1": "AKIA",
    });
  });

  it("tells several apart by their position", () => {
    const keys = issuedKeys([
      { kind: "s3", values: { id: "A" } },
      { kind: "generic", values: { id: "B", token: "C" } },
    ]);
    assert.deepEqual(keys, { "0.id": "A", "1.id": "B", "1.token": "C" });
    assert.deepEqual(issuedKeys([]), {});
  });

  it("refuses a key that no Secret can have, and tells no value", () => {
    for (const key of ["access key", "a/b", "ü", ""]) {
      assert.throws(
        () => issuedKeys([{ kind: "generic", values: { [key]: "hidden-value" } }]),
        (error) =>
          error instanceof LayoutError &&
          error.message.includes(JSON.stringify(key)) &&
          !error.message.includes("hidden-value"),
      );
    }
  });
});

describe("the keys of a connection", () => {
  it("are those by which a bucket is reached, and have a value", () => {
    assert.deepEqual(
      connectionKeys("s3", {
        bucketName: "photos",
        endpoint: "https://s3.example.com",
        region: "",
        signatureVersion: "V4",
      }),
      { protocol: "s3", bucketName: "photos", endpoint: "https://s3.example.com" },
    );
    assert.deepEqual(
      connectionKeys("gcs", { bucketName: "b", projectId: "p", privateKeyName: "k", serviceAccount: "s" }),
      { protocol: "gcs", bucketName: "b", projectId: "p" },
    );
    assert.deepEqual(connectionKeys("azureBlob", { containerName: "c", storageAccount: "a" }), {
      protocol: "azureBlob",
      containerName: "c",
      storageAccount: "a",
    });
  });
});
