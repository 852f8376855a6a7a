/**
 * Shows the main job on real parts: runs examples/quickstart as a user would, then is the workload that uses what it
 * made, and proves that nothing is left. `--keep` leaves all of it up until Ctrl-C.
 */
import { once } from "node:events";
import { dirname } from "node:path";
import { startControlPlane } from "../local/control-plane";
import type { ControlPlane } from "../local/control-plane-access";
import { Stack } from "../local/stack";
import { startStore } from "../local/store";
import type { Store } from "../local/store-access";
import { step } from "../setup/progress.mjs";
import { onShutdown } from "../setup/shutdown.mjs";
import { ApiServer } from "./api-server";
import { Backend } from "./backend";
import { printTable } from "./print-table";
import { Workload } from "./workload";

const namespace = "shop";
const group = "/apis/objectstorage.k8s.io/v1alpha1";
const lists = [
  `${group}/bucketclasses`,
  `${group}/bucketaccessclasses`,
  `${group}/namespaces/${namespace}/bucketclaims`,
  `${group}/buckets`,
  `${group}/namespaces/${namespace}/bucketaccesses`,
  `/api/v1/namespaces/${namespace}/secrets`,
];

function headline(text: string): void {
  console.log(`\n── ${text} ${"─".repeat(Math.max(0, 100 - text.length))}\n`);
}

/** What was started is ended in the reverse order, also when the demo fails. */
const endings: (() => Promise<void>)[] = [];

function ends<T>(started: T, end: (started: T) => Promise<void>): T {
  endings.unshift(() => end(started));
  return started;
}

/** The stack may hold something. */
let isUp = false;

async function takeDown(stack: Stack): Promise<void> {
  if (!isUp) return;
  isUp = false;
  await stack.run(["destroy", "--yes", "--skip-preview"]);
}

async function main(keep: boolean): Promise<void> {
  const controlPlane = ends(await step("API server", () => startControlPlane()), (it) => it.stop());
  const store = ends(await step("S3 store", () => startStore()), (it) => it.stop());
  const program = step("program examples/quickstart", () =>
    Stack.create(
      { example: "quickstart" },
      {
        KUBECONFIG: controlPlane.kubeconfig,
        S3_DRIVER_S3_ENDPOINT: store.endpoint,
        AWS_REGION: store.region,
        AWS_ACCESS_KEY_ID: store.accessKeyId,
        AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
      },
      { color: process.stdout.isTTY },
    ),
  );
  const stack = ends(await program, async (it) => {
    await takeDown(it);
    await it.remove();
  });
  // A cluster or a store of the user's outlives the demo, and must not keep what the demo made.
  if (!controlPlane.local || !store.local) onShutdown(() => takeDown(stack));
  const api = new ApiServer(controlPlane.kubeconfig);
  const backend = new Backend(store);

  headline("pulumi preview: what will happen, with no call to the driver");
  await stack.show(["preview"]);
  headline("pulumi up");
  isUp = true;
  await stack.show(["up", "--yes", "--skip-preview"]);
  headline("what the API server says");
  for (const list of lists) printTable(list.slice(list.lastIndexOf("/") + 1), await api.table(list));

  headline("the workload, which knows nothing but its Secret");
  await useAsWorkload(new Workload(await api.secretData(namespace, "photos-creds")), backend);

  if (keep) await look(stack, controlPlane, store);

  headline("pulumi preview, again: an unchanged program has nothing to do");
  await stack.show(["preview", "--expect-no-changes"]);
  headline("pulumi destroy");
  await stack.show(["destroy", "--yes", "--skip-preview"]);
  isUp = false;
  await proveNothingIsLeft(api, backend);
  backend.close();
}

async function useAsWorkload(workload: Workload, backend: Backend): Promise<void> {
  const other = "somebody-elses-bucket";
  await step("writes an object", () => workload.write("hello.txt", "hello"));
  await step("reads it", async ({ detail }) => {
    detail(JSON.stringify(await workload.read("hello.txt")));
  });
  await backend.createBucket(other);
  await step("is refused at another bucket", async ({ detail }) => {
    detail(await workload.refusalAt(other));
  });
  await backend.deleteBucket(other);
  // The driver deletes no bucket that holds objects.
  await step("deletes the object", () => workload.delete("hello.txt"));
  workload.close();
}

async function look(stack: Stack, { kubeconfig }: ControlPlane, store: Store): Promise<void> {
  const { environment, variables, folder } = stack;
  // The keys of a store that the user gave are not ours to print.
  const names = Object.keys(variables).filter((name) => store.local || !name.startsWith("AWS_"));
  const shown = ["PULUMI_HOME", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"];
  const settings = { ...environment.env, ...variables };
  headline("everything stays up until Ctrl-C; to look around, in another terminal");
  for (const name of [...shown, ...names]) console.log(`export ${name}='${settings[name] ?? ""}'`);
  console.log(`export PATH='${dirname(environment.pulumi)}':$PATH`);
  console.log(`cd '${folder}'`);
  console.log("pulumi stack");
  console.log(`kubectl --kubeconfig '${kubeconfig}' get bucketclaims,bucketaccesses,buckets -A`);
  console.log(`aws --endpoint-url ${store.endpoint} s3 ls`);
  // The timer keeps this process; at Ctrl-C the set-up ends it and all that it started.
  setInterval(() => undefined, 60_000);
  await once(process, "exit");
}

async function proveNothingIsLeft(api: ApiServer, backend: Backend): Promise<void> {
  headline("what is left");
  const prove = (what: string, found: Promise<readonly unknown[] | number>): Promise<void> =>
    step(what, async ({ detail }) => {
      const left = await found;
      const count = typeof left === "number" ? left : left.length;
      if (count > 0) throw new Error(`${what}: ${String(left)} left`);
      detail("none");
    });
  for (const kind of ["bucketclasses", "bucketaccessclasses", "bucketclaims", "bucketaccesses", "buckets"]) {
    await prove(`${kind} in the cluster`, api.count(`${group}/${kind}`));
  }
  await prove("buckets in the store", ours(backend.buckets(), "bucket-"));
  await prove("users in the store", ours(backend.users(), "cosi-"));
}

/** A store of the user's may hold others. */
async function ours(names: Promise<string[]>, prefix: string): Promise<string[]> {
  return (await names).filter((name) => name.startsWith(prefix));
}

const options = process.argv.slice(2);
const unknown = options.filter((option) => option !== "--keep");
if (unknown.length > 0) {
  console.error(`The demo does not know ${unknown.join(" ")}; it knows --keep.`);
  process.exit(2);
}
main(options.includes("--keep"))
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(async () => {
    for (const end of endings) await end();
  })
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
