import { errorText } from "../../provider/dynamic/error-text";
import { ImportError } from "./import-error";

/** What lists all that the command looks at. */
export const listing = "kubectl get obc,ob,sc -A -o json";

/**
 * Reads a text that kubectl has written. Nothing of it is quoted, as it may hold anything: what the parser says of an error
 * is told by its place alone.
 *
 * @throws ImportError
 */
export function parsedList(source: string, text: string): unknown {
  const plain = text.replace(/^\ufeff/, "");
  if (plain.trim() === "") {
    throw new ImportError(
      `${source} is empty: kubectl has written nothing, as it does when it fails. Next: run ${listing} on its own to see what it says`,
    );
  }
  // JSON has no such character as it is; of UTF-16, every other byte is one.
  if (plain.includes("\0")) {
    throw new ImportError(
      `${source} is in UTF-16, as > of Windows PowerShell writes it. Next: write it with ${listing} | Out-File -Encoding utf8 ` +
        "<file>, and name that file",
    );
  }
  try {
    return JSON.parse(plain);
  } catch (error) {
    throw new ImportError(
      `${source} is not JSON${placeOf(errorText(error), plain.length)}. Next: write it again with ${listing}, which gives one ` +
        "list, and check that it ends without an error",
    );
  }
}

function placeOf(said: string, length: number): string {
  const [, position] = / at position (\d+)/.exec(said) ?? [];
  if (said.includes("after JSON"))
    return `: more follows after its end, at character ${position ?? "unknown"}`;
  const isCut = said.includes("end of JSON") || (position !== undefined && Number(position) >= length);
  if (isCut) return `: it is cut off after ${length} characters`;
  return position === undefined ? "" : `: it is wrong at character ${position} of ${length}`;
}
