/** Tests of the pages under /docs without a browser. */
import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startReceiver } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { useWorld } from '../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

const text = async (path: string): Promise<string> => (await fetch(world.url + path)).text()

const chapters = 'start events workflows deliveries signatures credentials tools conversations campaigns errors'.split(
  ' ',
)

test('every page loads only from this service, runs no inline code, and has no broken links', async () => {
  const pages = new Map<string, string>()
  const open = ['/docs']
  const follow = (path: string) => {
    if (path && !pages.has(path) && !open.includes(path)) open.push(path)
  }
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const page = await fetch(world.url + path)
    expect(page.status, path).toBe(200)
    // The dashboard has its own policy and tests.
    if (path === '/') continue
    const html = await page.text()
    pages.set(path, html)
    if (!page.headers.get('content-type')!.startsWith('text/html')) continue
    const policy = page.headers.get('content-security-policy')!
    expect(policy, path).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy.replace("style-src-attr 'unsafe-inline'", ''), path).not.toContain('unsafe')
    expect(html, path).not.toMatch(/<script(?![^>]* src="\/docs\/)|<style|\son\w+=| style=|<iframe|<img/)
    for (const [, loaded] of html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)) {
      expect(loaded, path).toMatch(/^\/docs(\/[\w.-]+|\.md)$/)
      follow(loaded!)
    }
    for (const [, link] of html.matchAll(/<a[^>]* href="([^"]+)"/g)) {
      expect(link, path).toMatch(/^([#/](?!\/)|#)/)
      follow(link!.split('#')[0]!)
    }
  }
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      ...[...chapters, 'receivers', 'reference', 'search'].map(page => `/docs/${page}`),
      '/openapi.json',
    ]),
  )
  for (const [path, html] of pages)
    for (const [, target, anchor] of html.matchAll(/<a[^>]* href="([^"#]*)#([^"]+)"/g))
      if (target !== '/docs/reference')
        expect(pages.get(target || path), `${target}#${anchor}`).toContain(`id="${anchor}"`)
}, 30_000)

test('the icon has the shape of the logo in the dashboard, and the fonts are not compressed again', async () => {
  const shapeIn = (source: string) => / d="([^"]+)"/.exec(source)![1]
  const logo = await Bun.file(`${import.meta.dir}/../../../src/dashboard/ui/Logo.tsx`).text()
  expect(shapeIn(await text('/docs/favicon.svg'))).toBe(shapeIn(logo)!)
  for (const path of ['/docs/inter.woff2', '/docs/jetbrains-mono.woff2']) {
    const { status, headers } = await fetch(world.url + path)
    expect([status, headers.get('content-type'), headers.get('content-encoding')]).toEqual([200, 'font/woff2', null])
  }
})

test.each(
  '/docs /docs/start /docs/start.md /llms.txt /docs/docs.css /docs/docs.js /docs/scalar.js /docs/search.json /openapi.json'.split(
    ' ',
  ),
)('%s is compressed as requested, and answered with 304 when it has not changed', async path => {
  const ask = (headers: Record<string, string>) =>
    fetch(world.url + path, { headers, decompress: false } as BunFetchRequestInit)
  const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
  const plain = await ask({ 'Accept-Encoding': 'identity' })
  const whole = Buffer.from(await bytesOf(plain))
  expect(plain.headers.get('content-encoding')).toBeNull()
  const tags = new Set([plain.headers.get('etag')])
  for (const [accepted, encoding, expand] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
  ] as const) {
    const answer = await ask({ 'Accept-Encoding': accepted })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    const bytes = await bytesOf(answer)
    expect(bytes.length).toBeLessThan(whole.length / 2)
    expect(Buffer.from(expand(bytes)).equals(whole)).toBe(true)
    const etag = answer.headers.get('etag')!
    tags.add(etag)
    const again = await ask({ 'Accept-Encoding': accepted, 'If-None-Match': `"other", W/${etag}` })
    expect(again.status).toBe(304)
    expect(again.headers.get('etag')).toBe(etag)
    expect((await bytesOf(again)).length).toBe(0)
    expect((await ask({ 'Accept-Encoding': accepted, 'If-None-Match': '"other"' })).status).toBe(200)
  }
  expect(tags.size).toBe(3)
})

const linkToDocument = '</openapi.json>; rel="service-desc"; type="application/json"'

test('every page exists as Markdown without placeholders, and llms.txt lists all of them', async () => {
  const read = async (path: string, contentType: string): Promise<string> => {
    const page = await fetch(world.url + path)
    const { status, headers } = page
    expect([status, headers.get('content-type'), headers.get('link')], path).toEqual([200, contentType, linkToDocument])
    return page.text()
  }
  const list = await read('/llms.txt', 'text/plain; charset=utf-8')
  const all = await read('/llms-full.txt', 'text/plain; charset=utf-8')
  expect(list).toMatch(/^# Customer Engagement Service\n\n> .+\n\n## Docs\n(- \[.+\]\(.+\): .+\n)+\n## API\n/)
  expect(Buffer.byteLength(all)).toBeLessThan(256 * 1024)
  expect(await read('/docs.md', 'text/markdown; charset=utf-8')).toBe(list)
  for (const name of [...chapters, 'receivers', 'reference']) {
    const page = await fetch(`${world.url}/docs/${name}`)
    expect(page.headers.get('link'), name).toBe(linkToDocument)
    expect(await page.text(), name).toContain(`<link rel="alternate" type="text/markdown" href="/docs/${name}.md">`)
    expect(list).toContain(`](/docs/${name}.md): `)
    const markdown = await read(`/docs/${name}.md`, 'text/markdown; charset=utf-8')
    expect(markdown, name).toMatch(/^# /)
    expect(markdown, name).not.toMatch(/%[a-z]+%|^```(http|tab) /m)
    expect(all).toContain(markdown)
    for (const [, target] of markdown.matchAll(/\]\((\/[^)#]*)/g))
      expect([(await fetch(world.url + target)).status, target]).toEqual([200, target])
  }
  expect(await text('/docs/start.md')).toContain(`curl ${world.url}/v1/auth/sign-in \\\n  -H 'Content-Type: `)
  // Every page names the address of this service.
  for (const path of ['/docs/start', '/docs/receivers', '/llms-full.txt', '/docs/postman.json', '/docs/bruno.json'])
    expect(await text(path), path).not.toContain('127.0.0.1:3000')
  expect(await text('/docs/postman.json')).toContain(world.url)
  const document: { paths: Record<string, object> } = JSON.parse(await text('/openapi.json'))
  const reference = await text('/docs/reference.md')
  for (const path of Object.keys(document.paths)) expect(reference).toContain(` ${path}\`: `)
  const { headers } = await fetch(world.url, { redirect: 'manual' })
  expect(headers.get('link')).toBe(linkToDocument)
})

test('search has every section and every operation, each with a valid address', async () => {
  const entries: { title: string; address: string }[] = JSON.parse(await text('/docs/search.json'))
  const document: { paths: Record<string, object> } = JSON.parse(await text('/openapi.json'))
  const operations = Object.values(document.paths).flatMap(methods => Object.keys(methods)).length
  expect(entries.filter(({ address }) => address.startsWith('/docs/reference#')).length).toBe(operations)
  expect(entries.map(({ address }) => address)).toContain('/docs/events#idempotency-keys')
  for (const { address, title } of entries) {
    expect(title, address).not.toBe('')
    const [path, anchor] = address.split('#') as [string, string?]
    if (anchor && path !== '/docs/reference') expect(await text(path), address).toContain(`id="${anchor}"`)
  }
})

interface Folder<Item> {
  name: string
  items: Item[]
}

interface Example {
  name: string
  method: string
  url: string
  /** Name of the variable with the credential, or null. */
  credential: string | null
  body: string | null
}

// biome-ignore-start lint/suspicious/noExplicitAny: the files have formats of other programs
const readPostman = ({ item }: any): Folder<Example>[] =>
  item.map(({ name, item }: any) => ({
    name,
    items: item.map(({ name, request: { method, url, auth, body = null } }: any) => {
      expect(url.raw).toBe([...url.host, ...url.path].join('/'))
      return { name, method, url: url.raw, credential: credentialIn(auth), body: body?.raw ?? null }
    }),
  }))

const readBruno = ({ items }: any): Folder<Example>[] =>
  items.map(({ name, items }: any) => ({
    name,
    items: items.map(({ name, request: { method, url, auth, body } }: any) => {
      return { name, method, url, credential: credentialIn(auth), body: body.json ?? null }
    }),
  }))

const credentialIn = (auth: any): string | null => /\{\{(\w+)\}\}/.exec(JSON.stringify(auth))?.[1] ?? null
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test('the collections for Postman and Bruno have every operation, and their requests work with the variables', async () => {
  const overview = await text('/docs')
  for (const path of ['/docs/postman.json', '/docs/bruno.json'])
    expect(overview).toContain(`<a href="${path}" download>`)
  const folders = readPostman(JSON.parse(await text('/docs/postman.json')))
  expect(readBruno(JSON.parse(await text('/docs/bruno.json')))).toEqual(folders)
  const document: { paths: Record<string, object> } = JSON.parse(await text('/openapi.json'))
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} {{baseUrl}}${path.replaceAll(/{(\w+)}/g, ':$1')}`),
  )
  const all = folders.flatMap(({ items }) => items)
  expect(all.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(operations.sort())

  const { token } = await world.expect(201, 'POST', '/v1/auth/tokens', { body: { name: 'Postman', access: 'write' } })
  const headersOf: Record<string, Record<string, string>> = {
    apiKey: { 'X-API-Key': world.key.value },
    token: { Authorization: `Bearer ${token}` },
  }
  const sent: string[] = []
  for (const { name, items } of folders.filter(({ name }) => ['Events', 'Workflows', 'Templates'].includes(name)))
    for (const { method, url, credential, body } of items.filter(({ url }) => !url.includes('/:'))) {
      const path = url.replace('{{baseUrl}}', '')
      const headers = { 'Content-Type': 'application/json', ...headersOf[credential!] }
      const answer = await world.call(method, path, { as: 'nobody', headers, ...(body !== null && { raw: body }) })
      sent.push(`${name} ${method} ${path} ${answer.status} ${credential}`)
    }
  expect(sent).toEqual([
    'Events POST /v1/events 201 apiKey',
    'Events GET /v1/events 200 apiKey',
    'Events POST /v1/events/batch 200 apiKey',
    'Events POST /v1/events/check 200 apiKey',
    'Workflows POST /v1/workflows 201 token',
    'Workflows GET /v1/workflows 200 token',
    'Workflows POST /v1/workflows/check 200 token',
    'Templates POST /v1/templates 201 token',
    'Templates GET /v1/templates 200 token',
  ])
})

interface Request {
  method: string
  path: string
  headers: [string, string][]
  body: string | null
  keep: Record<string, string>
}

const requestsOf = async (path: string): Promise<Request[]> => {
  const html = (await text(path)).matchAll(/data-request="([^"]+)"/g)
  const characters: Record<string, string> = { quot: '"', lt: '<', gt: '>', amp: '&' }
  return [...html].map(([, said]) => JSON.parse(said!.replace(/&(\w+);/g, (_, name) => characters[name]!)))
}

test('every request of the guide and the chapters succeeds, in their order', async () => {
  const known: Record<string, string> = { session: world.owner.token, key: world.key.value }
  const filled = (said: string) =>
    said
      .replace('owner@example.com', world.owner.email)
      .replace('the password of the owner', world.owner.password)
      .replace('http://localhost:8080/webhooks', receiver.url)
      .replace(/%(\w+)%/g, (_, name: string) => known[name]!)
  let sent = 0
  for (const chapter of chapters) {
    for (const { method, path, headers, body, keep } of await requestsOf(`/docs/${chapter}`)) {
      expect(filled(path + body), path).not.toContain('undefined')
      const { status, body: answer } = await world.call(method, filled(path), {
        as: 'nobody',
        headers: Object.fromEntries(headers.map(([name, value]) => [name, filled(value)])),
        ...(body !== null && { raw: filled(body) }),
      })
      expect(`${chapter} ${method} ${path} ${status}`).toMatch(/ 20\d$/)
      for (const [name, place] of Object.entries(keep))
        known[name] = place.split('.').reduce((value, part) => value?.[part], answer)
      sent++
    }
  }
  expect(sent).toBeGreaterThan(25)
  await receiver.waitFor(({ requests }) => requests.some(({ headers }) => headers['x-service-event'] === 'ping'))
})
