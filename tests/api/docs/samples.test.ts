/** Runs the code samples of the pages in their own languages and checks the requests that arrive. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
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
    received.push({
      method: request.method,
      path: pathname + search,
      key: request.headers.get('x-api-key'),
      body: text === '' ? null : JSON.parse(text),
    })
    return Response.json({ recorded: true })
  },
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'samples-'))
})
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

/** Maps a language to how its file is run, or null where this machine cannot run it. */
const runners: Record<string, { file: string; run: (path: string) => string[] } | null> = {
  curl: succeeds('curl', '--version') ? { file: 'sample.sh', run: path => ['sh', path] } : null,
  TypeScript: { file: 'sample.ts', run: path => [process.execPath, path] },
  Python: succeeds('python3', '-c', 'import requests') ? { file: 'sample.py', run: path => ['python3', path] } : null,
  PHP: succeeds('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);')
    ? { file: 'sample.php', run: path => ['php', path] }
    : null,
}

const requests = {
  'a body of everything that JSON has': {
    method: 'POST',
    path: '/v1/events',
    headers: [
      ['X-API-Key', "ces_it's"],
      ['Content-Type', 'application/json'],
    ] as [string, string][],
    body: JSON.stringify({
      type: 'order.created',
      name: 'O\'Meara "Jo" \\ {{customer.name|there}} ü',
      data: {
        total: 129.9,
        paid: true,
        gift: false,
        note: null,
        empty: {},
        none: [],
        'with space': [1, 'two', { three: 3 }],
      },
      long: 'a text that makes sure that the object takes more than one line, as long ones do',
    }),
  },
  'a query': {
    method: 'GET',
    path: '/v1/conversations?waiting=true&limit=5',
    headers: [['X-API-Key', 'k']] as [string, string][],
    body: null,
  },
  'no body': { method: 'DELETE', path: '/v1/webhooks/1', headers: [] as [string, string][], body: null },
}

for (const [what, request] of Object.entries(requests)) {
  describe(what, () => {
    for (const { language, code } of samplesOf(request)) {
      const runner = runners[language]
      test.skipIf(runner === null)(`${language} sends the documented request`, async () => {
        const path = join(folder, runner!.file)
        writeFileSync(path, code.replaceAll('%url%', server.url.origin))
        received.length = 0
        const child = Bun.spawn(runner!.run(path), {
          stdout: 'pipe',
          stderr: 'pipe',
          env: { ...process.env, NO_PROXY: '*' },
        })
        const [output, errors] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
        ])
        expect(await child.exited, errors).toBe(0)
        expect(output).toContain('recorded')
        expect(received).toEqual([
          {
            method: request.method,
            path: request.path,
            key: request.headers.find(([name]) => name === 'X-API-Key')?.[1] ?? null,
            body: request.body === null ? null : JSON.parse(request.body),
          },
        ])
      })
    }
  })
}
