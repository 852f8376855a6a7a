/** Go's default text of a time: `2006-01-02 15:04:05.999999999 -0700 MST`, and ` m=+0.1` where its clock ran. */
const goTime =
  /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) ([+-]\d\d)(\d\d)(?: [A-Za-z0-9+-]+)?(?: m=[+-][\d.]+)?$/;
const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * When a token ends, in RFC 3339 and UTC, from what a driver writes: RFC 3339, or the text that Go prints of a time.
 *
 * @returns `null` for anything else, for a day that no calendar has, and for Go's year 1, which stands for no time.
 */
export function readExpiry(text: string): string | null {
  const [, date = "", time = "", hours = "", minutes = ""] = goTime.exec(text) ?? [];
  const candidate = date === "" ? text : `${date}T${time}${hours}:${minutes}`;
  const [, year, month, day] = rfc3339.exec(candidate) ?? [];
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return null;
  const milliseconds = year === undefined || year === "0001" ? Number.NaN : Date.parse(candidate);
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString().replace(".000Z", "Z");
}
