package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

var unixSeconds = regexp.MustCompile(`^[0-9]{1,11}$`)

// VerifyWebhook reports whether a webhook was sent by the service. Answer 401 if not, and 200 as soon as you have
// stored it. An event can arrive more than once: store the id in its body and ignore events that you have handled.
//
// secret is the endpoint's secret, the whole string from whsec_ on; header is r.Header.Get("X-Service-Signature"); body
// is the raw body, before anything parses it: io.ReadAll(r.Body); now is time.Now().
func VerifyWebhook(secret, header string, body []byte, now time.Time) bool {
	var times, digests []string
	for _, field := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "t":
			times = append(times, value)
		case "v1":
			digests = append(digests, value)
		}
	}

	if len(times) != 1 || !unixSeconds.MatchString(times[0]) {
		return false
	}
	t, _ := strconv.ParseInt(times[0], 10, 64)
	if age := now.Unix() - t; age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}

	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(times[0] + "."))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	// After a rotation of the secret there are two signatures: one with the new secret, one with the old.
	for _, digest := range digests {
		if hmac.Equal([]byte(digest), expected) {
			return true
		}
	}
	return false
}
