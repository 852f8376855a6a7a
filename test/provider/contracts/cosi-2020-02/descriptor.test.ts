import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createFileRegistry,
  fromBinary,
  getOption,
  ScalarType,
  type DescEnum,
  type DescField,
  type DescMessage,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const root = join(__dirname, "..", "..", "..", "..");
const none = "–";

/** One field or one value of an enum, in the words of the wire table in the list of requirements. */
interface Row {
  readonly message: string;
  readonly field: string;
  readonly number: string;
  readonly type: string;
}

/** The table of the list, from which every other side is built too: several in one of its rows are divided. */
function tableRows(): Row[] {
  const list = readFileSync(join(root, "docs", "requirements", "kep-2020-02.md"), "utf8");
  return list
    .slice(list.indexOf("| Message | Field | No. | Type |"))
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .filter((cells) => cells.length === 6 && !/^(Message|-+)$/.test(cells[1] ?? ""))
    .flatMap(([, message = "", fields = "", numbers = "", types = ""]) => {
      const [numberOf, typeOf] = [numbers.split(" / "), types.split(" / ")];
      return fields.split(" / ").map((field, index) => ({
        message,
        field,
        number: numberOf[index] ?? "",
        type: (types === none ? none : (typeOf[index] ?? "")).replace(" (nested)", ""),
      }));
    });
}

describe("the descriptors of cosi-2020-02", () => {
  const image = readFileSync(join(root, "gen", "cosi-2020-02", "image.binpb"));
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
  const file = registry.getFile("cosi/v1/cosi.proto") ?? assert.fail("no file");
  const messages = file.messages.flatMap(withNested);

  it("are two services of two unary methods each in the package of the proposal [K02-099]", () => {
    assert.equal(file.proto.syntax, "proto3");
    assert.equal(file.proto.package, "cosi.v1");
    assert.equal(file.proto.options?.goPackage, "github.com/container-object-store-interface/go-cosi");
    const methods = file.services.map(({ typeName, methods }) => [
      typeName,
      methods.map(({ name, methodKind, input, output }) => [name, methodKind, input.name, output.name]),
    ]);
    const unary = (name: string) => [name, "unary", `${name}Request`, `${name}Response`];
    assert.deepEqual(methods, [
      ["cosi.v1.DynamicBucketHandler", ["CreateBucket", "DeleteBucket"].map(unary)],
      ["cosi.v1.StaticBucketHandler", ["GrantBucketAccess", "RevokeBucketAccess"].map(unary)],
    ]);
  });

  it("mark what is secret with the option of the proposal [K02-102]", () => {
    const option = registry.getExtension("cosi.v1.cosi_secret") ?? assert.fail("no option cosi_secret");
    assert.equal(option.number, 1000);
    assert.equal(option.extendee.typeName, "google.protobuf.MessageOptions");
    assert.equal(option.fieldKind === "scalar" && option.scalar, ScalarType.BOOL);
    const secret = messages.filter((message) => getOption(message, option) === true);
    assert.deepEqual(secret.map(nameOf), [
      "CreateBucketResponse.ProtocolAzureBlob.AuthenticationData",
      "CreateBucketResponse.ProtocolGcs.AuthenticationData",
      "CreateBucketResponse.ProtocolS3.AuthenticationData",
      "GrantBucketAccessResponse",
    ]);
  });

  it("are the wire table, row by row, and nothing beside it [K02-100]", () => {
    const enums = [...file.enums, ...messages.flatMap(({ nestedEnums }) => nestedEnums)];
    const described = [...messages.flatMap(rowsOfMessage), ...enums.flatMap(rowsOfEnum)];
    const sorted = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
    const expected = tableRows();
    assert.ok(expected.length > 100, "the table was not found");
    assert.deepEqual(sorted(described), sorted(expected));
  });

  it("have the parts of a message within it, so that equal names are no equal messages [K02-100]", () => {
    for (const message of messages) {
      for (const { message: part, name } of message.fields) {
        if (part !== undefined) assert.equal(part.parent, message, `${nameOf(message)}.${name}`);
      }
    }
  });

  it("have a field called as its type is [K02-101]", () => {
    const requests = ["Create", "Delete", "Grant", "Revoke"].map((verb) =>
      messages.find(({ name }) => new RegExp(`^${verb}Bucket(Access)?Request$`).test(name)),
    );
    for (const request of requests) {
      const field = request?.fields.find(({ enum: type }) => type?.typeName === "cosi.v1.AccessMode");
      assert.equal(field?.name, "AccessMode", request?.name);
    }
  });
});

function withNested(message: DescMessage): DescMessage[] {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}

function nameOf({ typeName }: DescMessage | DescEnum): string {
  return typeName.slice("cosi.v1.".length);
}

/** A message in the words of the table. */
function rowsOfMessage(message: DescMessage): Row[] {
  if (message.fields.length === 0) {
    return [{ message: nameOf(message), field: none, number: none, type: none }];
  }
  return message.fields.map((field) => ({
    message: `${nameOf(message)}${field.oneof === undefined ? "" : `, oneof ${field.oneof.name}`}`,
    field: field.name,
    number: `${field.number}`,
    type: typeOf(field),
  }));
}

function rowsOfEnum(type: DescEnum): Row[] {
  return type.values.map(({ name, number }) => ({
    message: `enum ${nameOf(type)}`,
    field: name,
    number: `${number}`,
    type: none,
  }));
}

function typeOf(field: DescField): string {
  switch (field.fieldKind) {
    case "map":
      return "map<string,string>";
    case "list":
      return `repeated ${field.enum?.name ?? "?"}`;
    case "message":
      return field.message.name;
    case "enum":
      return field.enum.name;
    case "scalar":
      return ScalarType[field.scalar].toLowerCase();
  }
}
