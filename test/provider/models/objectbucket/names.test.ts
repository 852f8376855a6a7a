import assert from "node:assert/strict";
import * as fc from "fast-check";
import { objectNameProblem } from "../../../../provider/kubernetes/names";
import {
  accountNameOf,
  bucketNameProblem,
  bucketPrefixProblem,
  generatedBucketName,
  namedBucketName,
  objectBucketNameOf,
  provisionerLabelValue,
} from "../../../../provider/models/objectbucket/names";

const uid = "0b7e9a3c-1111-4000-8000-00000000000f";
const long = "a".repeat(240);

/** Two claims whose namespace and name make one text. */
const alike = [
  { namespace: "a-b", name: "c" },
  { namespace: "a", name: "b-c" },
] as const;

const part = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/);
const claims = fc.record({
  namespace: part,
  name: fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(".")),
});

describe("the name of a claim's bucket", () => {
  it("is its prefix, cut to 26 characters, and the claim's UID [OBC-052]", () => {
    assert.equal(generatedBucketName("photos", uid), `photos-${uid}`);
    assert.equal(
      generatedBucketName("abcdefghijklmnopqrstuvwxyz0123", uid),
      `abcdefghijklmnopqrstuvwxyz-${uid}`,
    );
    const form = /^.{1,26}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    const prefixes = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?$/);
    fc.assert(
      fc.property(
        prefixes.filter((prefix) => bucketPrefixProblem(prefix) === undefined),
        (prefix) => {
          const name = generatedBucketName(prefix, uid);
          assert.match(name, form);
          assert.ok(name.endsWith(`-${uid}`));
          assert.equal(bucketNameProblem(name), undefined);
        },
      ),
    );
  });

  it("has no dash or dot before the UID where its prefix was cut there [OBC-053]", () => {
    for (const end of ["-", ".", "--", "-."]) {
      const prefix = `${"a".repeat(26 - end.length)}${end}z`;
      assert.equal(generatedBucketName(prefix, uid), `${"a".repeat(26 - end.length)}-${uid}`, end);
    }
  });

  it("is made of namespace and name with a hash of both, so that no two claims have one [OBC-054]", () => {
    const [first, second] = alike.map(namedBucketName);
    // printf 'a-b/c' | sha256sum
    assert.equal(first, "a-b-c-4e84717d");
    assert.notEqual(first, second);
    assert.equal(namedBucketName({ namespace: "a-b", name: "c" }), first);
    const [one, other] = [`${long}1`, `${long}2`].map((name) => namedBucketName({ namespace: "shop", name }));
    assert.match(one ?? "", /^shop-a{49}-[0-9a-f]{8}$/);
    assert.notEqual(one, other);
    fc.assert(
      fc.property(claims, (claim) => {
        assert.equal(bucketNameProblem(namedBucketName(claim)), undefined);
      }),
    );
  });

  const reasons: [string, RegExp][] = [
    ["My_Bucket", /is "My_Bucket": give lower-case letters, digits, "\." and "-" only/],
    ["a".repeat(64), /give \d to 63 characters; these are 64/],
    ["a..b", /is "a\.\.b": give no two dots in a row/],
    ["1.2.3.4", /is "1\.2\.3\.4": give a name that is no IPv4 address/],
    ["-photos", /is "-photos": give a letter or digit at both ends/],
    ["photos.", /is "photos\.": give a letter or digit at both ends/],
    ["photos\n", /is "photos\\n": give lower-case letters/],
    ["", /is "": give \d to 63 characters; these are 0/],
  ];
  for (const [text, reason] of reasons) {
    it(`is not ${JSON.stringify(text)}, and no prefix is [OBC-053]`, () => {
      assert.match(bucketNameProblem(text) ?? "", reason);
      assert.match(bucketPrefixProblem(text) ?? "", reason);
    });
  }

  it("has 3 characters at least, and a prefix 1 [OBC-053]", () => {
    assert.match(bucketNameProblem("ab") ?? "", /is "ab": give 3 to 63 characters; these are 2/);
    for (const name of ["abc", "a".repeat(63), "1.2.3", "a-.b", "0a0"]) {
      assert.equal(bucketNameProblem(name), undefined, name);
    }
    for (const prefix of ["a", "a".repeat(63)]) assert.equal(bucketPrefixProblem(prefix), undefined, prefix);
  });
});

describe("the name of a claim's ObjectBucket", () => {
  it("is that of the tools of today, or has a hash behind it [OBC-055]", () => {
    assert.equal(objectBucketNameOf({ namespace: "shop", name: "photos" }), "obc-shop-photos");
    const plain = alike.map((claim) => objectBucketNameOf(claim));
    assert.deepEqual(plain, ["obc-a-b-c", "obc-a-b-c"]);
    const [first, second] = alike.map((claim) => objectBucketNameOf(claim, "hashed"));
    assert.equal(first, "obc-a-b-c-4e84717d");
    assert.match(second ?? "", /^obc-a-b-c-[0-9a-f]{8}$/);
    assert.notEqual(first, second);
  });

  it("is cut to 253 characters, with a hash at its end [OBC-056]", () => {
    const namespace = "n".repeat(63);
    const names = ["1", "2"].map((end) => objectBucketNameOf({ namespace, name: `${long}${end}` }));
    for (const name of names) {
      assert.match(name, /^obc-n{63}-a+-[0-9a-f]{8}$/);
      assert.equal(name.length, 253);
      assert.equal(objectNameProblem(name), undefined);
    }
    assert.notEqual(names[0], names[1]);
    // The last name that fits stays as it is.
    const fitting = { namespace, name: "a".repeat(253 - 4 - 63 - 1) };
    assert.equal(objectBucketNameOf(fitting), `obc-${namespace}-${fitting.name}`);
    // A cut at the end of a part of the name.
    const dotted = { namespace, name: `${"a".repeat(175)}.${"b".repeat(60)}` };
    assert.equal(objectNameProblem(objectBucketNameOf(dotted)), undefined);
    assert.match(objectBucketNameOf(dotted), /a-[0-9a-f]{8}$/);
  });
});

describe("the name of a claim's account", () => {
  it("holds namespace, name and UID, for a short name and a long one [OBC-057]", () => {
    assert.equal(accountNameOf({ namespace: "shop", name: "photos", uid }), `obc-shop-photos-${uid}`);
    assert.equal(accountNameOf({ namespace: "shop", name: "my.photos", uid }), `obc-shop-my-photos-${uid}`);
    assert.equal(accountNameOf({ namespace: "shop", name: long, uid }), `obc-shop-${"a".repeat(17)}-${uid}`);
    fc.assert(
      fc.property(claims, (claim) => {
        const name = accountNameOf({ ...claim, uid });
        assert.match(name, /^obc-[a-z0-9-]+$/);
        assert.ok(name.length <= 63);
      }),
    );
  });
});

describe("the label with a claim's provisioner", () => {
  it("has dashes for slashes, 63 characters at most, and a letter or digit at its ends [OBC-058]", () => {
    assert.equal(provisionerLabelValue("cosi.objectbucket.io/store"), "cosi.objectbucket.io-store");
    assert.equal(provisionerLabelValue("rook-ceph.ceph.rook.io/bucket"), "rook-ceph.ceph.rook.io-bucket");
    assert.equal(provisionerLabelValue(`${"a".repeat(62)}/b`), "a".repeat(62));
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9.-]{1,100}\/[A-Za-z0-9_.-]{1,63}$/), (provisioner) => {
        const value = provisionerLabelValue(provisioner);
        assert.match(value, /^([A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?)?$/);
        assert.ok(value.length <= 63);
      }),
    );
  });
});
