/**
 * Makes one attempt at each URL of the command line, one after the other, and prints the outcomes. Every host name
 * resolves to loopback. The environment of the parent process decides which certificates are trusted.
 */
import { type AttemptResult, createAttempt } from '../../../src/webhooks/deliveries/attempt.ts'

const attempt = createAttempt({
  resolve: () => ({ ok: true, addresses: ['127.0.0.1'] }),
  allowedPrivateTargets: new Set(),
})
const outcomes: AttemptResult[] = []
for (const url of process.argv.slice(2)) outcomes.push(await attempt({ url, headers: {}, body: '{}', timeoutMs: 5000 }))
process.stdout.write(JSON.stringify(outcomes))
