// Command cosi-recorder-v0.1 is a COSI driver and client on the messages of COSI v0.1.0, dialect A: delete and revoke
// have no context.
package main

import (
	"pulumi-cosi.local/tools/recording-driver/recorder"
	_ "sigs.k8s.io/container-object-storage-interface-spec"
)

func main() { recorder.Main() }
