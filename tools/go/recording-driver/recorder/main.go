// Package recorder is a driver and a client for cosi.v1alpha1 that share no code with pulumi-cosi: messages, encoding
// and transport are those of upstream's Go module and of grpc-go.
//
// The program that links it also links one release of upstream's generated package, which registers the messages.
package recorder

import (
	"fmt"
	"os"
)

const usage = `usage:
  %[1]s                 serve at COSI_ENDPOINT and record each call as a line of JSON in RECORDER_LOG
  %[1]s call RPC JSON   send one request to the driver at COSI_ENDPOINT and print its reply as JSON
`

// Main serves, or sends one call.
func Main() {
	var err error
	switch {
	case len(os.Args) == 1:
		err = serve(os.Getenv("COSI_ENDPOINT"), os.Getenv("RECORDER_LOG"))
	case len(os.Args) == 4 && os.Args[1] == "call":
		err = call(os.Getenv("COSI_ENDPOINT"), os.Args[2], os.Args[3])
	default:
		fmt.Fprintf(os.Stderr, usage, os.Args[0])
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
