import type { Platform } from "./platform";
import type { NoRelease, Release } from "./release";

/*
 * Names of files, formats and checksum files as each project's release scripts make them. CONTRIBUTING.md has them as a
 * table.
 */

/** Operating system and architecture, as Go calls them. */
function goPlatform(platform: Platform): { readonly os: "linux" | "darwin"; readonly arch: string } {
  return {
    os: platform.startsWith("linux") ? "linux" : "darwin",
    arch: platform.endsWith("x64") ? "amd64" : "arm64",
  };
}

const github = (repository: string, tag: string) =>
  `https://github.com/${repository}/releases/download/${tag}`;

/** The CLI and its language hosts, which come in one archive. */
export const pulumiRelease =
  (version: string) =>
  (platform: Platform): Release => {
    const release = github("pulumi/pulumi", `v${version}`);
    return {
      version,
      url: `${release}/pulumi-v${version}-${platform}.tar.gz`,
      format: "tar.gz",
      checksums: { url: `${release}/pulumi-${version}-checksums.txt`, algorithm: "sha256" },
      programs: {
        pulumi: "pulumi/pulumi",
        "pulumi-language-nodejs": "pulumi/pulumi-language-nodejs",
        "pulumi-language-yaml": "pulumi/pulumi-language-yaml",
      },
      versionCheck: { program: "pulumi", arguments: ["version"] },
    };
  };

export const pulumiKubernetesRelease =
  (version: string) =>
  (platform: Platform): Release => {
    const { os, arch } = goPlatform(platform);
    const release = github("pulumi/pulumi-kubernetes", `v${version}`);
    return {
      version,
      url: `${release}/pulumi-resource-kubernetes-v${version}-${os}-${arch}.tar.gz`,
      format: "tar.gz",
      checksums: { url: `${release}/pulumi-kubernetes_${version}_checksums.txt`, algorithm: "sha256" },
      // A plugin tells no version.
      programs: { "pulumi-resource-kubernetes": "pulumi-resource-kubernetes" },
    };
  };

export const etcdRelease =
  (version: string) =>
  (platform: Platform): Release => {
    const { os, arch } = goPlatform(platform);
    const release = github("etcd-io/etcd", `v${version}`);
    const name = `etcd-v${version}-${os}-${arch}`;
    const format = os === "linux" ? "tar.gz" : "zip";
    return {
      version,
      url: `${release}/${name}.${format}`,
      format,
      checksums: { url: `${release}/SHA256SUMS`, algorithm: "sha256" },
      programs: { etcd: `${name}/etcd` },
      versionCheck: { program: "etcd", arguments: ["--version"] },
    };
  };

/** @param program - One of the server's programs, such as `kube-apiserver`. */
export const kubernetesRelease =
  (program: string, version: string) =>
  (platform: Platform): Release | NoRelease => {
    const { os, arch } = goPlatform(platform);
    if (os !== "linux") return { absent: "Kubernetes publishes its servers for Linux only" };
    const url = `https://dl.k8s.io/v${version}/bin/${os}/${arch}/${program}`;
    return {
      version,
      url,
      format: "program",
      checksums: { url: `${url}.sha256`, algorithm: "sha256" },
      programs: { [program]: program },
      versionCheck: { program, arguments: ["--version"] },
    };
  };

export const seaweedfsRelease =
  (version: string) =>
  (platform: Platform): Release => {
    const { os, arch } = goPlatform(platform);
    const url = `${github("seaweedfs/seaweedfs", version)}/${os}_${arch}.tar.gz`;
    return {
      version,
      url,
      format: "tar.gz",
      // It publishes no other sum.
      checksums: { url: `${url}.md5`, algorithm: "md5" },
      programs: { weed: "weed" },
      versionCheck: { program: "weed", arguments: ["version"] },
    };
  };

export const actionlintRelease =
  (version: string) =>
  (platform: Platform): Release => {
    const { os, arch } = goPlatform(platform);
    const release = github("rhysd/actionlint", `v${version}`);
    return {
      version,
      url: `${release}/actionlint_${version}_${os}_${arch}.tar.gz`,
      format: "tar.gz",
      checksums: { url: `${release}/actionlint_${version}_checksums.txt`, algorithm: "sha256" },
      programs: { actionlint: "actionlint" },
      versionCheck: { program: "actionlint", arguments: ["-version"] },
    };
  };

/** Of the programs of this repository. */
export const noRelease = (): NoRelease => ({ absent: "it is a program of this repository" });
