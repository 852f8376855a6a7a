/** A text as one reads it after taking away what an encoder has put in, and where each character of it comes from. */
export interface TextView {
  readonly text: string;
  /** For each character of the text, the part of the text that was looked at that it stands for. */
  readonly origins: readonly Range[];
}

/** A part of a text: from its first index up to the one behind it. */
export type Range = readonly [start: number, end: number];

/** What stands for other characters, and for which; `undefined` where it stands for itself. */
type Decoder = (text: string) => readonly Decoded[];

interface Decoded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** As encoders are nested in practice: JSON within JSON, a URL within JSON. */
const deepest = 2;

/**
 * The text itself, and the ways to read it: with the escapes of URLs and forms, of JSON and of strings in Go and Python,
 * and of XML taken back, and without line ends, also one in the other. Encoders differ in what they escape, in upper and
 * lower case and in the names of entities; readers do not, so a secret is looked for in what they read.
 */
export function viewsOf(text: string): TextView[] {
  const whole = {
    text,
    origins: Array.from({ length: text.length }, (_, index): Range => [index, index + 1]),
  };
  const views: TextView[] = [whole];
  let last: readonly TextView[] = views;
  for (let depth = 0; depth < deepest; depth += 1) {
    const next = last.flatMap((view) => decoders.flatMap((decode) => decodedView(view, decode) ?? []));
    last = next.filter((view, index) => !has(views, view) && !has(next.slice(0, index), view));
    views.push(...last);
  }
  return views;
}

/** The text with the parts replaced, those that overlap by one replacement. */
export function replaceRanges(text: string, ranges: readonly Range[], replacement: string): string {
  let result = "";
  let done = 0;
  for (const [start, end] of joined(ranges)) {
    result += text.slice(done, start) + replacement;
    done = end;
  }
  return result + text.slice(done);
}

/** A part of a view as the part of the text that it comes from. */
export function originOf({ origins }: TextView, [start, end]: Range): Range {
  return [origins[start]?.[0] ?? 0, origins[end - 1]?.[1] ?? 0];
}

function has(views: readonly TextView[], { text }: TextView): boolean {
  return views.some((view) => view.text === text);
}

function joined(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

function decodedView({ text, origins }: TextView, decode: Decoder): TextView | undefined {
  const pieces = decode(text);
  if (pieces.length === 0) return undefined;
  const decoded: string[] = [];
  const from: Range[] = [];
  let done = 0;
  const copy = (end: number): void => {
    decoded.push(text.slice(done, end));
    for (const origin of origins.slice(done, end)) from.push(origin);
  };
  for (const piece of pieces) {
    copy(piece.start);
    decoded.push(piece.text);
    const origin = originOf({ text, origins }, [piece.start, piece.end]);
    from.push(...Array<Range>(piece.text.length).fill(origin));
    done = piece.end;
  }
  copy(text.length);
  return { text: decoded.join(""), origins: from };
}

/** A decoder of what a pattern finds. */
function decoder(pattern: RegExp, read: (found: RegExpMatchArray) => string | undefined): Decoder {
  return (text) =>
    [...text.matchAll(pattern)].flatMap((found) => {
      const decoded = read(found);
      const start = found.index;
      return decoded === undefined ? [] : [{ start, end: start + found[0].length, text: decoded }];
    });
}

/** One character in UTF-8, of one to four bytes. */
const percents = /%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}/i;
const ofUrl = decoder(new RegExp(percents, "gi"), readPercents);
const ofForm = decoder(new RegExp(`${percents.source}|\\+`, "gi"), (found) =>
  found[0] === "+" ? " " : readPercents(found),
);

function readPercents([found]: RegExpMatchArray): string | undefined {
  try {
    return decodeURIComponent(found);
  } catch {
    return undefined;
  }
}

const controls: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const ofString = decoder(
  /\\(?:u([\da-fA-F]{4})|U000([\da-fA-F]{5})|u\{([\da-fA-F]{1,5})\}|x([\da-fA-F]{2})|([abfnrtv])|([^A-Za-z\d\r\n]))/gu,
  ([, ...groups]) => {
    const [unit, long, braced, byte, control, itself] = groups;
    const code = unit ?? long ?? braced ?? byte;
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    return control === undefined ? itself : controls[control];
  },
);

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ofXml = decoder(
  /&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,6})|#x([0-9a-f]{1,5}));/gi,
  ([, name, decimal, hex]) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal))
      : entities[name.toLowerCase()],
);

/** Base64 is broken into lines, which may be indented. */
const unbroken = decoder(/[\r\n]\s*/g, () => "");

const decoders: readonly Decoder[] = [ofUrl, ofForm, ofString, ofXml, unbroken];
