import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { platforms } from "../../../tools/toolchain/release/platform";
import { tools } from "../../../tools/toolchain/tools";

/** Changes here are changes of what people download: look the names up in the release before. */
const RELEASES = `
pulumi linux-x64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-linux-x64.tar.gz (tar.gz, pulumi/pulumi), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi linux-arm64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-linux-arm64.tar.gz (tar.gz, pulumi/pulumi), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi darwin-x64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-darwin-x64.tar.gz (tar.gz, pulumi/pulumi), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi darwin-arm64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-darwin-arm64.tar.gz (tar.gz, pulumi/pulumi), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-language-nodejs linux-x64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-linux-x64.tar.gz (tar.gz, pulumi/pulumi-language-nodejs), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-language-nodejs linux-arm64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-linux-arm64.tar.gz (tar.gz, pulumi/pulumi-language-nodejs), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-language-nodejs darwin-x64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-darwin-x64.tar.gz (tar.gz, pulumi/pulumi-language-nodejs), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-language-nodejs darwin-arm64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-darwin-arm64.tar.gz (tar.gz, pulumi/pulumi-language-nodejs), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-language-yaml linux-x64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-linux-x64.tar.gz (tar.gz, pulumi/pulumi-language-yaml), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-language-yaml linux-arm64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-linux-arm64.tar.gz (tar.gz, pulumi/pulumi-language-yaml), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-language-yaml darwin-x64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-darwin-x64.tar.gz (tar.gz, pulumi/pulumi-language-yaml), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-language-yaml darwin-arm64: https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-v3.274.1-darwin-arm64.tar.gz (tar.gz, pulumi/pulumi-language-yaml), sha256 in https://github.com/pulumi/pulumi/releases/download/v3.274.1/pulumi-3.274.1-checksums.txt
pulumi-resource-kubernetes linux-x64: https://github.com/pulumi/pulumi-kubernetes/releases/download/v4.25.0/pulumi-resource-kubernetes-v4.25.0-linux-amd64.tar.gz (tar.gz, pulumi-resource-kubernetes), sha256 in https://github.com/pulumi/pulumi-kubernetes/releases/download/v4.25.0/pulumi-kubernetes_4.25.0_checksums.txt
pulumi-resource-kubernetes linux-arm64: https://github.com/pulumi/pulumi-kubernetes/releases/download/v4.25.0/pulumi-resource-kubernetes-v4.25.0-linux-arm64.tar.gz (tar.gz, pulumi-resource-kubernetes), sha256 in https://github.com/pulumi/pulumi-kubernetes/releases/download/v4.25.0/pulumi-kubernetes_4.25.0_checksums.txt
pulumi-resource-kubernetes darwin-x64: https://github.com/pulumi/pulumi-kubernetes/releases/download/v4.25.0/pulumi-resource-kubernetes-v4.25.0-darwin-amd64.tar.gz (tar.gz, pulumi-resource-kubernetes), sha256 in https://github.com/pulumi/pulumi-kubernetes/releases/download/v4.25.0/pulumi-kubernetes_4.25.0_checksums.txt
pulumi-resource-kubernetes darwin-arm64: https://github.com/pulumi/pulumi-kubernetes/releases/download/v4.25.0/pulumi-resource-kubernetes-v4.25.0-darwin-arm64.tar.gz (tar.gz, pulumi-resource-kubernetes), sha256 in https://github.com/pulumi/pulumi-kubernetes/releases/download/v4.25.0/pulumi-kubernetes_4.25.0_checksums.txt
etcd linux-x64: https://github.com/etcd-io/etcd/releases/download/v3.7.3/etcd-v3.7.3-linux-amd64.tar.gz (tar.gz, etcd-v3.7.3-linux-amd64/etcd), sha256 in https://github.com/etcd-io/etcd/releases/download/v3.7.3/SHA256SUMS
etcd linux-arm64: https://github.com/etcd-io/etcd/releases/download/v3.7.3/etcd-v3.7.3-linux-arm64.tar.gz (tar.gz, etcd-v3.7.3-linux-arm64/etcd), sha256 in https://github.com/etcd-io/etcd/releases/download/v3.7.3/SHA256SUMS
etcd darwin-x64: https://github.com/etcd-io/etcd/releases/download/v3.7.3/etcd-v3.7.3-darwin-amd64.zip (zip, etcd-v3.7.3-darwin-amd64/etcd), sha256 in https://github.com/etcd-io/etcd/releases/download/v3.7.3/SHA256SUMS
etcd darwin-arm64: https://github.com/etcd-io/etcd/releases/download/v3.7.3/etcd-v3.7.3-darwin-arm64.zip (zip, etcd-v3.7.3-darwin-arm64/etcd), sha256 in https://github.com/etcd-io/etcd/releases/download/v3.7.3/SHA256SUMS
kube-apiserver linux-x64: https://dl.k8s.io/v1.37.2/bin/linux/amd64/kube-apiserver (program, kube-apiserver), sha256 in https://dl.k8s.io/v1.37.2/bin/linux/amd64/kube-apiserver.sha256
kube-apiserver linux-arm64: https://dl.k8s.io/v1.37.2/bin/linux/arm64/kube-apiserver (program, kube-apiserver), sha256 in https://dl.k8s.io/v1.37.2/bin/linux/arm64/kube-apiserver.sha256
kube-apiserver darwin-x64: Kubernetes publishes its servers for Linux only
kube-apiserver darwin-arm64: Kubernetes publishes its servers for Linux only
kube-controller-manager linux-x64: https://dl.k8s.io/v1.37.2/bin/linux/amd64/kube-controller-manager (program, kube-controller-manager), sha256 in https://dl.k8s.io/v1.37.2/bin/linux/amd64/kube-controller-manager.sha256
kube-controller-manager linux-arm64: https://dl.k8s.io/v1.37.2/bin/linux/arm64/kube-controller-manager (program, kube-controller-manager), sha256 in https://dl.k8s.io/v1.37.2/bin/linux/arm64/kube-controller-manager.sha256
kube-controller-manager darwin-x64: Kubernetes publishes its servers for Linux only
kube-controller-manager darwin-arm64: Kubernetes publishes its servers for Linux only
weed linux-x64: https://github.com/seaweedfs/seaweedfs/releases/download/4.53/linux_amd64.tar.gz (tar.gz, weed), md5 in https://github.com/seaweedfs/seaweedfs/releases/download/4.53/linux_amd64.tar.gz.md5
weed linux-arm64: https://github.com/seaweedfs/seaweedfs/releases/download/4.53/linux_arm64.tar.gz (tar.gz, weed), md5 in https://github.com/seaweedfs/seaweedfs/releases/download/4.53/linux_arm64.tar.gz.md5
weed darwin-x64: https://github.com/seaweedfs/seaweedfs/releases/download/4.53/darwin_amd64.tar.gz (tar.gz, weed), md5 in https://github.com/seaweedfs/seaweedfs/releases/download/4.53/darwin_amd64.tar.gz.md5
weed darwin-arm64: https://github.com/seaweedfs/seaweedfs/releases/download/4.53/darwin_arm64.tar.gz (tar.gz, weed), md5 in https://github.com/seaweedfs/seaweedfs/releases/download/4.53/darwin_arm64.tar.gz.md5
actionlint linux-x64: https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12_linux_amd64.tar.gz (tar.gz, actionlint), sha256 in https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12_checksums.txt
actionlint linux-arm64: https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12_linux_arm64.tar.gz (tar.gz, actionlint), sha256 in https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12_checksums.txt
actionlint darwin-x64: https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12_darwin_amd64.tar.gz (tar.gz, actionlint), sha256 in https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12_checksums.txt
actionlint darwin-arm64: https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12_darwin_arm64.tar.gz (tar.gz, actionlint), sha256 in https://github.com/rhysd/actionlint/releases/download/v1.7.12/actionlint_1.7.12_checksums.txt
cosi-recorder linux-x64: it is a program of this repository
cosi-recorder linux-arm64: it is a program of this repository
cosi-recorder darwin-x64: it is a program of this repository
cosi-recorder darwin-arm64: it is a program of this repository
cosi-recorder-v0.1 linux-x64: it is a program of this repository
cosi-recorder-v0.1 linux-arm64: it is a program of this repository
cosi-recorder-v0.1 darwin-x64: it is a program of this repository
cosi-recorder-v0.1 darwin-arm64: it is a program of this repository
`;

describe("the releases of the tools", () => {
  it("have an address, a program and a checksum file on each platform, or a reason why not", () => {
    const lines = Object.entries(tools).flatMap(([name, tool]) =>
      platforms.map((platform) => {
        const release = tool.release(platform);
        if ("absent" in release) return `${name} ${platform}: ${release.absent}`;
        const { url, format, programs, checksums } = release;
        const program = new Map(Object.entries(programs)).get(name) ?? "MISSING";
        return `${name} ${platform}: ${url} (${format}, ${program}), ${checksums.algorithm} in ${checksums.url}`;
      }),
    );
    assert.deepEqual(lines, RELEASES.trim().split("\n"));
  });

  it("are of the version that is built, but for the language hosts, which come with the CLI", () => {
    for (const tool of Object.values(tools)) {
      const release = tool.release("linux-x64");
      if ("absent" in release) continue;
      const version = tool.name.startsWith("pulumi-language-") ? tools.pulumi.version : tool.version;
      assert.equal(release.version, version, tool.name);
    }
  });

  it("are one file for the CLI and its language hosts", () => {
    for (const platform of platforms) {
      for (const host of ["pulumi-language-nodejs", "pulumi-language-yaml"] as const) {
        assert.deepEqual(tools[host].release(platform), tools.pulumi.release(platform));
      }
    }
  });

  it("are in the table of CONTRIBUTING.md, each with the checksum that is checked", async () => {
    const table = await readFile("CONTRIBUTING.md", "utf8");
    for (const tool of Object.values(tools)) {
      const release = tool.release("linux-x64");
      const row = table.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${tool.name}\``));
      const says = "absent" in release ? "none" : release.checksums.algorithm === "md5" ? "MD5" : "SHA-256";
      assert.ok(row?.includes(` ${says}`), `${tool.name}: ${row ?? "no row"}`);
    }
  });
});
