import {
  actionlintRelease,
  etcdRelease,
  kubernetesRelease,
  noRelease,
  pulumiKubernetesRelease,
  pulumiRelease,
  seaweedfsRelease,
} from "./release/recipes";
import type { Tool, UserPlace } from "./tool";

const PULUMI = "3.274.1";
const KUBERNETES = "1.37.2";

/** `pulumi import --file`, which takes a dynamic resource's recorded inputs, came with 3.254.0. */
const userPulumi = { kind: "path", versionArguments: ["version"], minimum: "3.254.0" } as const;

/** Selectable fields of custom resources are on by default from 1.31 on. */
const userKubernetes = {
  kind: "path",
  // The variable of controller-runtime's setup-envtest.
  folderVariable: "KUBEBUILDER_ASSETS",
  versionArguments: ["--version"],
  minimum: "1.31.0",
} as const satisfies UserPlace;

const kubernetesLdflags = `-s -w -X k8s.io/component-base/version.gitVersion=v${KUBERNETES}`;

/** All tools, by name. */
export const tools = {
  pulumi: {
    name: "pulumi",
    version: PULUMI,
    user: userPulumi,
    release: pulumiRelease(PULUMI),
    go: {
      module: "pulumi",
      package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
      ldflags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${PULUMI}`,
      minutes: 7,
    },
  },
  "pulumi-language-nodejs": {
    name: "pulumi-language-nodejs",
    version: "3.62.0",
    user: { kind: "beside", tool: "pulumi", place: userPulumi },
    // It comes in the same archive.
    release: pulumiRelease(PULUMI),
    go: {
      module: "pulumi-language-nodejs",
      package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
      ldflags: "-s -w",
      minutes: 1,
    },
  },
  // Runs the program that the page on other languages shows.
  "pulumi-language-yaml": {
    name: "pulumi-language-yaml",
    version: "1.25.0",
    user: { kind: "beside", tool: "pulumi", place: userPulumi },
    // It comes in the same archive.
    release: pulumiRelease(PULUMI),
    go: {
      module: "pulumi-language-yaml",
      package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
      ldflags: "-s -w",
      minutes: 2,
    },
  },
  "pulumi-resource-kubernetes": {
    name: "pulumi-resource-kubernetes",
    version: "4.25.0",
    user: { kind: "pulumi-plugin", plugin: "kubernetes" },
    release: pulumiKubernetesRelease("4.25.0"),
    go: {
      module: "pulumi-resource-kubernetes",
      package: ".",
      ldflags: "-s -w",
      minutes: 8,
      embedded: {
        module: "github.com/pulumi/pulumi-kubernetes/provider/v4",
        files: [
          "cmd/pulumi-resource-kubernetes/schema.json",
          "cmd/pulumi-resource-kubernetes/terraform-mapping.json",
        ],
        versioned: "schema.json",
      },
    },
  },
  etcd: {
    name: "etcd",
    version: "3.7.3",
    user: {
      kind: "path",
      folderVariable: "KUBEBUILDER_ASSETS",
      versionArguments: ["--version"],
      minimum: "3.5.0",
    },
    release: etcdRelease("3.7.3"),
    go: { module: "etcd", package: "go.etcd.io/etcd/server/v3", ldflags: "-s -w", minutes: 1 },
  },
  "kube-apiserver": {
    name: "kube-apiserver",
    version: KUBERNETES,
    user: userKubernetes,
    release: kubernetesRelease("kube-apiserver", KUBERNETES),
    go: {
      module: "kubernetes",
      package: "k8s.io/kubernetes/cmd/kube-apiserver",
      ldflags: kubernetesLdflags,
      minutes: 9,
    },
  },
  "kube-controller-manager": {
    name: "kube-controller-manager",
    version: KUBERNETES,
    user: userKubernetes,
    release: kubernetesRelease("kube-controller-manager", KUBERNETES),
    go: {
      module: "kubernetes",
      package: "k8s.io/kubernetes/cmd/kube-controller-manager",
      ldflags: kubernetesLdflags,
      minutes: 3,
    },
  },
  weed: {
    name: "weed",
    version: "4.53",
    user: { kind: "path", versionArguments: ["version"], minimum: "4.53" },
    release: seaweedfsRelease("4.53"),
    go: {
      module: "seaweedfs",
      package: "github.com/seaweedfs/seaweedfs/weed",
      ldflags: "-s -w",
      minutes: 6,
    },
  },
  // Judges the workflow files that users copy.
  actionlint: {
    name: "actionlint",
    version: "1.7.12",
    user: { kind: "path", versionArguments: ["-version"], minimum: "1.7.0" },
    release: actionlintRelease("1.7.12"),
    go: {
      module: "actionlint",
      package: "github.com/rhysd/actionlint/cmd/actionlint",
      ldflags: "-s -w",
      minutes: 1,
    },
  },
  // A driver and client on upstream's own messages and grpc-go: it checks our bytes against another implementation.
  "cosi-recorder": {
    name: "cosi-recorder",
    version: "0.2.2",
    user: { kind: "own" },
    release: noRelease,
    go: { module: "recording-driver", package: "./cmd/cosi-recorder", ldflags: "-s -w", minutes: 1 },
  },
  "cosi-recorder-v0.1": {
    name: "cosi-recorder-v0.1",
    version: "0.1.0",
    user: { kind: "own" },
    release: noRelease,
    go: { module: "recording-driver", package: "./cmd/cosi-recorder-v0.1", ldflags: "-s -w", minutes: 1 },
  },
} as const satisfies Record<string, Tool>;

/** The name of one of {@link tools}. */
export type ToolName = keyof typeof tools;
