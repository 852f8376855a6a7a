import type { Answer } from "./fake-store";

/** One page of ListObjectVersions; with a marker there are more pages. */
export function versionsPage(keys: readonly string[], nextKeyMarker?: string): Answer {
  const more =
    nextKeyMarker === undefined
      ? "<IsTruncated>false</IsTruncated>"
      : `<IsTruncated>true</IsTruncated><NextKeyMarker>${nextKeyMarker}</NextKeyMarker>`;
  const versions = keys.map((key) => `<Version><Key>${key}</Key><VersionId>null</VersionId></Version>`);
  return ok("ListVersionsResult", more + versions.join(""));
}

/** The only page of ListMultipartUploads. */
export function uploadsPage(keys: readonly string[]): Answer {
  const uploads = keys.map((key) => `<Upload><Key>${key}</Key><UploadId>id-of-${key}</UploadId></Upload>`);
  return ok("ListMultipartUploadsResult", `<IsTruncated>false</IsTruncated>${uploads.join("")}`);
}

/** The reply of DeleteObjects that asked for silence: what was not removed. */
export function deleteResult(errors: readonly { readonly key: string; readonly code: string }[]): Answer {
  const entries = errors.map(
    ({ key, code }) =>
      `<Error><Key>${key}</Key><VersionId>null</VersionId><Code>${code}</Code><Message>why</Message></Error>`,
  );
  return ok("DeleteResult", entries.join(""));
}

function ok(root: string, content: string): Answer {
  return { status: 200, body: `<${root}>${content}</${root}>` };
}
