import { DownloadError } from "./download-error";

/**
 * Where a file is had from: under a mirror, its upstream host and path are found as they are, such as
 * `https://mirror.example.com/tools/github.com/etcd-io/etcd/releases/download/…`.
 *
 * @param mirror - An http:, https: or file: URL; upstream itself when it is empty or absent.
 * @throws DownloadError when it is none.
 */
export function addressOf(url: string, mirror: string | undefined): URL {
  const upstream = new URL(url);
  if (mirror === undefined || mirror === "") return upstream;
  const base = URL.canParse(mirror) ? new URL(mirror) : undefined;
  if (base === undefined || !/^(https?|file):$/.test(base.protocol)) {
    throw new DownloadError(
      `PULUMI_COSI_TOOLS_MIRROR is "${mirror}", which is no URL of http, https or file`,
      "let PULUMI_COSI_TOOLS_MIRROR be like https://mirror.example.com/tools or file:///srv/tools, or unset it",
    );
  }
  base.pathname = `${base.pathname.replace(/\/+$/, "")}/${upstream.host}${upstream.pathname}`;
  return base;
}
