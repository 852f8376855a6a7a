import type { DriverNaming } from "../contract";

const namespaceForm = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const nameForm = /^[^\s/]{1,253}$/;

/** The rule for a provisioner in words, for messages. */
const provisionerForm =
  "<provisioner-namespace>/<provisioner-name>, such as ceph-rgw-provisioning/ceph-rgw.cosi.ceph.com: the name of a " +
  "Kubernetes namespace, and up to 253 characters without a slash or space";

/**
 * How the proposal names drivers: `<provisioner-namespace>/<provisioner-name>`; the part after the slash is what a driver
 * calls itself.
 * Source: COSI proposal of 2020-07-08, Bucket, item 4.
 */
export const provisionerNaming: DriverNaming = {
  form: "<provisioner-namespace>/<provisioner-name>",
  problem: (provisioner) => {
    const [namespace = "", name = "", ...rest] = provisioner.split("/");
    if (rest.length === 0 && namespaceForm.test(namespace) && nameForm.test(name)) return undefined;
    return `is ${JSON.stringify(provisioner)}: a provisioner has the form ${provisionerForm}`;
  },
  ownName: (provisioner) => provisioner.slice(provisioner.indexOf("/") + 1),
};
