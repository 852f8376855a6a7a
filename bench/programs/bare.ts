/** The smallest program with a dynamic resource: it notes the time at which its create is called. */
import * as fs from "node:fs";
import * as pulumi from "@pulumi/pulumi";

class Noted extends pulumi.dynamic.Resource {
  constructor(name: string) {
    super(
      {
        create: () => {
          fs.writeFileSync(process.env["BENCH_NOTE"] ?? "", String(Date.now()));
          return Promise.resolve({ id: "noted", outs: {} });
        },
      },
      name,
      {},
    );
  }
}

new Noted("noted");
