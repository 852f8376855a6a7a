import assert from "node:assert/strict";
import { readBucketPolicy } from "../../policy/resources/bucket-policy";

const rightsIn = (text: string): readonly string[] => readBucketPolicy(text).rights;

const rightsBy = (condition: object): readonly string[] =>
  rightsIn(
    JSON.stringify({
      Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:PutObject", Condition: condition }],
    }),
  );

const fixed: Readonly<Record<string, object>> = {
  "an organisation": { StringEquals: { "aws:PrincipalOrgID": "o-1" } },
  "one of several organisations": { StringEquals: { "aws:PrincipalOrgID": ["o-1", "o-2"] } },
  "a path of an organisation": {
    "ForAnyValue:StringEquals": { "aws:PrincipalOrgPaths": "o-1/r-ab12/ou-ab12/" },
  },
  "an account": { StringEquals: { "aws:PrincipalAccount": "123456789012" } },
  "a role": { ArnEquals: { "aws:PrincipalArn": "arn:aws:iam::123456789012:role/shop" } },
  "a role by a pattern that has no wildcard": {
    ArnLike: { "aws:PrincipalArn": "arn:aws:iam::123456789012:role/shop" },
  },
  "a user": { StringLike: { "aws:userid": "AIDAEXAMPLE" } },
  "a key in other letters": { StringEqualsIgnoreCase: { "AWS:principalorgid": "O-1" } },
  "a caller and an address": {
    IpAddress: { "aws:SourceIp": "10.0.0.0/8" },
    StringEquals: { "aws:PrincipalOrgID": "o-1" },
  },
  "a caller, beside a key of the same operator": {
    StringEquals: { "s3:x-amz-acl": "private", "aws:PrincipalOrgID": "o-1" },
  },
};

const open: Readonly<Record<string, object>> = {
  "an address": { IpAddress: { "aws:SourceIp": "10.0.0.0/8" } },
  "a network": { StringEquals: { "aws:SourceVpc": "vpc-1" } },
  "a wildcard": { StringLike: { "aws:PrincipalArn": "arn:aws:iam::123456789012:role/*" } },
  "a wildcard beside a name": { StringLike: { "aws:PrincipalOrgID": ["o-1", "o-?"] } },
  "a variable of the policy": { StringEquals: { "aws:PrincipalAccount": "${aws:ResourceAccount}" } },
  "the account of callers without credentials": { StringEquals: { "aws:PrincipalAccount": "anonymous" } },
  "the id of callers without credentials": { StringEquals: { "aws:userid": ["AIDAEXAMPLE", "anonymous"] } },
  "an organisation, if there is one": { StringEqualsIfExists: { "aws:PrincipalOrgID": "o-1" } },
  "all organisations, of which there may be none": {
    "ForAllValues:StringEquals": { "aws:PrincipalOrgID": "o-1" },
  },
  "everybody but an organisation": { StringNotEquals: { "aws:PrincipalOrgID": "o-1" } },
  "a tag, which everybody may have": { StringEquals: { "aws:PrincipalTag/team": "shop" } },
  "no value": { StringEquals: { "aws:PrincipalOrgID": [] } },
  "a value that is no text": { StringEquals: { "aws:PrincipalOrgID": null } },
};

describe("a bucket policy for everybody under a condition", () => {
  for (const [title, condition] of Object.entries(fixed)) {
    it(`gives nothing to callers without credentials where it names ${title}`, () => {
      assert.deepEqual(rightsBy(condition), []);
    });
  }
  for (const [title, condition] of Object.entries(open)) {
    it(`is for callers without credentials where it names ${title}`, () => {
      assert.deepEqual(rightsBy(condition), ["write"]);
    });
  }

  it("is for callers without credentials where the condition of another statement names somebody", () => {
    const statement = { Effect: "Allow", Principal: "*", Action: "s3:GetObject" };
    const named = { ...statement, Condition: { StringEquals: { "aws:PrincipalOrgID": "o-1" } } };
    assert.deepEqual(rightsIn(JSON.stringify({ Statement: [named, statement] })), ["read"]);
  });
});

const somebody = { AWS: "arn:aws:iam::123456789012:user/shop" };

const named: Readonly<Record<string, unknown>> = {
  "a user": somebody,
  "an account": { AWS: "123456789012" },
  "several of them": { AWS: ["123456789012", "arn:aws:iam::210987654321:root"] },
  "several kinds": { ...somebody, Service: "logging.s3.amazonaws.com" },
  "a kind in other letters": { aws: "123456789012" },
  "an identity of CloudFront": {
    CanonicalUser: "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be",
  },
  "a name alone, as some stores take it": "arn:aws:iam::123456789012:user/shop",
};

const forAnybody: Readonly<Record<string, unknown>> = {
  everybody: "*",
  "a list with everybody": ["*"],
  "everybody in AWS": { AWS: "*" },
  "everybody beside somebody": { AWS: ["123456789012", "*"] },
  "everybody of another kind beside somebody": { ...somebody, Federated: "*" },
  "two stars": { AWS: "**" },
  "the beginning of names": { AWS: "arn:*" },
  "all users of all accounts": { AWS: "arn:aws:iam::*:*" },
  "a name with a letter left open": { AWS: "arn:aws:iam::123456789012:user/sho?" },
  "a variable of the policy": { AWS: "arn:aws:iam::123456789012:user/${aws:username}" },
  "every canonical user": { CanonicalUser: "*" },
  "everybody of another login": { Federated: "*" },
  "the user of callers without credentials": { AWS: "arn:aws:iam::123456789012:user/anonymous" },
  "a kind that there is not": { "*": "123456789012" },
  "no name": { AWS: [] },
  "no kind": {},
  "no principal": undefined,
  "no text": { AWS: 123456789012 },
};

describe("a bucket policy", () => {
  const statement = { Effect: "Allow", Principal: "*", Action: "s3:PutObject" };
  const rightsOf = (changes: object): readonly string[] =>
    rightsIn(JSON.stringify({ Statement: [{ ...statement, ...changes }] }));

  for (const [title, principal] of Object.entries(named)) {
    it(`gives nothing to callers without credentials where its principal is ${title}`, () => {
      assert.deepEqual(rightsOf({ Principal: principal }), []);
    });
  }
  for (const [title, principal] of Object.entries(forAnybody)) {
    it(`is for callers without credentials where its principal is ${title}`, () => {
      assert.deepEqual(rightsOf({ Principal: principal }), ["write"]);
    });
  }

  it("is read whatever the letters of its names", () => {
    const text =
      '{"version":"2012-10-17","statement":{"effect":"Allow","principal":"*","action":"s3:PutObject"}}';
    assert.deepEqual(readBucketPolicy(text), { rights: ["write"], isDoubtful: false });
  });

  it("denies by the one word for it alone", () => {
    assert.deepEqual(rightsOf({ Effect: "Deny" }), []);
    for (const effect of ["deny", "Refuse", undefined])
      assert.deepEqual(rightsOf({ Effect: effect }), ["write"]);
  });

  it("allows every action that its pattern may mean, and all where it names none", () => {
    const actions = { "s3:Get*": ["read"], "S3:ListBucket": ["read"], "s3:Put*": ["write"] };
    for (const [action, rights] of Object.entries(actions))
      assert.deepEqual(rightsOf({ Action: action }), rights);
    for (const action of ["*", "s3:*", "s3:*Object", "s3:?etObject", "s3:G*", [], undefined, 7]) {
      assert.deepEqual(rightsOf({ Action: action }), ["read", "write"], JSON.stringify(action));
    }
  });

  it("counts as one for everybody where it cannot be read for sure", () => {
    const inner = '"Effect":"Allow","Action":"s3:GetObject"';
    const doubtful = [
      "{",
      "[]",
      '"*"',
      `\ufeff{"Statement":[]}`,
      `{"Statement":[{${inner},"Principal":{"AWS":"1"},"principal":"*"}]}`,
      `{"Statement":[{${inner},"Principal":"*","Principal":{"AWS":"1"}}]}`,
      `{"Statement":[{${inner},"Principal":"*","P\\u0072incipal":{"AWS":"1"}}]}`,
      `{"Statement":[{${inner},"Principal":{"AWS":"*","aws":"1"}}]}`,
      `{"Statement":[{${inner},"Principal":{"AWS":"1"}}],"statement":[]}`,
      `{"Statement":[{${inner},"Principal":{"AWS":"1"},"Principals":"*"}]}`,
      `{"Statements":[{${inner},"Principal":{"AWS":"1"}}]}`,
      `{"Statement":[[{${inner},"Principal":{"AWS":"1"}}]]}`,
      '{"Statement":null}',
    ];
    for (const text of doubtful) {
      assert.deepEqual(readBucketPolicy(text), { rights: ["read", "write"], isDoubtful: true }, text);
    }
    const sure = `{"Statement":[{"Sid":"a \\"b\\": c",${inner},"Principal":{"AWS":"1"},"Resource":["arn:aws:s3:::b"]}]}`;
    assert.deepEqual(readBucketPolicy(sure), { rights: [], isDoubtful: false });
  });
});
