module pulumi-cosi.local/test/go-fixtures

go 1.24
