// Verifies deliveries with the library of Standard Webhooks. Prints one verdict per line of the file.
package main

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func isGenuine(line string) bool {
	fields := strings.Split(line, "\t")
	webhook, err := standardwebhooks.NewWebhook(fields[0])
	if err != nil {
		return false
	}
	headers := http.Header{}
	headers.Set("webhook-id", fields[1])
	headers.Set("webhook-timestamp", fields[2])
	headers.Set("webhook-signature", fields[3])
	body, err := base64.StdEncoding.DecodeString(fields[4])
	return err == nil && webhook.Verify(body, headers) == nil
}

func main() {
	cases, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	for _, line := range strings.Split(string(cases), "\n") {
		fmt.Println(isGenuine(line))
	}
}
