/** Runs the code samples of the pages in their own languages and checks the requests that arrive. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { samplesOf } from '../../../src/api/docs/samples.ts'

const received: { method: string; path: string; key: string | null; body: unknown }[] = []
const server = Bun.serve({
  port: 0,
  fetch: async request => {
    const { pathname, search } = new URL(request.url)
    const text = await request.text()
    const body = text === '' ? null : JSON.parse(text)
    received.push({ method: request.method, path: pathname + search, key: request.headers.get('x-api-key'), body })
    return Response.json({ recorded: true })
  },
})

const folder = mkdtempSync(join(tmpdir(), 'samples-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.stop(true)
})

const succeeds = (...command: string[]): boolean => {
  try {
    return Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0
  } catch {
    return false
  }
}

/** The program and file extension of each language, and whether this machine can run it. */
const runners: Record<string, [program: string, extension: string, isPresent: boolean]> = {
  curl: ['sh', 'sh', succeeds('curl', '--version')],
  TypeScript: [process.execPath, 'ts', true],
  Python: ['python3', 'py', succeeds('python3', '-c', 'import requests')],
  PHP: ['php', 'php', succeeds('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);')],
}

type Request = Parameters<typeof samplesOf>[0]
const requests: Record<string, Request> = {
  'everything that JSON has': {
    method: 'POST',
    path: '/v1/events',
    headers: [
      ['X-API-Key', "ces_it's"],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify({
      name: 'O\'Meara "Jo" \\ {{customer.name|there}} ü',
      data: { total: 129.9, paid: true, gift: false, note: null, empty: {}, none: [], 'with space': [1, { two: 2 }] },
      long: 'a text that makes sure that the object takes more than one line, as long ones do',
    }),
  },
  'a query': {
    method: 'GET',
    path: '/v1/conversations?waiting=true&limit=5',
    headers: [['X-API-Key', 'k']],
    body: null,
  },
  'no body': { method: 'DELETE', path: '/v1/webhooks/1', headers: [], body: null },
}

for (const [what, request] of Object.entries(requests))
  for (const { language, code } of samplesOf(request)) {
    const [program, extension, isPresent] = runners[language]!
    test.skipIf(!isPresent)(`${language} sends the documented request with ${what}`, async () => {
      const path = join(folder, `sample.${extension}`)
      writeFileSync(path, code.replaceAll('%url%', server.url.origin))
      received.length = 0
      const env = { ...process.env, NO_PROXY: '*' }
      const child = Bun.spawn([program, path], { stdout: 'pipe', stderr: 'pipe', env })
      const [output, errors] = await Promise.all(
        [child.stdout, child.stderr].map(stream => new Response(stream).text()),
      )
      expect(await child.exited, errors).toBe(0)
      expect(output).toContain('recorded')
      const key = request.headers.find(([name]) => name === 'X-API-Key')?.[1] ?? null
      const body = request.body === null ? null : JSON.parse(request.body)
      expect(received).toEqual([{ method: request.method, path: request.path, key, body }])
    })
  }
