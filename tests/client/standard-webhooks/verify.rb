# Verifies deliveries with the library of Standard Webhooks. Prints one verdict per line of the file.
require "base64"
require "standardwebhooks"

def genuine?(line)
  secret, id, timestamp, signature, body = line.split("\t", -1)
  headers = { "webhook-id" => id, "webhook-timestamp" => timestamp, "webhook-signature" => signature }
  StandardWebhooks::Webhook.new(secret).verify(Base64.decode64(body), headers)
  true
rescue StandardError
  false
end

File.readlines(ARGV[0], chomp: true).each { |line| puts genuine?(line) }
