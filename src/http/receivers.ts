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

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const section = ({ language, code }: (typeof examples)[number]): string =>
  `<h3 id="${language.toLowerCase()}">${language}</h3>\n<pre><code>${escaped(code.trimEnd())}</code></pre>`

/** The page as HTML. It works without scripts. */
export const receiversPage = page({
  place: receivers,
  scripts: [],
  main: `<h1>Receiving webhooks</h1>
<p>Each delivery is an HTTP POST of JSON to your endpoint. Answer with any 2xx within 10 seconds, and do the work after you
have answered. Anything else, redirects included, is tried again after 1 and 5 minutes, half an hour, 2, 6, 12 and 24
hours. What is told, and when, stands under <a href="/docs/deliveries">deliveries</a>.</p>
<div class="wide" tabindex="0"><table>
<tr><th>Header</th><th>Value</th></tr>
<tr><td>X-Service-Event</td><td>the event type</td></tr>
<tr><td>X-Service-Event-Id</td><td>the event, the same as <code>id</code> of the body</td></tr>
<tr><td>X-Service-Delivery</td><td>this delivery, the same at each of its attempts</td></tr>
<tr><td>X-Service-Attempt</td><td><code>2/8</code>: the second of eight attempts</td></tr>
<tr><td>X-Service-Retry</td><td><code>manual</code> where a person asked for this attempt; otherwise absent</td></tr>
<tr><td>X-Service-Signature</td><td><code>t=&lt;unix seconds&gt;,v1=&lt;hex&gt;</code>; signed afresh at each attempt</td></tr>
</table></div>
<h2>What to check</h2>
<ol>
<li>Take the body as it came in. A parsed body that is written again is another body: spaces, escapes and numbers change.</li>
<li>Compute the HMAC-SHA256 of <code>t</code>, a dot and the body. The key is the secret as text, all of it from
<code>whsec_</code> on; it is not decoded.</li>
<li>Compare it, as lower-case hexadecimal digits and in constant time, with each <code>v1</code>. For 24 hours after a
rotation there are two, one for the new secret and one for the old; either will do.</li>
<li>Refuse what is more than 300 seconds away from your clock, so that nobody can send a captured request again.</li>
<li>Store the <code>id</code> of each event you handled and ignore it when it comes again: delivery is at least once. Where
order matters compare <code>createdAt</code>: order is not guaranteed.</li>
</ol>
<p>When it does not verify, <code>POST /v1/webhooks/verify</code> says why: give it the secret, the headers and the body that
your receiver got.</p>
<h2>Code to start from</h2>
${examples.map(section).join('\n')}
`,
})
