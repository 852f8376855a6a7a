import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { realAddress } from "../../../provider/driver/real-address";

describe("the address at which a driver is", () => {
  it("is one for a socket and all links to it, also while there is none yet", () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "real-address-")));
    try {
      fs.mkdirSync(path.join(folder, "run"));
      fs.symlinkSync(path.join(folder, "run"), path.join(folder, "var"));
      const [real, linked] = ["run", "var"].map((name) => `unix://${folder}/${name}/cosi/cosi.sock`);
      assert.ok(real !== undefined && linked !== undefined);
      assert.deepEqual(realAddress(linked), realAddress(real));
      fs.mkdirSync(path.join(folder, "run", "cosi"));
      fs.writeFileSync(path.join(folder, "run", "cosi", "cosi.sock"), "");
      assert.deepEqual(realAddress(linked), realAddress(real));
      fs.symlinkSync("cosi.sock", path.join(folder, "run", "cosi", "link.sock"));
      assert.deepEqual(realAddress(linked.replace(/cosi\.sock$/, "link.sock")), realAddress(real));
      assert.notDeepEqual(realAddress(linked.replace(/cosi\.sock$/, "other.sock")), realAddress(real));
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it("is one for a host in capital letters, and for its own name as that of the server", () => {
    const address = realAddress("dns:///cosi.example.com:443");
    assert.deepEqual(realAddress("dns:///COSI.example.com:443"), address);
    assert.deepEqual(realAddress("dns:///cosi.example.com:443", "Cosi.example.com"), address);
    assert.deepEqual(realAddress("localhost:9000"), realAddress("dns:///localhost:9000"));
  });

  it("is another one behind a gateway for each name of a server, and for each port", () => {
    const address = realAddress("dns:///gateway.example.com:443", "a");
    assert.notDeepEqual(realAddress("dns:///gateway.example.com:443", "b"), address);
    assert.notDeepEqual(realAddress("dns:///gateway.example.com:443"), address);
    assert.notDeepEqual(realAddress("dns:///gateway.example.com:444", "a"), address);
  });
});
