// Command cosi-recorder is a COSI driver and client on the messages of COSI v0.2.2, dialect B.
package main

import (
	"pulumi-cosi.local/tools/recording-driver/recorder"
	_ "sigs.k8s.io/container-object-storage-interface/proto"
)

func main() { recorder.Main() }
