/** Program that makes concurrent attempts at one URL and prints the number of each outcome. */
import { createAttempt } from '../../src/webhooks/deliveries/index.ts'
import { createResolver } from '../../src/webhooks/endpoints/index.ts'

const [url, target, count] = process.argv.slice(2) as [string, string, string]
const attempt = createAttempt({ resolve: createResolver(), allowedPrivateTargets: new Set([target]) })
const one = () =>
  attempt({ url, headers: {}, body: '{}', timeoutMs: 1000 }).then(
    ({ error }) => `receiver: ${error}`,
    error => `ours: ${error.code}`,
  )
const ends = await Promise.all(Array.from({ length: Number(count) }, one))
const counts = [...Map.groupBy(ends, end => end)].map(([end, of]) => [end, of.length])
process.stdout.write(JSON.stringify(Object.fromEntries(counts)))
process.exit(0)
