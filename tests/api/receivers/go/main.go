// Prints a JSON array of booleans: the result of the example for each vector. The argument is the file of vectors.
package main

import (
	"encoding/json"
	"os"
	"time"

	"example/receiver"
)

func main() {
	var file struct {
		Vectors []struct {
			Secret, Header, Body string
			Now                  int64
		}
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, v := range file.Vectors {
		verdicts = append(verdicts, receiver.VerifyWebhook(v.Secret, v.Header, []byte(v.Body), time.Unix(v.Now, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
