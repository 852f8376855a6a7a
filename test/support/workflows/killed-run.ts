import type { Properties } from "../lifecycle";
import { FakeEngine, ProviderHost } from "../provider-host";

/** What the state keeps of a provider: see the test of the resource classes. */
const providerText = (file: string): string =>
  `exports.handler = () => require("pulumi-cosi/provider/${file}").provider;`;

/** A create in a host process that is killed before the engine has an answer, so that no state is written. */
export class KilledRun {
  private constructor(
    private readonly engine: FakeEngine,
    private readonly host: ProviderHost,
  ) {}

  static async start(): Promise<KilledRun> {
    const engine = await new FakeEngine().start();
    const host = await ProviderHost.start(engine);
    await host.configure({});
    return new KilledRun(engine, host);
  }

  /**
   * Checks the inputs and begins a create.
   *
   * @param file Of the provider, `bucket/provider`.
   * @param when Resolves at the moment of the kill.
   */
  async createUntil(file: string, inputs: Properties, when: () => Promise<void>): Promise<void> {
    const checked = await this.host.check({}, { ...inputs, __provider: providerText(file) });
    // Its end is the kill: nobody is told of a result.
    const ended = this.host.create(checked.inputs).catch(() => undefined);
    await when();
    await this.kill();
    await ended;
  }

  async kill(): Promise<void> {
    await this.host.kill();
    this.engine.kill();
  }
}
