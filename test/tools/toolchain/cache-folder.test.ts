import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";

import { cacheFolder } from "../../../tools/toolchain/cache-folder";

describe("the cache folder", () => {
  it("is the one that the user names, else in the user's folder of caches, else in ~/.cache", () => {
    assert.equal(cacheFolder({ PULUMI_COSI_CACHE: "/a", XDG_CACHE_HOME: "/b" }), "/a");
    assert.equal(cacheFolder({ PULUMI_COSI_CACHE: "", XDG_CACHE_HOME: "/b" }), join("/b", "pulumi-cosi"));
    assert.equal(cacheFolder({ XDG_CACHE_HOME: "" }), join(homedir(), ".cache", "pulumi-cosi"));
  });
});
