/** A secret as drivers write it: plain, in JSON, in a URL, in base64. */
export function formsOf(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    Buffer.from(secret).toString("base64"),
  ];
}
