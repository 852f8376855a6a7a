import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { interruptText, runCommandLine } from "../../../cli/commands";
import { runPreview } from "../../../cli/review/run-preview";

describe("the preview that a review runs itself", () => {
  let folder: string;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "review-"));
    fs.writeFileSync(path.join(folder, "pulumi"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  });
  after(() => {
    fs.rmSync(folder, { recursive: true });
  });

  it("shows what leaves with a replacement, and what stays and keeps another one's bucket", async () => {
    const environment = { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
    const written = await runPreview(["--stack", "prod"], {
      environment,
      interrupt: new AbortController().signal,
    });
    const args = written.trim().split(" ");
    assert.equal(args[0], "preview");
    for (const option of ["--json", "--show-replacement-steps", "--show-sames", "--stack"]) {
      assert.ok(args.includes(option), written);
    }
  });

  it("tells in Pulumi's words why it failed, where its document does not", async () => {
    const said = "error: no language plugin 'pulumi-language-yaml' found";
    const program = `#!/bin/sh\necho '{}'\necho "${said}" >&2\nexit 1\n`;
    fs.writeFileSync(path.join(folder, "pulumi"), program);
    const environment = { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
    const { signal } = new AbortController();
    const config = ["--config", "db:password=hushhush"];
    await assert.rejects(runPreview(config, { environment, interrupt: signal }), (error: Error) => {
      assert.match(error.message, /^pulumi preview ended with 1:\n/);
      assert.ok(error.message.endsWith(said), error.message);
      assert.ok(!error.message.includes("hushhush"), "an argument may be a secret");
      return true;
    });
  });

  it("is ended by Ctrl-C, and nothing else is said to be wrong", async () => {
    fs.writeFileSync(path.join(folder, "pulumi"), "#!/bin/sh\nexec sleep 30\n");
    for (const args of [["review"], ["graph"]]) {
      const interrupt = new AbortController();
      let err = "";
      const ended = runCommandLine(args, {
        out: () => undefined,
        err: (text) => (err += text),
        input: undefined,
        interactive: false,
        environment: { PATH: `${folder}:${process.env["PATH"] ?? ""}` },
        interrupt: interrupt.signal,
      });
      setTimeout(() => {
        interrupt.abort();
      }, 200);
      assert.equal(await ended, 130);
      assert.match(err, /^pulumi-cosi \w+: pulumi (preview|stack export) was interrupted\n$/);
      assert.equal(interruptText(args), "Ending; once more to leave it.");
    }
    assert.match(interruptText(["conformance"]), /^Removing what was made; /);
  });
});
