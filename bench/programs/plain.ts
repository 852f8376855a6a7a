/**
 * The floor: for each claim as many plain resources of each kind as the package has, one after the other as it has them.
 * Dynamic resources do nothing; custom resources and Secrets are those of @pulumi/kubernetes.
 */
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

/** How many resources of each kind a claim with its access has. */
interface Shape {
  readonly components: number;
  readonly dynamic: number;
  readonly customResources: number;
  readonly secrets: number;
}

const shape = JSON.parse(process.env["BENCH_SHAPE"] ?? "{}") as Shape;
const claims = Number(process.env["BENCH_CLAIMS"]);
const namespace = "bench";
const apiVersion = "objectstorage.k8s.io/v1alpha1";
const background = { "pulumi.com/deletionPropagationPolicy": "background" };

const nothing: pulumi.dynamic.ResourceProvider<object, object> = {
  check: (_olds, news) => Promise.resolve({ inputs: news }),
  diff: () => Promise.resolve({ changes: false }),
  create: (inputs) => Promise.resolve({ id: "nothing", outs: inputs }),
  read: (id, props) => Promise.resolve({ id, props: props ?? {} }),
  update: (_id, _olds, news) => Promise.resolve({ outs: news }),
  delete: () => Promise.resolve(),
};

class Nothing extends pulumi.dynamic.Resource {
  constructor(name: string, opts: pulumi.CustomResourceOptions) {
    super(nothing, name, { name, namespace }, opts);
  }
}

class Group extends pulumi.ComponentResource {
  constructor(name: string) {
    super("bench:index:Group", name);
    this.registerOutputs({});
  }
}

/** The objects that a claim has, in their order. */
const objects = [
  (name: string, opts: pulumi.CustomResourceOptions) =>
    new k8s.apiextensions.CustomResource(
      `claim-${name}`,
      {
        apiVersion,
        kind: "BucketClaim",
        metadata: { name, namespace, annotations: background },
        spec: { bucketClassName: "buckets", protocols: ["S3"] },
      },
      opts,
    ),
  (name: string, opts: pulumi.CustomResourceOptions) =>
    new k8s.apiextensions.CustomResource(
      `bucket-${name}`,
      {
        apiVersion,
        kind: "Bucket",
        metadata: { name, annotations: background },
        spec: {
          driverName: "fake.example.com",
          deletionPolicy: "Delete",
          bucketClassName: "buckets",
          bucketClaim: { name, namespace },
          protocols: ["S3"],
        },
      },
      opts,
    ),
  (name: string, opts: pulumi.CustomResourceOptions) =>
    new k8s.apiextensions.CustomResource(
      `access-${name}`,
      {
        apiVersion,
        kind: "BucketAccess",
        metadata: { name, namespace, annotations: background },
        spec: { bucketClaimName: name, bucketAccessClassName: "keys", credentialsSecretName: name },
      },
      opts,
    ),
];

const bucketInfo = JSON.stringify({
  metadata: { name: "bc-00000000-0000-0000-0000-000000000000" },
  spec: {
    bucketName: "bucket-00000000-0000-0000-0000-000000000000",
    authenticationType: "Key",
    protocols: ["S3"],
    secretS3: {
      endpoint: "http://127.0.0.1:9",
      region: "eu-1",
      accessKeyID: "AKEXAMPLE",
      accessSecretKey: "none",
    },
  },
});

/** Makes `count` resources that do nothing, each after the one before it. */
function pass(
  name: string,
  count: number,
  after: readonly pulumi.Resource[],
  parent: pulumi.Resource,
): readonly pulumi.Resource[] {
  let last = after;
  for (let index = 0; index < count; index += 1) {
    last = [new Nothing(`${name}-${index}`, { parent, dependsOn: [...last] })];
  }
  return last;
}

function claim(name: string): void {
  const groups = Array.from({ length: shape.components }, (_, index) => new Group(`${name}-${index}`));
  const [group] = groups;
  if (group === undefined) throw new Error("BENCH_SHAPE has no components");
  const written = objects.slice(0, shape.customResources);
  const steps = written.length + 1;
  const share = (index: number): number =>
    Math.floor(((index + 1) * shape.dynamic) / steps) - Math.floor((index * shape.dynamic) / steps);
  // A component is there when its children are: none of them waits for it.
  let last: readonly pulumi.Resource[] = [];
  written.forEach((write, index) => {
    last = pass(`${name}-${index}`, share(index), last, group);
    last = [write(name, { parent: group, dependsOn: [...last] })];
  });
  last = pass(`${name}-last`, share(written.length), last, group);
  for (let index = 0; index < shape.secrets; index += 1) {
    new k8s.core.v1.Secret(
      `secret-${name}-${index}`,
      {
        metadata: { name: `${name}-${index}`, namespace, annotations: background },
        stringData: { BucketInfo: bucketInfo },
      },
      { parent: group, dependsOn: [...last] },
    );
  }
}

for (let index = 1; index <= claims; index += 1) claim(`n-${index}`);
