import type { Driver } from "../../../drivers/postgres/core/driver";
import { kindOf, reasonOf } from "../../../drivers/postgres/core/server-error";
import type { Login } from "../../drivers/postgres/support/postgres-admin";
import { Setting } from "./setting";

/** What a call came to: `OK`, or the kind of its error and the reason. */
export async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "OK",
    (error: unknown) => `${kindOf(error)}: ${reasonOf(error)}`,
  );
}

/** A driver without a wire at a real server, and the objects that tests of it need. */
export class CoreSetting {
  private constructor(
    readonly setting: Setting,
    readonly driver: Driver,
  ) {}

  static async start(): Promise<CoreSetting> {
    const setting = await Setting.start();
    return new CoreSetting(setting, setting.core());
  }

  /** A deployment. */
  async deployment(params: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = this.setting.admin.name();
    await this.driver.deployments.create(name, new Map(Object.entries(params)));
    return name;
  }

  /** The login of an account of a new name. */
  async grant(database: string, params: Readonly<Record<string, string>> = {}): Promise<Login> {
    const { accountId, password } = await this.driver.accounts.grant(
      database,
      this.setting.admin.name(),
      new Map(Object.entries(params)),
    );
    return { database, user: accountId, password };
  }

  revoke({ database, user }: Login): Promise<string> {
    return outcome(this.driver.accounts.revoke(database, user));
  }

  delete(database: string): Promise<string> {
    return outcome(this.driver.deployments.delete(database));
  }
}
