import type { ClientBase } from "pg";
import type { Log } from "../../common/log";

/** A row of an answer, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** A connection to one database. */
export class Session {
  constructor(
    private readonly client: ClientBase,
    private readonly database: string,
    private readonly log: Log,
  ) {}

  /** The number of the server's process at the other end; undefined if the server did not tell it. */
  get pid(): number | undefined {
    const pid: unknown = "processID" in this.client ? this.client.processID : undefined;
    return typeof pid === "number" ? pid : undefined;
  }

  /**
   * Runs a statement.
   *
   * @param values - for `$1`, `$2`, … of a query; statements that define something take none.
   */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const start = performance.now();
    try {
      const { rows } = await this.client.query<Row>(text, [...values]);
      return rows;
    } finally {
      // The first words alone: what follows may hold what is secret.
      this.log.debug("statement", {
        database: this.database,
        statement: text.split(" ", 2).join(" "),
        ms: Math.round(performance.now() - start),
      });
    }
  }

  /** Runs statements of which either all or none have an effect. */
  async transaction<T>(task: () => Promise<T>): Promise<T> {
    await this.query("BEGIN");
    try {
      const result = await task();
      await this.query("COMMIT");
      return result;
    } catch (error) {
      // Where the connection is lost, the server does it by itself.
      await this.query("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }
}

/** A text in a row; empty if the column is null. */
export function textIn(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
