import assert from "node:assert/strict";
import { answers, s3Secrets } from "../../support/cosi-v1alpha1";
import { OwnTemporaryFolder } from "../../support/end-to-end/leftovers";
import { Stack } from "../../support/stack";
import { knowGranted } from "../../support/kills/granted-secrets";
import { KillableCommand } from "../../support/kills/killable-command";
import { objectStorage } from "../../support/kills/objectstorage-v1alpha1/subject";

describe("a command that is killed", function () {
  this.timeout(120_000);
  let temporary: OwnTemporaryFolder;
  let stack: Stack;

  beforeEach(async () => {
    temporary = await OwnTemporaryFolder.create();
    stack = await Stack.create({ source: "" }, temporary.variables);
  });
  afterEach(async () => {
    await stack.remove();
    await temporary.remove();
  });

  /** Has a command say something, and the next one search it. */
  const said = async (text: string): Promise<void> => {
    const command = new KillableCommand(stack, ["config", "get", text], temporary);
    assert.ok((await command.ended).text.includes(text));
    await stack.succeed(["version"]);
  };

  it("has what it printed searched for secrets by the next one, also for those that are known only then", async () => {
    const secret = "s3cr3t-of/the+state";
    await said(secret);
    stack.know("a key", secret);
    await assert.rejects(stack.run(["version"]), (error: unknown) => {
      assert.match(String(error), /secrets where none may be:\na key \(plain\) in output \d+ \(config get/);
      return true;
    });
  });

  it("has the keys of a grant looked for, which no state may ever have, and not its addresses", async () => {
    const secrets = {
      ...s3Secrets(),
      accessSecretKey: "gr4nted-and/lost",
      endpoint: "http://127.0.0.1:9000",
    };
    const reply = answers.granted("reader", secrets);
    assert.ok(reply instanceof Uint8Array);
    knowGranted(stack, objectStorage, "grant", reply);
    await said(secrets.endpoint);
    await assert.rejects(said(secrets.accessSecretKey), /accessSecretKey of a grant .* in output/);
  });
});
