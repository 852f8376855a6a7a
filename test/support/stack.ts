export { Stack, type CommandResult, type ExportedResource, type PreviewStep } from "../../tools/local/stack";
