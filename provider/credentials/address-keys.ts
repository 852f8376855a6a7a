/** An address in a driver's reply (`bucketName`), or as a variable of a Secret (`AWS_ENDPOINT_URL_S3`). */
const addressKey = /(?:endpoint|endpointurl|endpointurls3|region|bucketname|containername)$/;

/** The last word of a key that says where a server or a database is: `PGHOST`, `dbPort`, `sslmode`. */
const placeWord = /^(?:pg)?(?:host|hostname|hostaddr|port|database|dbname|sslmode)$/;

/** Words of a key: `dbPort`, `DB_PORT` and `db.port` have the same. */
const betweenWords = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/;

/**
 * True for an entry of credentials that says where a bucket or a database is and not how to get in. It is no secret: to mask
 * it would make errors and reports unreadable.
 */
export function isAddressKey(key: string): boolean {
  const last = key
    .split(betweenWords)
    .filter((word) => word !== "")
    .at(-1);
  return (
    placeWord.test((last ?? "").toLowerCase()) ||
    addressKey.test(key.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
  );
}
