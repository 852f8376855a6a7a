import assert from "node:assert/strict";
import { isWiderPolicy } from "../../policy/resources/wider-policy";

const allowed = {
  Effect: "Allow",
  Principal: { AWS: ["1", "2"] },
  Action: ["s3:GetObject", "s3:PutObject"],
  Resource: "arn:aws:s3:::photos/public/*",
};
const denied = {
  Effect: "Deny",
  Principal: "*",
  Action: "s3:DeleteObject",
  Resource: "arn:aws:s3:::photos/*",
};
const secure = { Bool: { "aws:SecureTransport": "true" } };
const policy = (...statements: readonly object[]): string => JSON.stringify({ Statement: statements });
const before = policy({ ...allowed, Condition: secure }, denied);
const allows = (changes: object): string => policy({ ...allowed, Condition: secure, ...changes }, denied);

const wider: Readonly<Record<string, string>> = {
  "another principal": allows({ Principal: { AWS: "3" } }),
  everybody: allows({ Principal: "*" }),
  "a principal of another kind": allows({ Principal: { CanonicalUser: "1" } }),
  "another action": allows({ Action: "s3:DeleteObject" }),
  "every action": allows({ Action: "s3:*" }),
  "no action that it names": allows({ Action: [] }),
  "more of the objects": allows({ Resource: "arn:aws:s3:::photos/*" }),
  "objects below a name in other letters": allows({ Resource: "arn:aws:s3:::photos/Public/*" }),
  "no condition": allows({ Condition: undefined }),
  "another condition": allows({ Condition: { Bool: { "aws:SecureTransport": "false" } } }),
  "all but some": policy({ ...allowed, Principal: undefined, NotPrincipal: { AWS: "1" } }, denied),
  "another statement": policy({ ...allowed, Condition: secure }, { ...allowed, Principal: "*" }, denied),
  "what it denied": policy({ ...allowed, Condition: secure }),
  "what it denied, but under a condition": policy(
    { ...allowed, Condition: secure },
    { ...denied, Condition: secure },
  ),
  "what it denied, as there is no policy": "",
  "what nobody can read": `${before} `.replace('"Deny"', '"Deny","effect":"Deny"'),
};

const narrower: Readonly<Record<string, string>> = {
  "the same in other words": JSON.stringify(JSON.parse(before), undefined, 2),
  "one principal of two": allows({ Principal: { AWS: "1" } }),
  "one action of two": allows({ Action: "S3:getobject" }),
  "less of the objects": allows({ Resource: "arn:aws:s3:::photos/public/2026/*" }),
  "nothing, and denies more": policy({ ...denied, Action: "s3:*" }),
};

describe("a bucket policy in the place of another one", () => {
  for (const [title, after] of Object.entries(wider)) {
    it(`may allow more where it allows ${title}`, () => {
      assert.equal(isWiderPolicy(before, after), true);
    });
  }
  for (const [title, after] of Object.entries(narrower)) {
    it(`allows no more where it allows ${title}`, () => {
      assert.equal(isWiderPolicy(before, after), false);
    });
  }

  it("may allow more than none, and than one that nobody can read", () => {
    assert.equal(isWiderPolicy("", before), true);
    assert.equal(isWiderPolicy("", policy(denied)), false);
    assert.equal(isWiderPolicy("{", policy(denied)), true);
    assert.equal(isWiderPolicy("{", "{"), false, "it is the same");
  });

  it("takes a variable for itself", () => {
    const own = allows({ Resource: "arn:aws:s3:::photos/${aws:username}/*" });
    assert.equal(isWiderPolicy(own, own.replace("[", "[ ")), false);
    assert.equal(isWiderPolicy(own, allows({ Resource: "arn:aws:s3:::photos/${aws:username}/a/*" })), true);
  });
});
