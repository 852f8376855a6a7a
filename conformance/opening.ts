const betweenWords = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/;

/** What opens something, as the name of a variable, a flag or a member says; `GIT_AUTHOR_NAME` is none. */
const opening =
  /pass|pwd|secret|token|credential|auth(?!ors?(?:_|$))|private|dsn|conn(?:ection)?[-_]?str|(?:^|[-_])keys?[-_]|keys?$|sas$/i;
/** The same as whole words, which other words may hold. */
const openingWords = new Set(["pw", "sig", "signature", "sk", "bearer", "jwt"]);
/** Where a shell is, and not a password. */
const folders = /^(?:OLD)?PWD$/;
/** How a name ends that tells how, or where, something opens. */
const manner = /(?:file|path|type|mode|method|prefix|sock(?:et)?)$/i;
/** Segments of words, as no random text of that length consists of. */
const path = /^(?:\/(?:[._-]?[A-Z])?[a-z0-9._@-]*){2,}$/;

/** Words of a name, in lower case: `dbPort`, `DB_PORT` and `db.port` have the same. */
export function wordsOf(name: string): string[] {
  return name
    .split(betweenWords)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** True if what has this name opens something. */
export function opensByName(name: string): boolean {
  if (folders.test(name) || manner.test(name)) return false;
  return opening.test(name) || hasOpeningWord(name);
}

/** True for names such as `DB_PW`: what opens stands in them as a word of its own. */
export function hasOpeningWord(name: string): boolean {
  return wordsOf(name).some((word) => openingWords.has(word));
}

/** True for an absolute path: where a secret lies, and not the secret. */
export function isPath(value: string): boolean {
  return path.test(value);
}
