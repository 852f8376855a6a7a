module pulumi-cosi.local/tools/recording-driver

go 1.25.0

require (
	google.golang.org/grpc v1.83.2
	google.golang.org/protobuf v1.36.12
	sigs.k8s.io/container-object-storage-interface-spec v0.1.0
	sigs.k8s.io/container-object-storage-interface/proto v0.2.2
)

require (
	github.com/golang/protobuf v1.5.4 // indirect
	golang.org/x/net v0.58.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260630182238-925bb5da69e7 // indirect
)
