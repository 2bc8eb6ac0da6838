package dynamodb

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const benchClients = 16

func benchItem(pk, sk string) attrs {
	return attrs{"pk": str(pk), "sk": str(sk), "number": num(fmt.Sprint(rand.IntN(1 << 30))),
		"flag": &types.AttributeValueMemberBOOL{Value: true}, "text": str(strings.Repeat("0123456789", 15))}
}

// benchClient is a client on a socket.
func benchClient(b *testing.B, h http.Handler) *dynamodb.Client {
	server := httptest.NewServer(h)
	b.Cleanup(server.Close)
	transport := &http.Transport{MaxIdleConnsPerHost: 2 * benchClients, DisableCompression: true}
	b.Cleanup(transport.CloseIdleConnections)
	return dynamodb.New(dynamodb.Options{Region: testRegion, BaseEndpoint: aws.String(server.URL),
		HTTPClient:  &http.Client{Transport: transport},
		Credentials: credentials.NewStaticCredentialsProvider(testKey, testSecret, "")})
}

// fixedAnswers is a server that reads each request and answers what was recorded: the limit of what an emulator can do.
func fixedAnswers(recorded map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answer(w, http.StatusOK, recorded[r.Header.Get("X-Amz-Target")])
	})
}

// BenchmarkServed compares the service with a server of fixed answers, over sockets, with 16 clients.
func BenchmarkServed(b *testing.B) {
	f := newFixture(b)
	f.createTable("Bench", nil)
	for p := range 500 {
		for range 4 {
			var writes []types.WriteRequest
			for i := range 25 {
				writes = append(writes, put(benchItem(fmt.Sprintf("q%03d", p), fmt.Sprintf("%d%02d", rand.IntN(1000),
					i))))
			}
			must[*dynamodb.BatchWriteItemOutput](b)(f.db.BatchWriteItem(b.Context(), &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{"Bench": writes}}))
		}
	}
	for i := range 100 {
		f.put("Bench", benchItem("hundred", fmt.Sprintf("%03d", i)))
	}
	record := func(operation, body string) []byte { return f.recorded(targetTables+operation, body) }
	recorded := map[string][]byte{
		targetTables + "PutItem": []byte("{}"),
		targetTables + "GetItem": record("GetItem",
			`{"TableName":"Bench","Key":{"pk":{"S":"hundred"},"sk":{"S":"000"}}}`),
		targetTables + "Query": record("Query", `{"TableName":"Bench","KeyConditionExpression":"pk = :p",`+
			`"ExpressionAttributeValues":{":p":{"S":"hundred"}}}`),
	}
	var n atomic.Int64
	calls := map[string]func(db *dynamodb.Client) error{
		"put": func(db *dynamodb.Client) error {
			_, err := db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("Bench"),
				Item: benchItem(fmt.Sprintf("w%03d", n.Add(1)%500), fmt.Sprint(n.Load()%100))})
			return err
		},
		"get": func(db *dynamodb.Client) error {
			_, err := db.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String("Bench"),
				Key: attrs{"pk": str("hundred"), "sk": str(fmt.Sprintf("%03d", n.Add(1)%100))}})
			return err
		},
		"query": func(db *dynamodb.Client) error {
			_, err := db.Query(context.Background(), &dynamodb.QueryInput{TableName: aws.String("Bench"),
				KeyConditionExpression: aws.String("pk = :p"), ExpressionAttributeValues: attrs{":p": str("hundred")}})
			return err
		},
	}
	servers := map[string]*dynamodb.Client{"fixed": benchClient(b, fixedAnswers(recorded)), "service": benchClient(b,
		f.service)}
	for _, call := range []string{"put", "get", "query"} {
		for _, server := range []string{"fixed", "service"} {
			b.Run(call+"/"+server, func(b *testing.B) {
				b.SetParallelism(max(1, benchClients/runtime.GOMAXPROCS(0)))
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if err := calls[call](servers[server]); err != nil {
							b.Error(err)
							return
						}
					}
				})
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
			})
		}
	}
}

// recorded returns the answer to a request.
func (f *fixture) recorded(target, body string) []byte {
	f.t.Helper()
	c := &call{account: f.account, body: []byte(body)}
	if err := f.account.run(c, operationOf(target)); err != nil {
		f.t.Fatal(err)
	}
	return c.out
}

// BenchmarkItems is what an operation itself costs, without a signature and without a socket, beside a table of few
// items and one of many.
func BenchmarkItems(b *testing.B) {
	for _, size := range []int{1000, 100_000} {
		f := newFixture(b)
		f.createTable("Bench", nil)
		t, err := f.account.table("Bench")
		if err != nil {
			b.Fatal(err)
		}
		body := func(sk int) []byte {
			return fmt.Appendf(nil,
				`{"TableName":"Bench","Item":{"pk":{"S":"p"},"sk":{"S":"%06d"},"number":{"N":"%d"},`+
					`"flag":{"BOOL":true},"text":{"S":"%s"}}}`, sk, sk, strings.Repeat("0123456789", 15))
		}
		run := func(operation string, body []byte) {
			if err := f.account.run(&call{account: f.account, body: body}, tableOperations[operation]); err != nil {
				b.Fatal(err)
			}
		}
		for i := range size {
			run("PutItem", body(i))
		}
		if got := t.counts.items.Load(); got != int64(size) {
			b.Fatalf("%d items", got)
		}
		b.Run(fmt.Sprintf("put/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run("PutItem", body(rand.IntN(size)))
			}
		})
		b.Run(fmt.Sprintf("get/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run("GetItem", fmt.Appendf(nil, `{"TableName":"Bench","Key":{"pk":{"S":"p"},"sk":{"S":"%06d"}}}`,
					rand.IntN(size)))
			}
		})
		b.Run(fmt.Sprintf("query of 100/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			request := []byte(`{"TableName":"Bench","KeyConditionExpression":"pk = :p","Limit":100,` +
				`"ExpressionAttributeValues":{":p":{"S":"p"}}}`)
			for b.Loop() {
				run("Query", request)
			}
		})
	}
}
