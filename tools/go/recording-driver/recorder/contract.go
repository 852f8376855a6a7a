package recorder

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// method is one RPC as upstream's descriptors tell it.
type method struct {
	name, path     string
	request, reply protoreflect.MessageType
}

// services are the RPCs of the contract by service, read from the linked package.
func services() (map[string][]method, error) {
	result := map[string][]method{}
	for _, name := range []protoreflect.FullName{"cosi.v1alpha1.Identity", "cosi.v1alpha1.Provisioner"} {
		found, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
		if err != nil {
			return nil, err
		}
		methods := found.(protoreflect.ServiceDescriptor).Methods()
		for index := 0; index < methods.Len(); index++ {
			descriptor := methods.Get(index)
			request, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.Input().FullName())
			if err != nil {
				return nil, err
			}
			reply, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.Output().FullName())
			if err != nil {
				return nil, err
			}
			result[string(name)] = append(result[string(name)], method{
				name:    string(descriptor.Name()),
				path:    fmt.Sprintf("/%s/%s", name, descriptor.Name()),
				request: request,
				reply:   reply,
			})
		}
	}
	return result, nil
}

// text is the value of a string field, by its name in the .proto.
func text(message proto.Message, field protoreflect.Name) string {
	reflected := message.ProtoReflect()
	return reflected.Get(reflected.Descriptor().Fields().ByName(field)).String()
}

// entries is the value of a map<string, string> field, by its name in the .proto.
func entries(message proto.Message, field protoreflect.Name) map[string]string {
	result := map[string]string{}
	reflected := message.ProtoReflect()
	reflected.Get(reflected.Descriptor().Fields().ByName(field)).Map().Range(
		func(key protoreflect.MapKey, value protoreflect.Value) bool {
			result[key.String()] = value.String()
			return true
		})
	return result
}
