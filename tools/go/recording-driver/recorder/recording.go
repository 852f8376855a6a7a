package recorder

import (
	"context"
	"encoding/json"
	"os"
	"sync"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// entry is one call as upstream's code decoded it.
type entry struct {
	Path      string          `json:"path"`
	Authority []string        `json:"authority"`
	Request   json.RawMessage `json:"request"`
	// Bytes of fields that this release of the messages does not have.
	UnknownBytes int `json:"unknownBytes"`
}

// recording appends calls to a file, a line each.
type recording struct {
	mutex sync.Mutex
	file  *os.File
}

func openRecording(path string) (*recording, error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return &recording{file: file}, err
}

func (r *recording) add(ctx context.Context, method method, request proto.Message) error {
	decoded, err := protojson.Marshal(request)
	if err != nil {
		return err
	}
	sent, _ := metadata.FromIncomingContext(ctx)
	line, err := json.Marshal(entry{
		Path:         method.path,
		Authority:    sent.Get(":authority"),
		Request:      decoded,
		UnknownBytes: len(request.ProtoReflect().GetUnknown()),
	})
	if err != nil {
		return err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	_, err = r.file.Write(append(line, '\n'))
	return err
}
