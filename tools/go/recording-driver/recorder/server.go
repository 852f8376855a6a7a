package recorder

import (
	"context"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// serve answers at the socket of the endpoint until it is told to stop.
func serve(endpoint, log string) error {
	known, err := services()
	if err != nil {
		return err
	}
	recording, err := openRecording(log)
	if err != nil {
		return err
	}
	listener, err := net.Listen("unix", strings.TrimPrefix(endpoint, "unix://"))
	if err != nil {
		return err
	}
	driver := newDriver()
	server := grpc.NewServer()
	for service, methods := range known {
		description := grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil)}
		for _, method := range methods {
			description.Methods = append(description.Methods, grpc.MethodDesc{
				MethodName: method.name,
				Handler:    handler(method, driver, recording),
			})
		}
		server.RegisterService(&description, nil)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-stop
		server.GracefulStop()
	}()
	return server.Serve(listener)
}

func handler(method method, driver *driver, recording *recording) grpc.MethodHandler {
	return func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		request := method.request.New().Interface()
		if err := decode(request); err != nil {
			return nil, err
		}
		if err := recording.add(ctx, method, request); err != nil {
			return nil, err
		}
		reply := method.reply.New().Interface()
		filled, err := driver.answer(method.name, request)
		if err != nil {
			return nil, err
		}
		proto.Merge(reply, filled(reply))
		return reply, nil
	}
}
