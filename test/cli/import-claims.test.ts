import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { runCommandLine } from "../../cli/commands";
import { programText } from "../../cli/import-claims/project";
import { isRecord } from "../../provider/dynamic/values";
import type { KubernetesObject } from "../../provider/kubernetes/object";
import { listOf, obcOf, obOf, rookClaim, secretOf, type RookClaim } from "../support/objectbucket/rook-claim";

const endpoint = "unix:///run/cosi/cosi.sock";
const albums: RookClaim = { ...rookClaim, name: "albums", uid: "8f14e45f-ceea-467e-bd4d-2a3f3c1d9a02" };

/** An object with other fields. */
function changed(object: KubernetesObject, changes: Record<string, object>): KubernetesObject {
  const merged = Object.entries(changes).map(([key, value]) => {
    const before = object[key];
    return [key, { ...(isRecord(before) ? before : {}), ...value }] as const;
  });
  return { ...object, ...Object.fromEntries(merged) };
}

function storageClass(name: string, store: string): KubernetesObject {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name },
    provisioner: "rook-ceph.ceph.rook.io/bucket",
    reclaimPolicy: "Delete",
    parameters: { objectStoreName: store, objectStoreNamespace: "rook-ceph" },
  };
}

describe("pulumi-cosi import-claims", () => {
  let folder: string;
  let out: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "import-claims-"));
    out = path.join(folder, "program");
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the command, with what is piped into it. */
  async function run(args: readonly string[], input?: string) {
    let said = "";
    let err = "";
    const code = await runCommandLine(["import-claims", ...args], {
      out: (text) => (said += text),
      err: (text) => (err += text),
      input: input === undefined ? undefined : () => Promise.resolve(input),
      interactive: false,
      environment: {},
      interrupt: new AbortController().signal,
    });
    return { code, out: said, err };
  }
  const imported = (objects: readonly KubernetesObject[], ...more: readonly string[]) =>
    run(["--endpoint", endpoint, "--out", out, ...more], listOf(objects));
  const file = (name: string, text: string): string => {
    const where = path.join(folder, name);
    fs.writeFileSync(where, text);
    return where;
  };
  const written = (): { driver: unknown; claims: readonly Record<string, unknown>[] } =>
    JSON.parse(fs.readFileSync(path.join(out, "claims.json"), "utf8")) as ReturnType<typeof written>;

  it("declares a bound claim by what it says, without what kubectl and the operator have added", async () => {
    const { code, out: said, err } = await imported([obcOf(rookClaim)]);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(said, /^1 claim in .*program; written: claims\.json, index\.ts, Pulumi\.yaml/);
    assert.deepEqual(written(), {
      driver: { endpoint },
      claims: [
        {
          resource: "shop-photos",
          namespace: "shop",
          name: "photos",
          storageClassName: "rook-ceph-bucket",
          bucketName: rookClaim.bucketName,
          additionalConfig: { maxObjects: "1000" },
          labels: { team: "web" },
          annotations: { "example.com/note": "ours" },
          keySets: ["rook"],
        },
      ],
    });
  });

  it("leaves out of a claim what it does not have, an additionalConfig that is null too", async () => {
    const plain = {
      ...changed(obcOf(rookClaim), { spec: {} }),
      metadata: { name: "photos", namespace: "shop" },
    };
    await imported([changed(plain, { spec: { additionalConfig: null } })]);
    const [claim = {}] = written().claims;
    assert.deepEqual(Object.keys(claim).sort(), [
      "bucketName",
      "keySets",
      "name",
      "namespace",
      "resource",
      "storageClassName",
    ]);
  });

  it("writes a project that npm and Pulumi take, for the versions that this package is made for", async () => {
    await imported([obcOf(rookClaim)]);
    assert.equal(fs.readFileSync(path.join(out, "index.ts"), "utf8"), programText);
    assert.match(fs.readFileSync(path.join(out, "Pulumi.yaml"), "utf8"), /^name: [\w-]+\nruntime: nodejs\n/);
    const ours = JSON.parse(fs.readFileSync(path.join(__dirname, "..", "..", "package.json"), "utf8")) as {
      version: string;
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    const manifest = JSON.parse(fs.readFileSync(path.join(out, "package.json"), "utf8")) as typeof ours;
    assert.equal(manifest.dependencies["pulumi-cosi"], `^${ours.version}`);
    assert.equal(manifest.dependencies["@pulumi/pulumi"], ours.dependencies["@pulumi/pulumi"]);
    assert.equal(manifest.devDependencies["typescript"], ours.devDependencies["typescript"]);
    assert.ok(!Object.values({ ...manifest.dependencies, ...manifest.devDependencies }).includes("*"));
    const { compilerOptions } = JSON.parse(
      fs.readFileSync(path.join(out, "tsconfig.json"), "utf8"),
    ) as Record<string, Record<string, unknown>>;
    assert.equal(compilerOptions?.["strict"], true);
  });

  const projectOf = (where: string): string =>
    /^name: (.+)\n/.exec(fs.readFileSync(path.join(where, "Pulumi.yaml"), "utf8"))?.[1] ?? "";

  it("gives each folder a project of its own, so that no stack of one is a stack of the other", async () => {
    const folders = ["hot/claims", "cold/claims", "archive"].map((name) => path.join(folder, name));
    for (const [index, where] of folders.entries()) {
      const claims = listOf([obcOf(index === 0 ? rookClaim : albums)]);
      const { out: said } = await run(["--endpoint", endpoint, "--out", where], claims);
      const name = projectOf(where);
      assert.ok(said.includes(`The project is ${name}. `) && said.includes(`${name}/prod:`), said);
      const manifest = fs.readFileSync(path.join(where, "package.json"), "utf8");
      assert.equal((JSON.parse(manifest) as { name: string }).name, name);
    }
    const names = folders.map(projectOf);
    assert.match(names.join(" "), /^claims-[0-9a-f]{8} claims-[0-9a-f]{8} archive-[0-9a-f]{8}$/);
    assert.equal(new Set(names).size, 3);
  });

  it("tells programs apart that are made at one place, each of claims of its own, as in two CI jobs", async () => {
    await imported([obcOf(rookClaim)]);
    const first = projectOf(out);
    fs.rmSync(out, { recursive: true });
    await imported([obcOf(albums)]);
    assert.notEqual(projectOf(out), first);
    fs.rmSync(out, { recursive: true });
    await imported([obcOf(rookClaim)]);
    assert.equal(projectOf(out), first);
  });

  for (const name of ["Größe & Co", ".hidden", "日本", "x".repeat(120)]) {
    it(`makes a name that npm and Pulumi take of the folder ${name.slice(0, 10)}`, async () => {
      const where = path.join(folder, name);
      await run(["--endpoint", endpoint, "--out", where], listOf([obcOf(rookClaim)]));
      assert.match(projectOf(where), /^[a-z0-9][a-z0-9-]{0,60}-[0-9a-f]{8}$/);
    });
  }

  it("names the project of a Pulumi.yaml that is there", async () => {
    fs.mkdirSync(out);
    fs.writeFileSync(path.join(out, "Pulumi.yaml"), 'runtime: nodejs\nname: "shop-claims"\n');
    assert.match((await imported([obcOf(rookClaim)])).out, /^The project is shop-claims\. /m);
    fs.rmSync(path.join(out, "claims.json"));
    fs.writeFileSync(path.join(out, "Pulumi.yaml"), "{ name: shop, runtime: nodejs }\n");
    assert.match((await imported([obcOf(rookClaim)])).out, /^The project is that of its Pulumi\.yaml\. /m);
  });

  it("keeps files of the project that are there, and never writes over a list of claims", async () => {
    fs.mkdirSync(out);
    fs.writeFileSync(path.join(out, "index.ts"), "// mine\n");
    assert.match((await imported([obcOf(rookClaim)])).out, /written: claims\.json, Pulumi\.yaml/);
    assert.equal(fs.readFileSync(path.join(out, "index.ts"), "utf8"), "// mine\n");
    const before = written();
    const again = await imported([obcOf(albums)]);
    assert.deepEqual([again.code, again.out], [3, ""]);
    assert.match(again.err, /claims\.json is there, and a stack may have its claims: give another folder/);
    assert.deepEqual(written(), before);
  });

  it("gives claims names of their own, whatever their order", async () => {
    const claims = [
      { ...rookClaim, namespace: "a-b", name: "c" },
      { ...rookClaim, namespace: "a", name: "b-c" },
      { ...rookClaim, namespace: "a", name: "d" },
    ].map(obcOf);
    await imported(claims);
    const names = written().claims.map(({ resource }) => resource);
    assert.deepEqual(names, ["a-b-c-4e84717d", "a-b-c-b88f83c8", "a-d"]);
    fs.rmSync(out, { recursive: true });
    await imported([...claims].reverse());
    assert.deepEqual(
      written().claims.map(({ resource }) => resource),
      [...names].reverse(),
    );
  });

  const bound = obcOf(albums);
  const { deletionTimestamp } = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const unfit: readonly [string, KubernetesObject, RegExp][] = [
    ["is pending", changed(bound, { status: { phase: "Pending" } }), /has the phase "Pending"/],
    ["has no phase", changed(bound, { status: { phase: "" } }), /has no phase, and only a bound one/],
    ["names no bucket", changed(bound, { spec: { bucketName: "" } }), /names no bucket/],
    ["names no class", changed(bound, { spec: { storageClassName: "" } }), /names no StorageClass/],
    ["has no ObjectBucket", changed(bound, { spec: { objectBucketName: "" } }), /names no ObjectBucket/],
    [
      "has an ObjectBucket of another name",
      changed(bound, { spec: { objectBucketName: "mine" } }),
      /has the ObjectBucket mine, which is not called obc-shop-albums or obc-shop-albums-[0-9a-f]{8}/,
    ],
    ["is being deleted", changed(bound, { metadata: { deletionTimestamp } }), /is being deleted since 2026/],
    [
      "belongs to a stack",
      changed(bound, { metadata: { annotations: { "pulumi-cosi/owner": "organization/shop/dev" } } }),
      /belongs to the stack organization\/shop\/dev already/,
    ],
  ];
  for (const [what, claim, text] of unfit) {
    it(`leaves out a claim that ${what}, says so, and takes the others`, async () => {
      const { code, out: said, err } = await imported([claim, obcOf(rookClaim)]);
      assert.equal(code, 1);
      assert.match(err, /^left out: ObjectBucketClaim shop\/albums .*\n$/);
      assert.match(err, text);
      assert.match(said, /^1 claim in .*, 1 left out/);
      assert.deepEqual(
        written().claims.map(({ name }) => name),
        ["photos"],
      );
    });
  }

  it("writes nothing where no claim can be taken", async () => {
    const { code, out: said, err } = await imported([changed(bound, { status: { phase: "Failed" } })]);
    assert.deepEqual([code, said, fs.existsSync(out)], [1, "", false]);
    assert.match(err, /^left out: /);
  });

  it("takes the name of an ObjectBucket with a hash, as the component knows it too", async () => {
    const objectBucketName = "obc-shop-photos-250de6b9";
    const { code } = await imported([changed(obcOf(rookClaim), { spec: { objectBucketName } })]);
    assert.equal(code, 0);
    assert.equal(written().claims[0]?.["objectBucketNaming"], "hashed");
  });

  it("looks at the ObjectBuckets where they are listed, in a file of their own or with the claims", async () => {
    const stranger = { ...albums, uid: "8f14e45f-ceea-467e-bd4d-2a3f3c1d9a09" };
    const buckets = [obOf(rookClaim), obOf(stranger)];
    const logs = { ...rookClaim, name: "logs" };
    const claims = [rookClaim, albums, logs].map(obcOf);
    const expected = [
      "left out: ObjectBucketClaim shop/albums has the ObjectBucket obc-shop-albums, whose spec.claimRef does not have the UID of this claim",
      "left out: ObjectBucketClaim shop/logs has no ObjectBucket: obc-shop-logs is not there",
      "",
    ].join("\n");
    const apart = await imported(claims, "--object-buckets", file("ob.json", listOf(buckets)));
    assert.deepEqual([apart.code, apart.err], [1, expected]);
    fs.rmSync(out, { recursive: true });
    const together = await imported([...buckets, ...claims]);
    assert.deepEqual([together.code, together.err], [1, expected]);
    fs.rmSync(out, { recursive: true });
    const none = await imported(claims, "--object-buckets", file("none.json", listOf([])));
    assert.equal(none.err.match(/is not there/g)?.length, 3);
  });

  it("warns of classes that are gone, and of classes that one driver does not serve", async () => {
    const other: RookClaim = { ...albums, storageClassName: "archive" };
    const gone: RookClaim = { ...albums, name: "old", storageClassName: "gone" };
    const classes = listOf([storageClass("rook-ceph-bucket", "my-store"), storageClass("archive", "cold")]);
    const args = ["--storage-classes", file("sc.json", classes)];
    const { code, err } = await imported([rookClaim, other, gone].map(obcOf), ...args);
    assert.equal(code, 0);
    assert.match(err, /^warning: StorageClass gone is not there; its claims are taken all the same$/m);
    assert.match(err, /^warning: the StorageClasses archive, and rook-ceph-bucket are of 2 object stores/m);
    fs.rmSync(out, { recursive: true });
    const one = await imported([rookClaim, other].map(obcOf), ...args, "--class", "archive");
    assert.deepEqual([one.code, one.err], [0, ""]);
    assert.deepEqual(
      written().claims.map(({ name }) => name),
      ["albums"],
    );
  });

  it("warns of a class that its operator makes whenever it is absent, and of no other one", async () => {
    const provisioned = (name: string, provisioner: string): KubernetesObject => ({
      ...storageClass(name, "my-store"),
      provisioner,
    });
    const nooBaa = "openshift-storage.noobaa.io/obc";
    for (const [name, provisioner, isMadeAgain] of [
      ["openshift-storage.noobaa.io", nooBaa, true],
      ["own-of-noobaa", nooBaa, false],
      ["ocs-storagecluster-ceph-rgw", "openshift-storage.ceph.rook.io/bucket", true],
      ["rook-ceph-bucket", "rook-ceph.ceph.rook.io/bucket", false],
    ] as const) {
      fs.rmSync(out, { recursive: true, force: true });
      const claim = obcOf({ ...rookClaim, storageClassName: name });
      const { code, err } = await imported([claim, provisioned(name, provisioner)]);
      assert.equal(code, 0);
      const expected = new RegExp(
        `^warning: StorageClass ${name} is made again by its operator .*own first`,
        "m",
      );
      assert.equal(expected.test(err), isMadeAgain, `${name}: ${err}`);
    }
  });

  it("shows nothing of a Secret that was listed with the claims, nor of a text that it cannot read", async () => {
    const { code, out: said, err } = await imported([secretOf(rookClaim), obcOf(rookClaim)]);
    assert.equal(code, 0);
    const texts = fs.readdirSync(out).map((name) => fs.readFileSync(path.join(out, name), "utf8"));
    const secret = Buffer.from(rookClaim.secretAccessKey).toString("base64");
    for (const text of [said, err, ...texts]) {
      assert.ok(!text.includes(secret) && !text.includes(rookClaim.secretAccessKey), text);
    }
    const wrong = await run(
      ["--endpoint", endpoint, "--out", path.join(folder, "other")],
      rookClaim.secretAccessKey,
    );
    assert.deepEqual([wrong.code, wrong.out], [3, ""]);
    assert.match(wrong.err, /the input is no list of objects as kubectl get -o json writes it/);
    assert.ok(!wrong.err.includes(rookClaim.secretAccessKey.slice(0, 5)));
  });

  it("reads a file, and a single claim", async () => {
    const claim = file("claim.json", JSON.stringify(obcOf(rookClaim)));
    const { code } = await run([claim, "--endpoint", endpoint, "--out", out]);
    assert.equal(code, 0);
    assert.equal(written().claims.length, 1);
  });

  it("gives the driver its name, and TLS where it is on the network", async () => {
    await imported([obcOf(rookClaim)], "--driver-name", "ceph.example.com");
    assert.deepEqual(written().driver, { endpoint, driverName: "ceph.example.com" });
    fs.rmSync(out, { recursive: true });
    const network = "dns:///cosi.example.com:8443";
    await run(["--endpoint", network, "--out", out], listOf([obcOf(rookClaim)]));
    assert.deepEqual(written().driver, { endpoint: network, tls: {} });
  });

  const wrong: readonly [string, readonly string[], string | undefined, number, RegExp][] = [
    ["no driver", ["--out", "x"], "{}", 2, /no driver is given.*--endpoint unix:/],
    ["no folder", ["--endpoint", endpoint], "{}", 2, /no folder is given.*--out/],
    [
      "an endpoint of another form",
      ["--endpoint", "tcp://127.0.0.1:1", "--out", "x"],
      "{}",
      2,
      /is not a UNIX domain socket/,
    ],
    [
      "two files",
      ["a.json", "b.json", "--endpoint", endpoint, "--out", "x"],
      "{}",
      2,
      /"b\.json" is a second/,
    ],
    ["an unknown option", ["--nope"], "{}", 2, /--nope/],
    [
      "no input",
      ["--endpoint", endpoint, "--out", "x"],
      undefined,
      2,
      /no claims are given.*kubectl get obc/,
    ],
    ["no such file", ["/no/such.json", "--endpoint", endpoint, "--out", "x"], undefined, 3, /cannot be read/],
    [
      "no claim",
      ["--endpoint", endpoint, "--out", "x"],
      '{"items":[]}',
      3,
      /the input has no ObjectBucketClaim, so/,
    ],
  ];
  for (const [what, args, input, code, text] of wrong) {
    it(`refuses ${what}`, async () => {
      const result = await run(args, input);
      assert.deepEqual([result.code, result.out], [code, ""]);
      assert.match(result.err, text);
    });
  }

  it("says where it cannot write", async () => {
    const { code, err } = await run(
      ["--endpoint", endpoint, "--out", path.join(file("plain", ""), "below")],
      listOf([obcOf(rookClaim)]),
    );
    assert.equal(code, 3);
    assert.match(err, /the program cannot be written to .*below: ENOTDIR/);
  });

  it("explains itself", async () => {
    const { code, out: said } = await run(["--help"]);
    assert.equal(code, 0);
    for (const option of ["--endpoint", "--out", "--class", "--object-buckets", "--storage-classes"]) {
      assert.ok(said.includes(option), option);
    }
  });
});
