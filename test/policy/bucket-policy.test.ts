import assert from "node:assert/strict";
import { anonymousRightsOf } from "../../policy/resources/bucket-policy";

const rightsBy = (condition: object): readonly string[] =>
  anonymousRightsOf(
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
    assert.deepEqual(anonymousRightsOf(JSON.stringify({ Statement: [named, statement] })), ["read"]);
  });
});
