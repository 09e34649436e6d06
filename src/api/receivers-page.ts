/** Contains the documentation page for webhook receivers: the request, the verification, and sample code. */
import { page, receivers } from './docs/shell.ts'
import go from './receivers/verify_webhook.go' with { type: 'text' }
import php from './receivers/verify_webhook.php' with { type: 'text' }
import python from './receivers/verify_webhook.py' with { type: 'text' }
import ruby from './receivers/verify_webhook.rb' with { type: 'text' }
import * as typescript from './receivers/verify-webhook.ts' with { type: 'text' }

/** The compiler sees a module, but the runtime embeds the file as text. */
const textOf = (embedded: object): string => (embedded as { default: string }).default

const examples = [
  { language: 'TypeScript', code: textOf(typescript) },
  { language: 'Python', code: python },
  { language: 'PHP', code: php },
  { language: 'Go', code: go },
  { language: 'Ruby', code: ruby },
]

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const renderExample = ({ language, code }: (typeof examples)[number]): string =>
  `<h3 id="${language.toLowerCase()}">${language}</h3>\n<pre><code>${escapeHtml(code.trimEnd())}</code></pre>`

/** The page as HTML. It works without scripts. */
export const receiversPage = page({
  info: receivers,
  scripts: [],
  main: `<h1>Receiving webhooks</h1>
<p>Each delivery is an HTTP POST of JSON to your endpoint. Respond with any 2xx status within 10 seconds, and process the
event after your response. Every other response is a failure, including redirects. The service retries after 1, 5 and 30
minutes, then after 2, 6, 12 and 24 hours. See <a href="/docs/deliveries">deliveries</a> for the event types.</p>
<div class="wide" tabindex="0"><table>
<tr><th>Header</th><th>Value</th></tr>
<tr><td>X-Service-Event</td><td>the event type</td></tr>
<tr><td>X-Service-Event-Id</td><td>the ID of the event, the same as <code>id</code> of the body</td></tr>
<tr><td>X-Service-Delivery</td><td>the ID of the delivery, the same for all of its attempts</td></tr>
<tr><td>X-Service-Attempt</td><td><code>2/8</code>: the second of eight attempts</td></tr>
<tr><td>X-Service-Retry</td><td><code>manual</code> if a person requested this attempt; otherwise absent</td></tr>
<tr><td>X-Service-Signature</td><td><code>t=&lt;unix seconds&gt;,v1=&lt;hex&gt;</code>; computed again for each attempt</td></tr>
<tr><td>webhook-id</td><td>the ID of the event, for libraries of Standard Webhooks</td></tr>
<tr><td>webhook-timestamp</td><td>the same time as <code>t</code></td></tr>
<tr><td>webhook-signature</td><td><code>v1,&lt;base64&gt;</code>, the signature of Standard Webhooks</td></tr>
</table></div>
<h2>Verify a request with a library</h2>
<p>The libraries of Standard Webhooks verify deliveries. Pass the secret as
you got it, the raw body and the headers. They reject a wrong signature, and one that is older than five minutes.</p>
<div class="wide" tabindex="0"><table>
<tr><th>Language</th><th>Library</th><th>Verify</th></tr>
<tr><td>JavaScript</td><td><code>npm install standardwebhooks</code></td>
<td><code>new Webhook(secret).verify(body, headers)</code></td></tr>
<tr><td>Python</td><td><code>pip install standardwebhooks</code></td>
<td><code>Webhook(secret).verify(body, headers)</code></td></tr>
<tr><td>Go</td><td><code>go get github.com/standard-webhooks/standard-webhooks/libraries</code></td>
<td><code>standardwebhooks.NewWebhook(secret)</code>, then <code>Verify(body, r.Header)</code></td></tr>
<tr><td>Rust</td><td><code>cargo add standardwebhooks</code></td>
<td><code>Webhook::new(secret)?.verify(body, &amp;headers)?</code></td></tr>
<tr><td>Java</td><td><code>com.standardwebhooks:standardwebhooks</code></td>
<td><code>new Webhook(secret).verify(body, headers)</code></td></tr>
</table></div>
<p>Libraries need a secret with 44 characters after <code>whsec_</code>. Rotate an earlier secret once.</p>
<h2>Verify a request without a library</h2>
<ol>
<li>Read the raw body. Do not parse and re-encode it, because spaces, escapes and numbers change.</li>
<li>Compute the HMAC-SHA256 of <code>t</code>, a dot and the body. The key is the complete secret as text,
including <code>whsec_</code>. Do not decode it.</li>
<li>Compare the result with each <code>v1</code> in constant time, as lower-case hexadecimal digits. For 24 hours after a
rotation there are two, one for the new secret and one for the old. One match is enough.</li>
<li>Reject the request if <code>t</code> is more than 300 seconds away from your clock. This prevents replay attacks.</li>
<li>Store the <code>id</code> of each processed event and ignore duplicates. Delivery is at least once. The order is not
guaranteed. Compare <code>createdAt</code> if the order matters.</li>
</ol>
<p>If a signature does not match, <code>POST /v1/webhooks/verify</code> says why. Send the secret, the headers and the body
that your receiver got.</p>
<h2>Sample code</h2>
${examples.map(renderExample).join('\n')}
`,
})
