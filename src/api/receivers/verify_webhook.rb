require "openssl"

TOLERANCE_SECONDS = 300

# Returns whether a webhook was sent by the service. Answer 401 if not, and 200 as soon as you have stored it. An event
# can arrive more than once: store the id in its body and ignore events that you have handled.
#
# secret  the endpoint's secret, the whole string from whsec_ on
# header  the value of X-Service-Signature: request.headers["X-Service-Signature"] in Rails
# body    the raw body, before anything parses it: request.raw_post in Rails, request.body.read in Rack
# now     unix seconds
def verify_webhook(secret, header, body, now = Time.now.to_i)
  fields = header.to_s.b.split(",").map { |field| field.partition("=") }
  times = fields.filter_map { |name, _, value| value if name == "t" }
  digests = fields.filter_map { |name, _, value| value if name == "v1" }

  return false unless times.length == 1 && times.first.match?(/\A[0-9]{1,11}\z/)
  return false if (now - times.first.to_i).abs > TOLERANCE_SECONDS

  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{times.first}.".b + body.b)
  # After a rotation of the secret there are two signatures: one with the new secret, one with the old.
  digests.any? { |digest| OpenSSL.secure_compare(digest, expected) }
end
