/** Has Pulumi run a program without checking its types, which `tsc` does for the examples. */
export const quickProgram = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
