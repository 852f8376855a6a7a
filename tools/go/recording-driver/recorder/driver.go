package recorder

import (
	"fmt"
	"maps"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

const driverName = "recorder.pulumi-cosi.local"

// fill gives the fields of a reply.
type fill func(reply proto.Message) proto.Message

// driver remembers buckets and accounts, and keeps no data.
type driver struct {
	mutex    sync.Mutex
	buckets  map[string]map[string]string
	accounts map[string]string
}

func newDriver() *driver {
	return &driver{buckets: map[string]map[string]string{}, accounts: map[string]string{}}
}

func (d *driver) answer(rpc string, request proto.Message) (fill, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	switch rpc {
	case "DriverGetInfo":
		return written(`{"name": %q}`, driverName), nil
	case "DriverCreateBucket":
		return d.create(text(request, "name"), entries(request, "parameters"))
	case "DriverDeleteBucket":
		delete(d.buckets, text(request, "bucket_id"))
		return written(`{}`), nil
	case "DriverGrantBucketAccess":
		return d.grant(text(request, "bucket_id"), text(request, "name"))
	case "DriverRevokeBucketAccess":
		delete(d.accounts, text(request, "account_id"))
		return written(`{}`), nil
	default:
		return nil, status.Errorf(codes.Unimplemented, "no RPC %s", rpc)
	}
}

func (d *driver) create(name string, parameters map[string]string) (fill, error) {
	if known, taken := d.buckets[name]; taken && !maps.Equal(known, parameters) {
		return nil, status.Errorf(codes.AlreadyExists, "bucket %q has other parameters", name)
	}
	d.buckets[name] = parameters
	return written(`{"bucketId": %q, "bucketInfo": {"s3": {"region": "eu-1", "signatureVersion": "S3V4"}}}`, name), nil
}

func (d *driver) grant(bucket, name string) (fill, error) {
	if _, known := d.buckets[bucket]; !known {
		return nil, status.Errorf(codes.NotFound, "bucket %q does not exist", bucket)
	}
	d.accounts[name] = bucket
	return written(
		`{"accountId": %q, "credentials": {"s3": {"secrets": {"accessKeyID": %q, "accessSecretKey": %q, `+
			`"endpoint": "https://s3.example.org", "region": "eu-1"}}}}`,
		name, "key-of-"+name, "secret-of-"+name), nil
}

// written is a reply as JSON, so that this file needs none of the generated types.
func written(format string, values ...any) fill {
	return func(reply proto.Message) proto.Message {
		filled := reply.ProtoReflect().New().Interface()
		if err := protojson.Unmarshal([]byte(fmt.Sprintf(format, values...)), filled); err != nil {
			panic(err)
		}
		return filled
	}
}
