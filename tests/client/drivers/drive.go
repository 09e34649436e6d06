// Drives the client of Go that oapi-codegen made; says the same line as the drivers beside it.
//
//	drive BASE-URL API-KEY SESSION-TOKEN WEBHOOK-ID FOLDER-OF-BODIES
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/google/uuid"

	"example.com/drive/engagement"
)

func main() {
	baseURL, key, token, webhook, bodies := os.Args[1], os.Args[2], os.Args[3], uuid.MustParse(os.Args[4]), os.Args[5]
	shop := clientOf(baseURL, "X-API-Key", key)
	owner := clientOf(baseURL, "Authorization", "Bearer "+token)
	ctx := context.Background()

	created := must(shop.CreateCustomerWithResponse(ctx, nil, engagement.CreateCustomer{
		ExternalId: to("go"), Name: to("Ana"),
	})).JSON201
	recorded := must(shop.RecordEventWithResponse(ctx, nil, engagement.RecordEvent{
		Type: "order.created", CustomerId: &created.Id, Data: &map[string]any{"total": 12.5}, IdempotencyKey: to("go-1"),
	})).JSON201
	first := must(owner.ListDeliveriesWithResponse(ctx, webhook, &engagement.ListDeliveriesParams{Limit: to(1)})).JSON200
	second := must(owner.ListDeliveriesWithResponse(ctx, webhook, &engagement.ListDeliveriesParams{
		Limit: to(1), Cursor: first.NextCursor,
	})).JSON200
	timeline := must(shop.ReadTimelineWithResponse(ctx, created.Id, nil)).JSON200

	var kinds, types []string
	for _, item := range timeline.Data {
		kinds = append(kinds, nameOf(must(item.ValueByDiscriminator())))
	}
	for _, path := range must(filepath.Glob(filepath.Join(bodies, "*"))) {
		var event engagement.WebhookEvent
		if err := json.Unmarshal(must(os.ReadFile(path)), &event); err != nil {
			log.Fatal(err)
		}
		types = append(types, nameOf(must(event.ValueByDiscriminator())))
	}
	apart := "the same"
	if first.Data[0].Id != second.Data[0].Id {
		apart = "apart"
	}
	fmt.Printf("customer %s, recorded %t, deliveries %d and %d %s, timeline %s, bodies %s\n", *created.Name,
		recorded.Recorded, len(first.Data), len(second.Data), apart, strings.Join(kinds, " "), strings.Join(types, " "))
}

func clientOf(baseURL, header, credential string) *engagement.ClientWithResponses {
	return must(engagement.NewClientWithResponses(baseURL, engagement.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set(header, credential)
			return nil
		})))
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func to[T any](value T) *T { return &value }

func nameOf(value any) string { return reflect.TypeOf(value).Name() }
