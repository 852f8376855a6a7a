import assert from "node:assert/strict";
import filesystem, * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { mock } from "node:test";
import { runCommandLine } from "../../cli/commands";
import type { ImportedClaim } from "../../cli/import-claims/claims";
import { programText, writeProject } from "../../cli/import-claims/project";
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
    mock.restoreAll();
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

  /** All that a folder has, by name; a folder in it as `undefined`. */
  const contents = (where: string): Record<string, string | undefined> =>
    Object.fromEntries(
      fs.readdirSync(where, { withFileTypes: true }).map((entry) => {
        const text = entry.isFile() ? fs.readFileSync(path.join(where, entry.name), "utf8") : undefined;
        return [entry.name, text];
      }),
    );
  const inOut = (name: string, text: string): void => {
    fs.mkdirSync(out, { recursive: true });
    fs.writeFileSync(path.join(out, name), text);
  };

  it("goes on with files of its own that are there, whatever their line ends, and writes none of them", async () => {
    await imported([obcOf(rookClaim)]);
    const before = contents(out);
    for (const name of ["claims.json", "package.json"]) fs.rmSync(path.join(out, name));
    const windows = programText.replaceAll("\n", "\r\n");
    inOut("index.ts", windows);
    const { code, out: said } = await imported([obcOf(rookClaim)]);
    assert.equal(code, 0);
    assert.match(said, /written: claims\.json, package\.json$/m);
    assert.deepEqual(contents(out), { ...before, "index.ts": windows });
  });

  it("takes a folder whose files decide nothing of what Pulumi runs", async () => {
    fs.mkdirSync(path.join(out, "node_modules", "ts-node"), { recursive: true });
    fs.mkdirSync(path.join(out, ".git"));
    const others = ["package-lock.json", ".gitignore", "README.md", "Pulumi.prod.yaml", "myindex.js"];
    for (const name of others) inOut(name, "as it was\n");
    assert.equal((await imported([obcOf(rookClaim)])).code, 0);
    const after = contents(out);
    assert.deepEqual(
      others.map((name) => after[name]),
      others.map(() => "as it was\n"),
    );
  });

  it("never writes over a list of claims", async () => {
    await imported([obcOf(rookClaim)]);
    const before = contents(out);
    const again = await imported([obcOf(albums)]);
    assert.deepEqual([again.code, again.out], [3, ""]);
    assert.match(
      again.err,
      /claims\.json already exists, and a stack may have its claims: give another folder/,
    );
    assert.deepEqual(contents(out), before);
  });

  const nodejs = "name: shop\nruntime: nodejs\n";
  const others: readonly [string, Record<string, string>][] = [
    ["program", { "index.ts": "// mine\n" }],
    ["program in JavaScript", { "index.js": "" }],
    ["program that is a module", { "index.mjs": "" }],
    ["project", { "Pulumi.yaml": nodejs }],
    [
      "project that speaks of nodejs in a comment",
      { "Pulumi.yaml": "name: a\n# runtime: nodejs\nruntime: go\n" },
    ],
    ["project by another ending", { "Pulumi.yml": nodejs }],
    ["project in JSON", { "Pulumi.json": '{"name":"shop","runtime":"nodejs"}' }],
    ["project in small letters", { "pulumi.yaml": nodejs }],
    ["package of npm init", { "package.json": '{"name":"shop","main":"index.js"}' }],
    ["package with exports", { "package.json": '{"exports":"./a.js","dependencies":{"pulumi-cosi":"1"}}' }],
    ["set of compiler options", { "tsconfig.json": "{}" }],
    ["package and program", { "index.cjs": "", "package.json": "{}" }],
  ];
  for (const [what, files] of others) {
    const names = Object.keys(files).join(" and ");
    it(`writes nothing into a folder with another ${what}, and names ${names}`, async () => {
      for (const [name, text] of Object.entries({ ...files, "README.md": "" })) inOut(name, text);
      const { code, out: said, err } = await imported([obcOf(rookClaim)]);
      assert.deepEqual([code, said], [3, ""]);
      assert.ok(err.includes(`${out} has ${names} beside or instead of what this command writes`), err);
      assert.match(err, /: give another folder with --out, then copy over by hand [^.]*\n$/);
      assert.deepEqual(contents(out), { ...files, "README.md": "" });
    });
  }

  it("writes no list into a project that was written for other claims, whose stack may have them", async () => {
    await imported([obcOf(rookClaim)]);
    fs.rmSync(path.join(out, "claims.json"));
    const before = contents(out);
    const { code, err } = await imported([obcOf(albums)]);
    assert.equal(code, 3);
    assert.ok(err.includes(`${out} has Pulumi.yaml and package.json beside`), err);
    assert.deepEqual(contents(out), before);
  });

  it("takes no link and no folder for a file of its own", async () => {
    const equal = file("equal.ts", programText);
    for (const put of [
      () => {
        fs.symlinkSync(equal, path.join(out, "index.ts"));
      },
      () => {
        fs.symlinkSync(path.join(folder, "nowhere"), path.join(out, "index.ts"));
      },
      () => {
        fs.mkdirSync(path.join(out, "index.ts"));
      },
    ]) {
      fs.rmSync(out, { recursive: true, force: true });
      fs.mkdirSync(out);
      put();
      const { code, err } = await imported([obcOf(rookClaim)]);
      assert.equal(code, 3);
      assert.ok(err.includes(`${out} has index.ts beside`), err);
      assert.deepEqual(contents(out), { "index.ts": undefined });
    }
    assert.equal(fs.existsSync(path.join(folder, "nowhere")), false);
  });

  /** Has something happen where a file is about to be written: the folder was looked at before. */
  function beforeWriting(name: string, happen: (part: string) => void): void {
    const { writeFileSync } = filesystem;
    const mocked = mock.method(filesystem, "writeFileSync", (...args: Parameters<typeof writeFileSync>) => {
      const [part] = args;
      if (typeof part === "string" && path.basename(part).includes(name)) {
        mocked.mock.restore();
        happen(part);
      }
      writeFileSync(...args);
    });
  }

  it("goes on beside what a run has left that was killed while it wrote", async () => {
    const left: string[] = [];
    for (const name of ["index.ts", "Pulumi.yaml", "claims.json"]) {
      beforeWriting(name, (part) => left.push(path.basename(part)));
      await imported([obcOf(rookClaim)]);
      fs.rmSync(out, { recursive: true });
    }
    assert.equal(new Set(left).size, 3);
    for (const name of left) inOut(name, "a part");
    assert.equal((await imported([obcOf(rookClaim)])).code, 0);
  });

  it("has one of two runs into one folder fail, and the program wholly the other one's", async () => {
    await imported([obcOf(albums)]);
    const others = written().claims as unknown as readonly ImportedClaim[];
    const before = contents(out);
    fs.rmSync(out, { recursive: true });
    beforeWriting("index.ts", () => writeProject(out, { endpoint }, others));
    const { code, out: said, err } = await imported([obcOf(rookClaim)]);
    assert.deepEqual([code, said], [3, ""]);
    assert.match(err, /index\.ts was not there a moment ago .*Next: give each run its own folder\n$/);
    assert.deepEqual(contents(out), before);
  });

  for (const name of ["index.ts", "Pulumi.yaml", "package.json", "tsconfig.json", "claims.json"]) {
    it(`leaves ${name} as it is where it came after the look`, async () => {
      const where = path.join(out, name);
      beforeWriting(name, () => {
        fs.writeFileSync(where, "theirs");
      });
      const { code, out: said, err } = await imported([obcOf(rookClaim)]);
      assert.deepEqual([code, said], [3, ""]);
      assert.ok(err.includes(`${where} was not there a moment ago and is now`), err);
      const { [name]: after, ...rest } = contents(out);
      assert.equal(after, "theirs");
      assert.ok(!("claims.json" in rest));
    });
  }

  it("neither follows nor replaces a link that came after the look", async () => {
    const [nowhere, link] = [path.join(folder, "nowhere"), path.join(out, "claims.json")];
    beforeWriting("claims.json", () => {
      fs.symlinkSync(nowhere, link);
    });
    assert.equal((await imported([obcOf(rookClaim)])).code, 3);
    assert.deepEqual([fs.readlinkSync(link), fs.existsSync(nowhere)], [nowhere, false]);
  });

  it("leaves no part of a file where the disk is full, and writes the list last, so that it can be run again", async () => {
    await imported([obcOf(rookClaim)]);
    const before = contents(out);
    for (const name of ["index.ts", "tsconfig.json", "claims.json"]) {
      fs.rmSync(out, { recursive: true });
      beforeWriting(name, (part) => {
        fs.writeFileSync(part, "a part");
        throw new Error("ENOSPC: no space left on device");
      });
      const full = await imported([obcOf(rookClaim)]);
      assert.equal(full.code, 3);
      assert.match(full.err, /the program cannot be written to .*program: ENOSPC: no space/);
      const whole = Object.entries(before).filter(([known]) => known in contents(out));
      assert.deepEqual(contents(out), Object.fromEntries(whole));
      assert.ok(!("claims.json" in contents(out)));
      assert.equal((await imported([obcOf(rookClaim)])).code, 0);
      assert.deepEqual(contents(out), before);
    }
  });

  it("takes a claim once that is listed more than once, and refuses two of one name that are not alike", async () => {
    const all = listOf([obcOf(rookClaim), obOf(rookClaim), storageClass("rook-ceph-bucket", "my-store")]);
    const list = file("all.json", all);
    const { code, out: said } = await run([
      ...[list, "--object-buckets", list, "--storage-classes", list],
      ...["--endpoint", endpoint, "--out", out],
    ]);
    assert.equal(code, 0);
    assert.match(said, /^1 claim in /);
    assert.deepEqual(
      written().claims.map(({ resource }) => resource),
      ["shop-photos"],
    );
    fs.rmSync(out, { recursive: true });
    const twice = await imported([obcOf(rookClaim), obcOf({ ...rookClaim, bucketName: "another" })]);
    assert.deepEqual([twice.code, twice.out], [3, ""]);
    assert.match(twice.err, /ObjectBucketClaim shop\/photos is listed twice, with different content/);
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
      /already belongs to the stack organization\/shop\/dev/,
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

  const goingSince = "2026-01-01T00:00:00Z";
  const unfitBuckets: readonly [string, Record<string, object>, RegExp][] = [
    [
      "is being deleted",
      { metadata: { deletionTimestamp: goingSince } },
      /which is being deleted since 2026-01-01/,
    ],
    ["is released", { status: { phase: "Released" } }, /which has the phase "Released", and not Bound$/],
    [
      "is of another bucket",
      { spec: { endpoint: { bucketName: "another" } } },
      /which is of the bucket "another", and the claim of "photos-3b1c/,
    ],
  ];
  for (const [what, changes, text] of unfitBuckets) {
    it(`leaves out a claim whose ObjectBucket ${what}`, async () => {
      const { code, err } = await imported([obcOf(rookClaim), changed(obOf(rookClaim), changes)]);
      assert.equal(code, 1);
      assert.match(err.trimEnd(), text);
      assert.match(
        err,
        /^left out: ObjectBucketClaim shop\/photos has the ObjectBucket obc-shop-photos, which/,
      );
    });
  }

  it("says what it was not given to look at", async () => {
    const { out: claimsAlone } = await imported([obcOf(rookClaim)]);
    assert.match(claimsAlone, /^Not looked at, as not listed .*: ObjectBuckets, StorageClasses\.$/m);
    fs.rmSync(out, { recursive: true });
    const all = [obcOf(rookClaim), obOf(rookClaim), storageClass("rook-ceph-bucket", "my-store")];
    assert.doesNotMatch((await imported(all)).out, /Not looked at/);
  });

  it("warns of a class that no bucket can be made by, and takes its claims", async () => {
    const strange = { ...storageClass("rook-ceph-bucket", "my-store"), reclaimPolicy: "Recycle" };
    const { code, err } = await imported([obcOf(rookClaim), strange]);
    assert.equal(code, 0);
    assert.match(err, /^warning: StorageClass .*rook-ceph-bucket.* has reclaimPolicy "Recycle"/);
  });

  const whole = listOf([obcOf(rookClaim)]);
  const unreadable: readonly [string, string, RegExp][] = [
    ["nothing", " \n", /the input is empty: kubectl has written nothing.*Next: run kubectl get/],
    [
      "UTF-16",
      Buffer.from(`\ufeff${whole}`, "utf16le").toString("utf8"),
      /the input is in UTF-16, as > of Windows PowerShell writes it\. Next: .*Out-File -Encoding utf8/,
    ],
    [
      "a list that is cut off",
      whole.slice(0, 200),
      /the input is not JSON: it is cut off after 200 characters\. Next/,
    ],
    [
      "two lists in a row",
      `${whole}\n${whole}`,
      /not JSON: more follows after its end, at character \d+\. Next/,
    ],
    ["YAML", "apiVersion: v1\nkind: List\n", /the input is not JSON.*Next: write it again with kubectl get/],
    [
      "another JSON",
      '{"a":1}',
      /the input is JSON, but not a list of objects as kubectl get -o json writes it\. Next/,
    ],
  ];
  for (const [what, input, text] of unreadable) {
    it(`says what to do with ${what}`, async () => {
      const { code, out: said, err } = await run(["--endpoint", endpoint, "--out", out], input);
      assert.deepEqual([code, said], [3, ""]);
      assert.match(err, text);
      assert.ok(!err.includes("apiVersion"), err);
    });
  }

  it("reads a file that begins with a byte order mark", async () => {
    const { code } = await run([file("bom.json", `\ufeff${whole}`), "--endpoint", endpoint, "--out", out]);
    assert.equal(code, 0);
  });

  it("warns of classes that are gone, and of classes that one driver does not serve", async () => {
    const other: RookClaim = { ...albums, storageClassName: "archive" };
    const gone: RookClaim = { ...albums, name: "old", storageClassName: "gone" };
    const classes = listOf([storageClass("rook-ceph-bucket", "my-store"), storageClass("archive", "cold")]);
    const args = ["--storage-classes", file("sc.json", classes)];
    const { code, err } = await imported([rookClaim, other, gone].map(obcOf), ...args);
    assert.equal(code, 0);
    assert.match(err, /^warning: StorageClass gone is not in the list; its claims are taken anyway$/m);
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
    assert.match(wrong.err, /the input is not JSON/);
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
