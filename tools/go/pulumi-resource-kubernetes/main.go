// Command pulumi-resource-kubernetes serves the Kubernetes provider of
// @pulumi/kubernetes 4.25.0. The two JSON files are copied from the provider's
// own module by the set-up, which puts this version into the schema.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

//go:embed schema.json
var schema []byte

//go:embed terraform-mapping.json
var mapping []byte

var version = "4.25.0"

func main() {
	provider.Serve("kubernetes", version, schema, mapping)
}
