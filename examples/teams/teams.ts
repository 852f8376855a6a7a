import * as k8s from "@pulumi/kubernetes";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import * as cosi from "pulumi-cosi";

/** What a team gets: a namespace, a bucket, and a Secret with keys for it. Its name is that of its stack. */
const programOf = (team: string) => () => {
  const driver = new cosi.Driver("store", { command: ["cosi-driver-s3"] });

  // Classes belong to the whole cluster: each stack gives its own another name.
  const bucketClass = new cosi.objectstorage.BucketClass(`${team}-buckets`, {
    driver,
    deletionPolicy: "Retain",
  });
  const bucketAccessClass = new cosi.objectstorage.BucketAccessClass(`${team}-keys`, {
    driver,
    authenticationType: "Key",
  });

  const { metadata } = new k8s.core.v1.Namespace("namespace", { metadata: { name: `team-${team}` } });
  const bucketClaim = new cosi.objectstorage.BucketClaim("data", {
    namespace: metadata.name,
    bucketClass,
    protocols: ["S3"],
  });
  const access = new cosi.objectstorage.BucketAccess("data", {
    namespace: metadata.name,
    bucketClaim,
    bucketAccessClass,
    credentialsSecretName: "data",
    extraKeys: ["aws-environment"],
  });
  return Promise.resolve({ bucket: bucketClaim.bucketId, secret: access.secretName });
};

function stackOf(team: string): Promise<Stack> {
  const name = "teams";
  return LocalWorkspace.createOrSelectStack(
    { projectName: name, stackName: team, program: programOf(team) },
    // The providers are loaded from there, wherever this process runs.
    { projectSettings: { name, runtime: "nodejs", main: __dirname } },
  );
}

const commands: Readonly<Record<string, (stack: Stack) => Promise<unknown>>> = {
  preview: async (stack) => (await stack.preview()).changeSummary,
  up: async (stack) => {
    const { outputs } = await stack.up();
    // Outputs come in plain text, secrets too.
    return Object.fromEntries(
      Object.entries(outputs).map(([name, { value, secret }]) => [
        name,
        secret ? "[secret]" : (value as unknown),
      ]),
    );
  },
  destroy: async (stack) => (await stack.destroy()).summary.resourceChanges,
};

/** Does one command for several teams at once, and tells of each. */
async function main([command = "", ...teams]: readonly string[]): Promise<void> {
  const run = commands[command];
  if (run === undefined)
    throw new Error(`give one of ${Object.keys(commands).join(", ")}, then names of teams`);
  const results = await Promise.allSettled(teams.map(async (team) => run(await stackOf(team))));
  for (const [index, result] of results.entries()) {
    const team = teams[index] ?? "";
    if (result.status === "fulfilled") console.log(team, JSON.stringify(result.value));
    else {
      console.error(team, String(result.reason));
      process.exitCode = 1;
    }
  }
}

void main(process.argv.slice(2));
