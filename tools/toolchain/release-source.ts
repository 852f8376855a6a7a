import type { Tool } from "./tool";
import type { Report, ToolSource } from "./tool-source";
import { DownloadError, HostError } from "./release/download-error";
import type { DownloadReport } from "./release/download";
import { fetchRelease } from "./release/fetch-release";
import { HttpClient } from "./release/http-client";
import { defaultLimits, type DownloadLimits } from "./release/limits";
import { addressOf } from "./release/mirror";
import { fileOrigin, httpOrigin } from "./release/origin";
import { platformOf, type Platform } from "./release/platform";
import { progressLines } from "./release/progress-lines";
import type { Release } from "./release/release";
import type { ReleaseCache } from "./release/release-cache";
import { UnusableHosts } from "./release/unusable-hosts";

/** How releases are looked for. */
export interface ReleaseSourceOptions {
  /**
   * `PULUMI_COSI_TOOLS_MIRROR` is the URL of a mirror (see {@link addressOf}), `PULUMI_COSI_TOOLS_OFFLINE=1` turns
   * downloads over the network off, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name proxies.
   */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** @default that of this process */
  readonly platform?: Platform | undefined;
  /** @default defaultLimits */
  readonly limits?: DownloadLimits;
}

/**
 * The official release downloads, checked against the checksum file of the same release. A host that cannot be reached
 * is asked once, for all tools of this source, and told of in one line.
 */
export function releaseSource(cache: ReleaseCache, options: ReleaseSourceOptions): ToolSource {
  const { environment, limits = defaultLimits } = options;
  const platform = options.platform ?? platformOf(process.platform, process.arch);
  const mirror = environment["PULUMI_COSI_TOOLS_MIRROR"];
  const client = new HttpClient(environment, new UnusableHosts(), limits);
  const told = new WeakSet<HostError>();

  const provide = async (tool: Tool, release: Release, report: Report): Promise<string> => {
    const url = addressOf(release.url, mirror);
    const inFolder = url.protocol === "file:";
    if (!inFolder && isOn(environment["PULUMI_COSI_TOOLS_OFFLINE"])) {
      throw new DownloadError(
        "PULUMI_COSI_TOOLS_OFFLINE turns downloads off",
        "unset PULUMI_COSI_TOOLS_OFFLINE, or let PULUMI_COSI_TOOLS_MIRROR name a folder as file:///…",
      );
    }
    const make = (folder: string, download: string) =>
      fetchRelease({
        release,
        origin: inFolder ? fileOrigin : httpOrigin(client),
        mirror,
        folder,
        download,
        report: reportTo(
          report,
          `${tool.name} ${release.version} from ${inFolder ? url.pathname : url.host}`,
        ),
      });
    return cache.add(release, tool.name, make, report);
  };

  return {
    label: "release",
    description: "the official release download",
    find: async (tool, report) => {
      if (platform === undefined) {
        return { reason: `none is taken for ${process.platform} on ${process.arch}` };
      }
      const release = tool.release(platform);
      if ("absent" in release) return { reason: release.absent };
      try {
        return { path: await provide(tool, release, report), version: release.version };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!(error instanceof HostError)) {
          report(`no release of ${tool.name} ${release.version}: ${message}`);
        } else if (!told.has(error)) {
          told.add(error);
          report(`${message}; its releases are not asked for again in this run`);
        }
        const remedy = error instanceof DownloadError ? error.remedy : undefined;
        return { reason: message, ...(remedy === undefined ? {} : { remedy }) };
      }
    },
  };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}

function reportTo(report: Report, what: string): DownloadReport {
  return {
    onProgress: progressLines(what, report),
    onRetry: (reason, waitMs) => {
      report(`${reason}; trying again in ${(waitMs / 1000).toFixed(0)} s`);
    },
  };
}
