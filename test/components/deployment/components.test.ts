import assert from "node:assert/strict";
import * as deployment from "../../../components/deployment";
import { fieldManagerOf } from "../../support/components/field-manager";
import type { Registered } from "../objectstorage/mocks";
import { custom, dynamic, postgres, program, runs, specOf, uids } from "./mocks";

const requestUid = uids["DeploymentRequest"];
const accessUid = uids["DeploymentAccess"];

/** A secret as the engine gets it. */
const asSecret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

function withoutMetadata({ inputs }: Registered): object {
  return Object.fromEntries(Object.entries(inputs).filter(([field]) => field !== "metadata"));
}

describe("the components of platform.plural.sh/v1alpha1", function () {
  this.timeout(60_000);

  it("write the classes without a spec, the policy in full [DEP-091]", async () => {
    const registered = await program({ deploymentClass: { deletionPolicy: undefined } as never });
    assert.deepEqual(withoutMetadata(custom(registered, "DeploymentClass")), {
      apiVersion: "platform.plural.sh/v1alpha1",
      kind: "DeploymentClass",
      driverName: "cosi.example.com",
      deletionPolicy: "Retain",
      parameters: { size: "s" },
    });
    assert.deepEqual(withoutMetadata(custom(registered, "DeploymentAccessClass")), {
      apiVersion: "platform.plural.sh/v1alpha1",
      kind: "DeploymentAccessClass",
      driverName: "cosi.example.com",
      authenticationType: "Key",
      parameters: { role: "writer" },
    });
  });

  it("write request and access with every field that they have, and hand on what the Deployment says", async () => {
    const registered = await program();
    assert.deepEqual(specOf(custom(registered, "DeploymentRequest")), { deploymentClassName: "small" });
    const { request, deploymentFields } = dynamic(registered, "RequestBinding").inputs;
    assert.deepEqual(request, { namespace: "shop", name: "orders", uid: requestUid });
    assert.deepEqual(deploymentFields, { deletionPolicy: "Delete" });
    assert.deepEqual(specOf(custom(registered, "DeploymentAccess")), {
      deploymentRequestName: "orders",
      deploymentAccessClassName: "login",
      credentialsSecretName: "orders-login",
    });
  });

  it("apply a DeploymentRequest alone by a manager that stays, as its fields exclude each other", async () => {
    const registered = await program();
    assert.equal(fieldManagerOf(custom(registered, "DeploymentRequest")), "pulumi-cosi-program");
    assert.equal(fieldManagerOf(custom(registered, "DeploymentAccess")), undefined);
  });

  it("write them in another group, and record it with all that writes into them [DEP-091]", async () => {
    const group = "deployment.example.com";
    const registered = await program({ install: { group } });
    for (const kind of [
      "DeploymentClass",
      "DeploymentAccessClass",
      "DeploymentRequest",
      "DeploymentAccess",
    ]) {
      assert.equal(custom(registered, kind, group).inputs["apiVersion"], `${group}/v1alpha1`);
    }
    const model = `deployment-v1alpha1:${group}`;
    for (const type of ["CustomResourceDefinitions", "RequestBinding", "Secret"]) {
      assert.equal(dynamic(registered, type).inputs["model"], model, type);
    }
    for (const type of ["Deployment", "DeploymentAccess"]) {
      const objects = dynamic(registered, type).inputs["objects"] as { model: string };
      assert.equal(objects.model, model, type);
    }
    const { owner } = dynamic(registered, "Secret").inputs as { owner: { apiVersion: string } };
    assert.equal(owner.apiVersion, `${group}/v1alpha1`);
  });

  it("take all names from the UIDs of request and access [DEP-092]", async () => {
    const registered = await program();
    const name = `deployment-${requestUid}`;
    assert.equal(dynamic(registered, "Deployment").inputs["name"], name);
    assert.equal(dynamic(registered, "DeploymentAccess").inputs["name"], `da-${accessUid}`);
  });

  it("give requests of one name in two namespaces a deployment each [DEP-092]", async () => {
    const registered = await runs(() => {
      const deploymentClass = new deployment.DeploymentClass("small", { driver: postgres() });
      for (const namespace of ["shop", "office"]) {
        new deployment.DeploymentRequest(`orders-${namespace}`, {
          namespace,
          name: "orders",
          deploymentClass,
        });
      }
    });
    const sent = registered
      .filter(({ type }) => type === "pulumi-nodejs:dynamic/cosi:Deployment")
      .map(({ inputs }) => inputs["name"]);
    assert.deepEqual(sent.sort(), [`deployment-${requestUid}`, `deployment-office-${requestUid}`]);
  });

  it("hand what the request copied from its class to the driver, and the class by its name [DEP-092]", async () => {
    const registered = await program();
    const { deploymentClass } = dynamic(registered, "RequestBinding").inputs;
    assert.deepEqual(deploymentClass, {
      name: "small",
      driverName: "cosi.example.com",
      deletionPolicy: "Delete",
      parameters: { size: "s" },
    });
    const made = dynamic(registered, "Deployment").inputs;
    assert.deepEqual(
      [made["deploymentClassName"], made["parameters"], made["deletionPolicy"]],
      ["small", { size: "s" }, "Delete"],
    );
    const granted = dynamic(registered, "DeploymentAccess").inputs;
    assert.deepEqual(
      [granted["deploymentAccessClassName"], granted["parameters"], granted["authenticationType"]],
      ["login", { role: "writer" }, "Key"],
    );
  });

  it("tell the driver's resources of their objects, by the words that every model has", async () => {
    const registered = await program();
    const kubernetes = { stackId: "stack-id" };
    const bucket = { name: `deployment-${requestUid}`, uid: uids["Deployment"] };
    const model = "deployment-v1alpha1:platform.plural.sh";
    const owner = "organization/shop/test";
    assert.deepEqual(dynamic(registered, "Deployment").inputs["objects"], {
      model,
      kubernetes,
      owner,
      claim: { namespace: "shop", name: "orders", uid: requestUid },
      bucket,
    });
    assert.deepEqual(dynamic(registered, "DeploymentAccess").inputs["objects"], {
      model,
      kubernetes,
      owner,
      access: { namespace: "shop", name: "orders-rw", uid: accessUid },
      bucket,
      claim: { namespace: "shop", name: "orders" },
      secretName: "orders-login",
      staticBucket: false,
    });
  });

  it("wait for a deployment only where the request says so, as long as it says", async () => {
    const quiet = dynamic(await program(), "Deployment").inputs;
    assert.deepEqual(["waitUntilReady" in quiet, "readyTimeoutSeconds" in quiet], [false, false]);
    const waiting = await program({ request: { waitUntilReady: true, readyTimeoutSeconds: 60 } });
    const { waitUntilReady, readyTimeoutSeconds } = dynamic(waiting, "Deployment").inputs;
    assert.deepEqual([waitUntilReady, readyTimeoutSeconds], [true, 60]);
  });

  it("let the request's own policy go before that of the class, on the object and at the driver", async () => {
    const policies = (registered: Registered[]) => {
      const { deploymentFields } = dynamic(registered, "RequestBinding").inputs;
      const { deletionPolicy } = deploymentFields as { deletionPolicy: string };
      const made = dynamic(registered, "Deployment").inputs;
      return [deletionPolicy, made["deletionPolicy"], made["ownDeletionPolicy"]];
    };
    const own = await program({ request: { deletionPolicy: "Retain", protectData: false } });
    assert.deepEqual(policies(own), ["Retain", "Retain", true]);
    for (const type of ["RequestBinding", "Deployment"]) {
      assert.equal(dynamic(own, type).inputs["protectData"], false, type);
    }
    assert.deepEqual(policies(await program()), ["Delete", "Delete", undefined]);
  });

  it("hand the options of an access on to its account and its Secret", async () => {
    const existingAccount = { accountId: "old", credentials: { cred: { DB_USER: "u" } } };
    const registered = await program({
      access: {
        revokeNotFound: "ignore",
        rotation: { trigger: 1 },
        existingAccount,
        secretLabels: { app: "shop" },
        labels: { team: "a" },
        annotations: { note: "b" },
      },
    });
    const account = dynamic(registered, "DeploymentAccess").inputs;
    assert.deepEqual([account["revokeNotFound"], account["rotation"]], ["ignore", { trigger: 1 }]);
    assert.deepEqual(account["existingAccount"], asSecret(existingAccount));
    assert.deepEqual(dynamic(registered, "Secret").inputs["labels"], { app: "shop" });
    const { labels, annotations } = custom(registered, "DeploymentAccess").inputs["metadata"] as {
      labels: object;
      annotations: Record<string, string>;
    };
    assert.deepEqual([labels, annotations["note"]], [{ team: "a" }, "b"]);
  });

  describe("write the Secret of an access", () => {
    const dataOf = async (credentials: Record<string, Record<string, string>>) =>
      dynamic(await program({ credentials }), "Secret").inputs["data"];

    it("beside it, owned by it, and held until it is to go [DEP-094]", async () => {
      const { namespace, name, owner, finalizer, model } = dynamic(await program(), "Secret").inputs;
      assert.deepEqual([namespace, name], ["shop", "orders-login"]);
      assert.deepEqual(owner, {
        apiVersion: "platform.plural.sh/v1alpha1",
        kind: "DeploymentAccess",
        name: "orders-rw",
        uid: accessUid,
      });
      assert.equal(finalizer, "deployment.pulumi-cosi/protection");
      assert.equal(model, "deployment-v1alpha1:platform.plural.sh");
    });

    it("with the keys of a single entry as they are, those of several after their entry [DEP-088] [DEP-094]", async () => {
      assert.deepEqual(
        await dataOf({ cred: { DB_USER: "u", DB_PASSWORD: "" } }),
        asSecret({ DB_USER: "u", DB_PASSWORD: "" }),
      );
      const several = { admin: { user: "a" }, app: { user: "b", url: "c" } };
      const prefixed = { "admin.user": "a", "app.user": "b", "app.url": "c" };
      assert.deepEqual(await dataOf(several), asSecret(prefixed));
      // IAM: the platform's own account has none.
      assert.deepEqual(await dataOf({}), asSecret({}));
    });

    it("and refuse a key that no Secret can have, by its name [DEP-088]", async () => {
      await assert.rejects(dataOf({ cred: { "a b": "hidden-value" } }), (error: Error) => {
        assert.match(error.message, /DeploymentAccess orders-rw: the driver issued .* with the key "a b"/);
        assert.ok(!error.message.includes("hidden-value"));
        return true;
      });
    });
  });

  describe("take a deployment over by a static Deployment", () => {
    const ledger = (
      args: Partial<deployment.DeploymentArgs> = {},
      request: Partial<deployment.DeploymentRequestArgs> = {},
    ) =>
      runs(() => {
        const driver = postgres();
        const small = new deployment.DeploymentClass("small", {
          driver,
          deletionPolicy: "Delete",
          parameters: { size: "s" },
        });
        const login = new deployment.DeploymentAccessClass("login", { driver, authenticationType: "Key" });
        const existingDeployment = new deployment.Deployment("ledger", {
          deploymentClass: small,
          existingDeploymentId: "ledger-2019",
          ...args,
        });
        const deploymentRequest = new deployment.DeploymentRequest("books", {
          namespace: "shop",
          existingDeployment,
          ...request,
        });
        new deployment.DeploymentAccess("books-rw", {
          namespace: "shop",
          deploymentRequest,
          deploymentAccessClass: login,
          credentialsSecretName: "books-login",
        });
      });

    it("which is always kept, whatever its class says, and asks the driver to make none [DEP-095]", async () => {
      const registered = await ledger({ deploymentRequest: { namespace: "shop", name: "books" } });
      assert.deepEqual(specOf(custom(registered, "Deployment")), {
        driverName: "cosi.example.com",
        deploymentClassName: "small",
        deploymentRequest: { namespace: "shop", name: "books" },
        deletionPolicy: "Retain",
        existingDeploymentID: "ledger-2019",
        parameters: { size: "s" },
      });
      // The only one: that of the request is the static one's.
      const taken = dynamic(registered, "Deployment").inputs;
      assert.deepEqual(
        [taken["existingDeploymentId"], taken["name"], "deletionPolicy" in taken],
        ["ledger-2019", undefined, false],
      );
      assert.equal((taken["objects"] as { claim: unknown }).claim, null);
      assert.deepEqual(specOf(custom(registered, "DeploymentRequest")), { existingDeploymentName: "ledger" });
      assert.equal(dynamic(registered, "RequestBinding").inputs["existingDeploymentName"], "ledger");
      const { staticBucket } = dynamic(registered, "DeploymentAccess").inputs["objects"] as {
        staticBucket: boolean;
      };
      assert.equal(staticBucket, true);
    });

    it("which need not name its request, and has its own parameters where it gives them", async () => {
      const registered = await ledger({ parameters: { size: "l" }, name: "ledger-prod" });
      const spec = specOf(custom(registered, "Deployment")) as Record<string, unknown>;
      assert.deepEqual(["deploymentRequest" in spec, spec["parameters"]], [false, { size: "l" }]);
      assert.deepEqual(dynamic(registered, "Deployment").inputs["parameters"], { size: "l" });
      const request = custom(registered, "DeploymentRequest");
      assert.deepEqual(specOf(request), { existingDeploymentName: "ledger-prod" });
    });

    it("and refuse to delete it [DEP-095]", async () => {
      await assert.rejects(
        ledger({ deletionPolicy: "Delete" }),
        /Deployment ledger: deletionPolicy is "Delete" beside existingDeploymentId: only "Retain" is allowed with it/,
      );
      await assert.rejects(
        ledger({}, { deletionPolicy: "Delete" }),
        /DeploymentRequest books: deletionPolicy is given beside existingDeployment, which is always kept/,
      );
    });

    it("and refuse to wait for what no create is sent for", async () => {
      await assert.rejects(
        ledger({}, { waitUntilReady: true }),
        /DeploymentRequest books: waitUntilReady is given beside existingDeployment, for which no create is sent/,
      );
      await assert.rejects(ledger({}, { readyTimeoutSeconds: 5 }), /readyTimeoutSeconds is given beside/);
    });

    it("and refuse one without an id, or without a class", async () => {
      const nothing = undefined as never;
      await assert.rejects(
        ledger({ existingDeploymentId: nothing }),
        /Deployment ledger: existingDeploymentId is missing/,
      );
      await assert.rejects(
        ledger({ deploymentClass: nothing }),
        /Deployment ledger: deploymentClass is missing/,
      );
    });
  });
});
