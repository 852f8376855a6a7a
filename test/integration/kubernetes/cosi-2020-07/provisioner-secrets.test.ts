import assert from "node:assert/strict";
import { secretMask } from "../../../../provider/driver/secrets/secret-mask";
import { secretKind } from "../../../../provider/kubernetes/object";
import {
  provisionerSecrets,
  type SecretSource,
} from "../../../../provider/models/cosi-2020-07/provisioner-secrets";
import { asNobody, cluster, newNamespace, type Cluster } from "../cluster";
import { connectKubernetes } from "../../../../provider/kubernetes/client";

const secretParameters = (name: string, namespace: string) => ({
  "cosi.io/provisioner-secret-name": name,
  "cosi.io/provisioner-secret-namespace": namespace,
});

describe("the Secret that calls send to a provisioner", function () {
  this.timeout(120_000);
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
  });

  const makeSecret = (name: string, data: Record<string, string | Uint8Array>) =>
    kube.client.create(secretKind, {
      metadata: { name, namespace },
      data: Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
      ),
    });

  const source = (parameters: Record<string, string>, bucketName = "bucket-photos-team-a"): SecretSource => ({
    parameters,
    bucketName,
    namespace,
  });

  it("is none where nobody names one, whatever else the parameters say", async () => {
    assert.deepEqual(await provisionerSecrets(kube.client, [source({ tier: "hot" }), source({})]), {});
  });

  it("is sent with its keys as they are, and as it is at the time of the call", async () => {
    const planted = {
      AccessKeyId: "AKIA-planted",
      SecretKey: "s3cr3t/planted=",
      empty: "",
      bom: "\ufeffmark",
    };
    await makeSecret("admin", planted);
    const sources = [source(secretParameters("admin", namespace))];
    assert.deepEqual(await provisionerSecrets(kube.client, sources), planted);
    const rotated = Buffer.from("rotated-key").toString("base64");
    await kube.client.patch(secretKind, { namespace, name: "admin" }, { data: { SecretKey: rotated } });
    assert.equal((await provisionerSecrets(kube.client, sources))["SecretKey"], "rotated-key");
  });

  it("has its name and namespace filled in, alone and within text", async () => {
    await makeSecret("bucket-photos-team-a", { which: "alone" });
    await makeSecret(`of-bucket-photos-team-a-${namespace}`, { which: "within" });
    const asked = (name: string, where: string) =>
      provisionerSecrets(kube.client, [source(secretParameters(name, where))]);
    assert.deepEqual(await asked("${bucket.name}", "${bucket.namespace}"), { which: "alone" });
    assert.deepEqual(await asked("of-${bucket.name}-${bucket.namespace}", namespace), { which: "within" });
    const prefix = namespace.slice(0, 5);
    await assert.rejects(
      provisionerSecrets(kube.client, [
        { ...source(secretParameters("a", `${prefix}\${bucket.namespace}`)), namespace: namespace.slice(5) },
      ]),
      new RegExp(`Secret ${namespace}/a does not exist`),
    );
  });

  it("is that of the first source which names one, else the request's own, never of two", async () => {
    await makeSecret("of-access", { a: "from the access" });
    await makeSecret("of-bucket", { b: "from the bucket" });
    await makeSecret("of-request", { c: "from the request" });
    const access = source(secretParameters("of-access", namespace));
    const bucket = source(secretParameters("of-bucket", namespace));
    const own = { namespace, name: "of-request" };
    const none = source({ tier: "hot" });
    const keys = async (sources: SecretSource[]) =>
      Object.keys(await provisionerSecrets(kube.client, sources, own)).join();
    assert.equal(await keys([access, bucket]), "a");
    assert.equal(await keys([none, bucket]), "b");
    assert.equal(await keys([none, none]), "c");
  });

  it("is refused where it does not exist, by who names it", async () => {
    await assert.rejects(
      provisionerSecrets(kube.client, [source(secretParameters("absent", namespace))]),
      new RegExp(
        `Secret ${namespace}/absent does not exist, and the parameters cosi\\.io/provisioner-secret-name`,
      ),
    );
    await assert.rejects(
      provisionerSecrets(kube.client, [], { namespace, name: "absent" }),
      new RegExp(`Secret ${namespace}/absent does not exist, and secretName of the BucketRequest names it`),
    );
  });

  it("is refused where it is no text, without a word of its content", async () => {
    const bytes = Uint8Array.from([0x70, 0x6c, 0x61, 0x6e, 0x74, 0xff]);
    await makeSecret("binary", { AccessKeyId: "AKIA-of-binary", token: bytes });
    await assert.rejects(
      provisionerSecrets(kube.client, [source(secretParameters("binary", namespace))]),
      (error: Error) => {
        assert.match(error.message, new RegExp(`Secret ${namespace}/binary .*"token" that is no UTF-8 text`));
        assert.doesNotMatch(error.message, /plant|AKIA/);
        return true;
      },
    );
  });

  it("is refused before it is looked up where the parameters make no name", async () => {
    const nobody = await connectKubernetes({ kubeconfig: asNobody(kube) });
    const refused: [Record<string, string>, RegExp][] = [
      [{ "cosi.io/provisioner-secret-name": "a" }, /have .*secret-name without .*secret-namespace/],
      [{ "cosi.io/provisioner-secret-namespace": "a" }, /have .*secret-namespace without .*secret-name/],
      [
        secretParameters("${pod.name}", namespace),
        /have \$\{pod\.name\} in cosi\.io\/provisioner-secret-name/,
      ],
      [secretParameters("${bucket.name}", "${bucket.namespace"), /have \$\{bucket\.namespace in/],
    ];
    for (const [parameters, problem] of refused) {
      await assert.rejects(provisionerSecrets(nobody, [source(parameters)]), problem);
    }
    await assert.rejects(
      provisionerSecrets(nobody, [source(secretParameters("${bucket.name}", namespace), "Not a name")]),
      /have "\$\{bucket\.name\}" as cosi\.io\/provisioner-secret-name, which is "Not a name"/,
    );
    await assert.rejects(
      provisionerSecrets(nobody, [source(secretParameters("admin", namespace))]),
      /get Secret .*\/admin: 403 Forbidden/,
    );
  });

  it("is kept out of every later text", async () => {
    await makeSecret("masked", {
      UserName: "planted-user",
      SecretKey: "planted-key",
      endpoint: "https://s3.planted",
    });
    await provisionerSecrets(kube.client, [source(secretParameters("masked", namespace))]);
    const said = "planted-user planted-key " + Buffer.from("planted-key").toString("base64");
    assert.equal(secretMask.apply(said), "[secret] [secret] [secret]");
  });
});
