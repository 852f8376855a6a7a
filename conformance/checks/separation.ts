import type { DriverGrantBucketAccessResponse } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { secretsWithin } from "../../provider/credentials/address-password";
import type { Check, Problem } from "../check";
import type { Context } from "../context";
import { credentialOf, openingValues } from "../credentials";
import { verdict } from "../judge";

/** A shorter text may be equal, or stand anywhere, by chance. */
const shortestSecret = 8;

function longSecrets(reply: DriverGrantBucketAccessResponse): string[] {
  return openingValues(reply).filter(({ length }) => length >= shortestSecret);
}

/** Two accounts that have a password, a token or a key in common, whatever else they have. */
function sharedSecrets({ contract, replies }: Context): Problem[] {
  const holders = new Map<string, string>();
  for (const reply of replies.grants) {
    for (const secret of longSecrets(reply)) {
      const holder = holders.get(secret) ?? reply.accountId;
      holders.set(secret, holder);
      if (holder === reply.accountId) continue;
      return [
        {
          sent: `${contract.rpcs.grant.name} for two accounts`,
          answered: `the same secret for ${holder} and ${reply.accountId}`,
          wanted: "separate credentials",
        },
      ];
    }
  }
  return [];
}

/** A credential that is the driver's own. */
function administratorSecrets({ contract, control, replies }: Context): Problem[] {
  const known = (control?.configuration ?? []).flatMap((text) => [text, ...secretsWithin(text)]);
  const isKnown = (secret: string): boolean => known.some((text) => text.includes(secret));
  if (!replies.grants.some((reply) => longSecrets(reply).some(isKnown))) return [];
  return [
    {
      sent: contract.rpcs.grant.name,
      answered: "a credential that stands in the environment or the command line of the driver itself",
      wanted: "credentials of the account's own, never those with which the driver logs in to its backend",
    },
  ];
}

export const separationChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-024", deployment: "DEP-026" },
    needs: ["access"],
    run: async (context) => {
      const { bucketId } = await context.bucket();
      const a = await context.account(bucketId);
      const b = await context.account(bucketId);
      const credential = credentialOf(a.reply);
      if (credential === undefined || credential !== credentialOf(b.reply)) return verdict([]);
      const sent = `grants ${a.name} and ${b.name} on one ${context.contract.object}`;
      return verdict([{ sent, answered: "the same credential twice", wanted: "separate credentials" }]);
    },
  },
  {
    ids: { cosi: "GRPC-024", deployment: "DEP-026" },
    needs: ["access"],
    last: true,
    recordsOnly: true,
    run: (context) => Promise.resolve(verdict(sharedSecrets(context))),
  },
  {
    ids: { deployment: "DEP-026" },
    needs: ["access"],
    last: true,
    recordsOnly: true,
    run: (context) => {
      const problems = administratorSecrets(context);
      const unseen =
        "that no credential is one of the driver's own shows where the check starts it: needs --command";
      return Promise.resolve(verdict(problems, context.control === undefined ? unseen : undefined));
    },
  },
];
