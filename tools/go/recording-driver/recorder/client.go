package recorder

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
)

const callTimeout = 20 * time.Second

// call sends one request, written as JSON, and prints the reply as JSON; a status becomes the error.
func call(endpoint, rpc, request string) error {
	known, err := services()
	if err != nil {
		return err
	}
	for _, methods := range known {
		for _, method := range methods {
			if method.name == rpc {
				return send(endpoint, method, request)
			}
		}
	}
	return fmt.Errorf("no RPC %q in the contract", rpc)
}

func send(endpoint string, method method, text string) error {
	request, reply := method.request.New().Interface(), method.reply.New().Interface()
	if err := protojson.Unmarshal([]byte(text), request); err != nil {
		return err
	}
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	if err := connection.Invoke(ctx, method.path, request, reply, grpc.WaitForReady(true)); err != nil {
		return err
	}
	printed, err := protojson.Marshal(reply)
	if err != nil {
		return err
	}
	fmt.Println(string(printed))
	return nil
}
