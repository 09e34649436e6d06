/** Checks the installed package with the shared vectors: `node conformance.mjs <vectors> <signatures>`. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import {
  ApiError,
  createClient,
  iterate,
  orThrow,
  retryDelay,
  webhooks,
  withIdempotencyKey,
} from 'customer-engagement-client'

const [vectors, signatures] = process.argv.slice(2).map(path => JSON.parse(readFileSync(path, 'utf8')))
const failures = []
let count = 0

const check = (group, name, actual, expected) => {
  count++
  if (!isDeepStrictEqual(actual, expected))
    failures.push(`${group}, ${name}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}

const codeOf = action => {
  try {
    action()
    return null
  } catch (error) {
    return error.code ?? String(error)
  }
}

for (const { name, delayMs, ...attempt } of vectors.retry) check('retry', name, retryDelay(attempt), delayMs)

for (const { name, path, header, body, sent, hasKey } of vectors.idempotency) {
  let keys = 0
  const keyed = withIdempotencyKey(path, header, JSON.stringify(body), () => `key-${++keys}`)
  check('idempotency', name, [JSON.parse(keyed.body), keyed.hasKey], [sent, hasKey])
}

const respondWith = (status, body) =>
  typeof body === 'object' && body !== null ? Response.json(body, { status }) : new Response(body, { status })
const clientOf = fetch => createClient({ baseUrl: 'http://service.example', apiKey: 'ces_1', maxRetries: 0, fetch })

for (const { name, pages, items, cursors } of vectors.pages) {
  const asked = []
  const client = clientOf(async ({ url }) => {
    asked.push(new URL(url).searchParams.get('cursor'))
    return respondWith(200, pages[asked.length - 1])
  })
  const ids = []
  for await (const { id } of iterate(client, '/v1/customers')) ids.push(id)
  check('pages', name, [ids, asked], [items, cursors])
}

for (const { name, status, body, ...expected } of vectors.errors) {
  const result = await clientOf(async () => respondWith(status, body)).GET('/v1/customers')
  try {
    check('errors', name, orThrow(result), 'an exception')
  } catch (error) {
    const { code, message, requestId, details } = error
    check(
      'errors',
      name,
      { isApiError: error instanceof ApiError, status: error.status, code, message, requestId, details },
      {
        isApiError: true,
        status,
        ...expected,
      },
    )
  }
}

for (const { name, headers, body, secrets, now, type, code } of vectors.unwrap)
  for (const raw of [body, Buffer.from(body)]) {
    let event
    const failed = codeOf(() => {
      event = webhooks.unwrap(headers, raw, secrets, { now })
    })
    check('unwrap', name, [event?.type ?? null, failed], [type, code])
    if (event) check('unwrap', name, event, JSON.parse(body))
  }

for (const { name, secret, header, body, now, reason } of signatures.vectors) {
  const headers = header === null ? {} : { 'X-Service-Signature': header }
  check(
    'X-Service-Signature',
    name,
    codeOf(() => webhooks.verify(headers, body, secret, { now })),
    reason,
  )
}
for (const { name, secret, headers, body, now, reason } of signatures.standard)
  check(
    'Standard Webhooks',
    name,
    codeOf(() => webhooks.verify(headers, body, secret, { now })),
    reason,
  )

console.log(failures.length === 0 ? `${count} checks passed` : failures.join('\n'))
process.exit(failures.length === 0 ? 0 : 1)
