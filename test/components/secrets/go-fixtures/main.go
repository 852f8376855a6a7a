// Command go-fixtures writes what encoding/json makes of COSI's BucketInfo, with the fields and the order of
// COSI v0.2.2 and the added bucketID; the test compares it byte for byte.
//
//	go run . > ../bucket-info.fixtures.json
package main

import (
	"encoding/json"
	"os"
)

type metadata struct {
	Name              string  `json:"name"`
	CreationTimestamp *string `json:"creationTimestamp"`
}

type secretS3 struct {
	Endpoint        string `json:"endpoint"`
	Region          string `json:"region"`
	AccessKeyID     string `json:"accessKeyID"`
	AccessSecretKey string `json:"accessSecretKey"`
}

type secretAzure struct {
	AccessToken     string  `json:"accessToken"`
	ExpiryTimeStamp *string `json:"expiryTimeStamp"`
}

type spec struct {
	BucketName         string       `json:"bucketName"`
	AuthenticationType string       `json:"authenticationType"`
	S3                 *secretS3    `json:"secretS3"`
	Azure              *secretAzure `json:"secretAzure"`
	Protocols          []string     `json:"protocols"`
	BucketID           string       `json:"bucketID"`
}

type bucketInfo struct {
	Metadata metadata `json:"metadata"`
	Spec     spec     `json:"spec"`
}

func main() {
	expiry := "2027-01-31T12:30:00Z"
	written := map[string]string{}
	for name, info := range map[string]bucketInfo{
		"s3": {metadata{Name: "bc-uid"}, spec{
			BucketName: "bucket-1", AuthenticationType: "Key", Protocols: []string{"S3"}, BucketID: "id/1",
			S3: &secretS3{"https://s3.example.com", "eu-1", "AKIA", "a+b/c=\"\\"},
		}},
		"s3 without endpoint and region": {metadata{Name: "bc-uid"}, spec{
			BucketName: "bucket-1", AuthenticationType: "IAM", Protocols: []string{"S3"}, BucketID: "id/1",
			S3: &secretS3{"", "", "AKIA", "secret"},
		}},
		"azure": {metadata{Name: "bc-uid"}, spec{
			BucketName: "bucket-1", AuthenticationType: "Key", Protocols: []string{"Azure"}, BucketID: "id/1",
			Azure: &secretAzure{"sv=2025&sig=a<b>\u2028é&se=x", &expiry},
		}},
		"azure without expiry": {metadata{Name: "bc-uid"}, spec{
			BucketName: "bucket-1", AuthenticationType: "Key", Protocols: []string{"Azure"}, BucketID: "id/1",
			Azure: &secretAzure{"token", nil},
		}},
	} {
		text, err := json.Marshal(info)
		if err != nil {
			panic(err)
		}
		written[name] = string(text)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(written); err != nil {
		panic(err)
	}
}
