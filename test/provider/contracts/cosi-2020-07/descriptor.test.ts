import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createFileRegistry,
  fromBinary,
  getOption,
  ScalarType,
  type DescExtension,
  type DescField,
  type DescMessage,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const root = join(__dirname, "..", "..", "..", "..");

/** One row of the wire table in the list of requirements. */
interface Row {
  readonly message: string;
  readonly field: string;
  readonly number: string;
  readonly type: string;
}

/** The table of the list, from which every other side is built too. */
function tableRows(): Row[] {
  const list = readFileSync(join(root, "docs", "requirements", "kep-2020-07.md"), "utf8");
  return list
    .slice(list.indexOf("Decided wire table"))
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim().replaceAll(/`| \(name decided\)/g, "")))
    .filter((cells) => cells.length === 7 && !/^(Message|-+)$/.test(cells[1] ?? ""))
    .map(([, message = "", field = "", number = "", type = ""]) => ({ message, field, number, type }));
}

describe("the descriptors of cosi-2020-07", () => {
  const image = readFileSync(join(root, "gen", "cosi-2020-07", "image.binpb"));
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
  const file = registry.getFile("cosi/v1/cosi.proto") ?? assert.fail("no file");

  it("are one service of four unary methods in the package of the proposal, with its option for secrets [K07-122]", () => {
    assert.equal(file.proto.syntax, "proto3");
    assert.equal(file.proto.package, "cosi.v1");
    assert.equal(file.proto.options?.goPackage, "github.com/container-object-store-interface/go-cosi");
    assert.deepEqual(
      file.services.map(({ typeName, methods }) => [
        typeName,
        methods.map(({ name, methodKind }) => [name, methodKind]),
      ]),
      [
        [
          "cosi.v1.CosiController",
          ["CreateBucket", "DeleteBucket", "GrantBucketAccess", "RevokeBucketAccess"].map((name) => [
            name,
            "unary",
          ]),
        ],
      ],
    );
    const option = secretOption();
    assert.equal(option.number, 1000);
    assert.equal(option.extendee.typeName, "google.protobuf.MessageOptions");
    assert.equal(option.fieldKind === "scalar" && option.scalar, ScalarType.BOOL);
    const secret = file.messages.filter((message) => getOption(message, option) === true);
    assert.deepEqual(
      secret.map(({ name }) => name),
      ["S3Credentials", "GCSCredentials", "AzureCredentials", "GenericCredentials"],
    );
  });

  it("mark every map of secrets, which can be no message with an option", () => {
    const marked = file.messages.flatMap((message) =>
      message.fields
        .filter(({ proto }) => proto.options?.debugRedact === true)
        .map((field) => `${message.name}.${field.name}`),
    );
    const requests = ["CreateBucket", "DeleteBucket", "GrantBucketAccess", "RevokeBucketAccess"];
    assert.deepEqual(
      marked,
      requests.map((name) => `${name}Request.secrets`),
    );
  });

  it("have the numbers of the enums as given [K07-123]", () => {
    const enums = Object.fromEntries(
      file.enums.map(({ name, values }) => [
        name,
        Object.fromEntries(values.map((value) => [value.name, value.number])),
      ]),
    );
    assert.deepEqual(enums, {
      DataProtocol: { PROTOCOL_UNSPECIFIED: 0, AZURE_BLOB: 1, GCS: 2, S3: 3 },
      AccessMode: { MODE_UNSPECIFIED: 0, RO: 1, WO: 2, RW: 3 },
      S3SignatureVersion: { VERSION_UNSPECIFIED: 0, V2: 1, V4: 2 },
    });
    const users = file.messages.flatMap(({ fields }) =>
      fields.filter(({ enum: type }) => type !== undefined),
    );
    assert.ok(!users.some(({ enum: type }) => type?.name === "S3SignatureVersion"));
  });

  it("are the decided wire table, row by row, and nothing beside it [K07-125]", () => {
    const described = file.messages.flatMap((message) =>
      message.fields.length === 0
        ? [{ message: message.name, field: "–", number: "–", type: "–" }]
        : message.fields.map((field) => rowOf(message, field)),
    );
    const sorted = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
    const expected = tableRows();
    assert.ok(expected.length > 40, "the table was not found");
    assert.deepEqual(sorted(described), sorted(expected));
  });

  function secretOption(): DescExtension {
    return registry.getExtension("cosi.v1.cosi_secret") ?? assert.fail("no option cosi_secret");
  }
});

/** A field in the words of the table. */
function rowOf(message: DescMessage, field: DescField): Row {
  const oneof = field.oneof === undefined ? "" : `, oneof ${field.oneof.name}`;
  return {
    message: `${message.name}${oneof}`,
    field: field.name,
    number: `${field.number}`,
    type: typeOf(field),
  };
}

function typeOf(field: DescField): string {
  switch (field.fieldKind) {
    case "map":
      return "map<string,string>";
    case "list":
      return `repeated ${field.message?.name ?? "?"}`;
    case "message":
      return field.message.name;
    case "enum":
      return field.enum.name;
    case "scalar":
      return ScalarType[field.scalar].toLowerCase();
  }
}
