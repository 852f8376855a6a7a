import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { Calls } from "../../../drivers/common/calls/calls";
import { cosiV1alpha1 } from "../../../drivers/s3/contracts/cosi-v1alpha1/services";
import { toDriverError } from "../../../drivers/s3/core/store-error";
import { createDriver } from "../../../drivers/s3/core/driver";
import { createLog } from "../../../drivers/common/log";
import { type DriverServer, startServer } from "../../../drivers/common/server/driver-server";
import { DriverClient, refusal } from "./support/driver-client";
import { makeFolders } from "./support/driver-process";
import {
  type Answer,
  type FakeStore,
  iamOk,
  startFakeStore,
  storeError,
  type StoreRequest,
} from "./support/fake-store";
import { fakeStoreConfig } from "./support/fake-store-config";

const LIFECYCLE = JSON.stringify({
  Rules: [{ ID: "old", Status: "Enabled", Filter: {}, Expiration: { Days: 7 } }],
});

/** What an answer replaces, in a store that otherwise does what it is asked. */
type Rules = (request: StoreRequest) => Answer | undefined;

describe("settings of an object bucket claim, at a fake store", () => {
  const folders = makeFolders();
  let store: FakeStore;
  let server: DriverServer;
  let client: DriverClient;

  before(async () => {
    store = await startFakeStore();
    const log = createLog("error", () => undefined);
    const driver = createDriver("s3.test.dev", fakeStoreConfig(store.endpoint), log);
    server = await startServer(
      { path: folders.socket, mode: 0o600, variable: "COSI_ENDPOINT" },
      cosiV1alpha1(driver, new Calls(log, toDriverError)),
    );
    client = new DriverClient(folders.socket);
  });

  after(async () => {
    client.close();
    await server.stop(Promise.resolve());
    await store.stop();
    folders.remove();
  });

  /** A store with one bucket at most, and users without tags and policies, but for what the rules say. */
  function answerWith(rules: Rules = () => undefined, { made = false, tags = "" } = {}): void {
    let isMade = made;
    let tagSet = tags;
    store.answer = (request) => {
      const { method, url, action } = request;
      const answer = rules(request);
      if (answer !== undefined) return answer;
      if (action === "GetUserPolicy") return storeError(404, "NoSuchEntity");
      if (action !== undefined) return iamOk(action);
      if (!isMade && !(method === "PUT" && /^\/photos\/?$/.test(url))) return storeError(404, "NoSuchBucket");
      if (/^\/photos\/?$/.test(url)) isMade = method === "PUT";
      if (method === "PUT" && url.includes("?tagging")) tagSet = ours.tags;
      if (method === "GET" && url.includes("?tagging")) {
        return tagSet === ""
          ? storeError(404, "NoSuchTagSet")
          : ok(`<Tagging><TagSet>${tagSet}</TagSet></Tagging>`);
      }
      return ok(url.includes("?versions") ? "<ListVersionsResult/>" : "<ListMultipartUploadsResult/>");
    };
  }

  /** What the store is asked during a call: actions, and methods with what stands behind the bucket. */
  async function asked(call: () => Promise<unknown>): Promise<string[]> {
    const { length } = store.requests;
    await call();
    return store.requests
      .slice(length)
      .map(({ method, url, action }) => action ?? `${method} ${url.replace(/&.*|^\/photos\/?/g, "")}`);
  }

  const ours = { made: true, tags: tag("cosi-driver", "s3.test.dev") + tag("cosi-parameters", "") };
  const writes = (requests: readonly string[]) => requests.filter((line) => !/^(GET|Get|List)/.test(line));

  for (const key of ["maxObjects", "bucketMaxObjects"]) {
    it(`refuses ${key}, which neither S3 nor IAM has, and asks the store nothing [GRPC-033]`, async () => {
      answerWith();
      const requests = await asked(async () => {
        for (const call of [
          () => client.create("photos", { [key]: "1000" }),
          () => client.grant("photos", "reader", { [key]: "1000" }),
        ]) {
          const { details } = await refusal(call(), status.INVALID_ARGUMENT);
          assert.match(details, new RegExp(`key "${key}": this driver's API \\(S3 and IAM\\) has no quota`));
        }
      });
      assert.deepEqual(requests, []);
    });
  }

  describe("which the store does not have", () => {
    for (const [key, value, fits, answer] of [
      [
        "bucketPolicy",
        "{}",
        ({ url }: StoreRequest) => url.includes("?policy"),
        storeError(501, "NotImplemented"),
      ],
      [
        "bucketLifecycle",
        LIFECYCLE,
        ({ url }: StoreRequest) => url.includes("?lifecycle"),
        storeError(405, "MethodNotAllowed"),
      ],
      [
        "bucketLifecycle",
        LIFECYCLE,
        ({ url }: StoreRequest) => url.includes("?lifecycle"),
        storeError(400, "MalformedXML"),
      ],
      [
        "bucketOwner",
        "olaf",
        ({ action }: StoreRequest) => action === "PutUserPolicy",
        storeError(400, "InvalidAction"),
      ],
    ] as const) {
      const code = /<Code>(\w+)/.exec(answer.body)?.[1] ?? "";
      it(`are refused with key and answer, and what was made is removed: ${key}, ${code} [CASE-P10]`, async () => {
        answerWith((request) => (fits(request) ? answer : undefined));
        const requests = await asked(async () => {
          const { details } = await refusal(
            client.create("photos", { [key]: value }),
            status.INVALID_ARGUMENT,
          );
          assert.match(
            details,
            new RegExp(
              `"photos": parameters: key "${key}": the store answered \\d+ ${code}: .*; give another`,
            ),
          );
        });
        const undone = writes(requests).slice(-2);
        assert.deepEqual(undone, ["DELETE ", "DeleteUser"]);
      });
    }

    for (const [what, answer] of [
      ["lists objects instead", { status: 200, body: "<ListBucketResult></ListBucketResult>" }],
      ["refuses the question", storeError(501, "NotImplemented")],
    ] as const) {
      it(`are never sent as a quota to a store that ${what}`, async () => {
        answerWith(({ url }) => (url.includes("seaweedfs-quota") ? answer : undefined));
        for (const key of ["maxSize", "bucketMaxSize"]) {
          const requests = await asked(async () => {
            const { details } = await refusal(
              client.create("photos", { [key]: "2G" }),
              status.INVALID_ARGUMENT,
            );
            assert.match(
              details,
              new RegExp(`key "${key}": this driver's API \\(S3 and IAM\\) has no quotas`),
            );
          });
          assert.equal(requests.filter((line) => line.includes("quota")).join(), "GET ?seaweedfs-quota=");
          assert.deepEqual(writes(requests).slice(-2), ["DELETE ", "DeleteUser"]);
        }
        await client.create("photos", { maxSize: "" });
      });
    }
  });

  it("are left in the making as long as the store has only a fault, for a repeat to finish", async () => {
    answerWith(({ url }) => (url.includes("?policy") ? storeError(500, "InternalError") : undefined));
    const requests = await asked(() =>
      refusal(client.create("photos", { bucketPolicy: "{}" }), status.UNAVAILABLE),
    );
    assert.ok(!requests.includes("DELETE "), requests.join());
  });

  describe("at a bucket that was made before", () => {
    for (const [what, settings, fits, answer, reason] of [
      [
        "the store does not have them",
        { bucketPolicy: "{}" },
        ({ url }: StoreRequest) => url.includes("?policy"),
        storeError(501, "NotImplemented"),
        /key "bucketPolicy": the store answered 501/,
      ],
      [
        "they name a role that is gone meanwhile",
        { bucketPolicy: "{}" },
        ({ url }: StoreRequest) => url.includes("?policy"),
        storeError(400, "MalformedPolicy", "Invalid principal in policy"),
        /key "bucketPolicy": the store answered 400 MalformedPolicy: Invalid principal/,
      ],
      [
        "they name an owner who is gone meanwhile",
        { bucketOwner: "olaf" },
        ({ action }: StoreRequest) => action === "ListUserTags",
        storeError(404, "NoSuchEntity"),
        /key "bucketOwner": the store has no IAM user "olaf"/,
      ],
    ] as const) {
      // A refused argument would say that nothing was made, and who asked would forget the bucket.
      it(`are refused, if ${what}, by a code that does not say that nothing was made, and it stays`, async () => {
        answerWith((request) => (fits(request) ? answer : undefined), ours);
        const requests = await asked(async () => {
          const { details } = await refusal(client.create("photos", settings), status.FAILED_PRECONDITION);
          assert.match(details, /"photos": the bucket is there, and the driver cannot change its settings: /);
          assert.match(details, reason);
        });
        assert.ok(!requests.includes("DELETE "), requests.join());
      });
    }

    for (const [what, tags] of [
      ["made", `${tag("cosi-driver", "s3.test.dev")}${tag("cosi-parameters", "region=eu-test-2")}`],
      ["half made", ""],
    ] as const) {
      it(`answers so to its region, too, if the driver serves another one since the bucket was ${what}`, async () => {
        answerWith(
          ({ action }) =>
            action === "ListUserTags"
              ? userTags({
                  "cosi-driver": "s3.test.dev",
                  "cosi-bucket": "photos",
                  "cosi-parameters": "region=eu-test-2",
                })
              : undefined,
          { made: true, tags },
        );
        const requests = await asked(async () => {
          const { details } = await refusal(
            client.create("photos", { region: "eu-test-2" }),
            status.FAILED_PRECONDITION,
          );
          assert.match(details, /"photos": it was made in region "eu-test-2", .* serves only "eu-test-1"/);
        });
        assert.deepEqual(writes(requests), []);
      });
    }
  });

  it("of an owner are refused if a policy would end the rights that the store's own configuration gives it", async () => {
    // As SeaweedFS answers: rights that are no policy, under whatever name is asked for.
    answerWith(({ action }) => {
      if (action === "GetUserPolicy") return policyOf("{}");
      return action === "ListUserPolicies" ? policiesOf("olaf_policy") : undefined;
    });
    const requests = await asked(async () => {
      const { details } = await refusal(
        client.create("photos", { bucketOwner: "olaf" }),
        status.INVALID_ARGUMENT,
      );
      assert.match(
        details,
        /key "bucketOwner": IAM user "olaf" has rights of its own that are not IAM policies/,
      );
    });
    assert.deepEqual(writes(requests), []);
  });

  it("of an owner are not written again where the store has them, also in the form of AWS", async () => {
    let written = "";
    answerWith(({ action }) => {
      if (action === "GetUserPolicy") return policyOf(encodeURIComponent(written));
      return action === "ListUserPolicies" ? policiesOf("other", "cosi-owner-photos") : undefined;
    }, ours);
    const arn = "arn:aws:s3:::photos";
    written = JSON.stringify({
      Statement: [{ Action: "s3:*", Effect: "Allow", Resource: [arn, `${arn}/*`] }],
      Version: "2012-10-17",
    });
    const same = await asked(() => client.create("photos", { bucketOwner: "olaf" }));
    assert.ok(!same.includes("PutUserPolicy"), same.join());
    written = written.replace("s3:*", "s3:Get*");
    const other = await asked(() => client.create("photos", { bucketOwner: "olaf" }));
    assert.ok(other.includes("PutUserPolicy"), other.join());
  });

  it("of an owner end where they are listed, and else no policy is removed at all", async () => {
    for (const [listed, removed] of [
      ["cosi-owner-photos", ["DeleteUserPolicy"]],
      ["olaf_policy", []],
    ] as const) {
      answerWith(({ action }) => (action === "ListUserPolicies" ? policiesOf(listed) : undefined), {
        made: true,
        tags: ours.tags + tag("cosi-user", "olaf"),
      });
      const requests = await asked(() => client.delete("photos"));
      assert.deepEqual(
        requests.filter((line) => line === "DeleteUserPolicy"),
        removed,
      );
      assert.ok(!requests.includes("DeleteAccessKey"));
    }
  });

  it("may stand in contexts, whatever they say: a refused one keeps nothing from being deleted [CASE-P10]", async () => {
    const context = {
      bucketLifecycle: '{"Rules":[]}',
      bucketPolicy: "{",
      maxObjects: "10",
      bucketOwner: "a b",
    };
    answerWith(undefined, ours);
    assert.ok((await asked(() => client.delete("photos", context))).includes("DELETE "));
    answerWith(({ action }) => (action === "ListUserTags" ? storeError(404, "NoSuchEntity") : undefined));
    await client.revoke("photos", "reader", context);
    await refusal(client.delete("photos", { ...context, nope: "1" }), status.INVALID_ARGUMENT);
  });
});

function ok(body: string): Answer {
  return { status: 200, body };
}

function tag(key: string, value: string): string {
  return `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`;
}

function userTags(tags: Readonly<Record<string, string>>): Answer {
  const members = Object.entries(tags).map(
    ([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`,
  );
  return ok(
    `<ListUserTagsResponse><ListUserTagsResult><Tags>${members.join("")}</Tags></ListUserTagsResult></ListUserTagsResponse>`,
  );
}

function policyOf(document: string): Answer {
  const text = document.replaceAll('"', "&quot;");
  return ok(
    `<GetUserPolicyResponse><GetUserPolicyResult><PolicyDocument>${text}</PolicyDocument></GetUserPolicyResult></GetUserPolicyResponse>`,
  );
}

function policiesOf(...names: readonly string[]): Answer {
  const members = names.map((name) => `<member>${name}</member>`).join("");
  return ok(
    `<ListUserPoliciesResponse><ListUserPoliciesResult><PolicyNames>${members}</PolicyNames></ListUserPoliciesResult></ListUserPoliciesResponse>`,
  );
}
