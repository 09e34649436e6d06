package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// An event can arrive more than once. With several processes, use a table with a unique column instead.
var (
	mutex sync.Mutex
	seen  = map[string]bool{}
)

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	webhook, err := standardwebhooks.NewWebhook(secret)
	if secret == "" || err != nil {
		log.Fatal("Set WEBHOOK_SECRET to the secret of the endpoint.")
	}
	http.HandleFunc("POST /hooks", func(w http.ResponseWriter, r *http.Request) {
		// The signature covers the raw body.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := webhook.Verify(body, r.Header); err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		var event struct{ ID, Type string }
		if err := json.Unmarshal(body, &event); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		if !seen[event.ID] {
			// Store the event before you answer 2xx. Every other answer makes the service send it again.
			fmt.Println(event.Type, event.ID)
			if len(seen) >= 10_000 {
				clear(seen)
			}
			seen[event.ID] = true
		}
		w.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	fmt.Printf("http://localhost:%s/hooks\n", port)
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
