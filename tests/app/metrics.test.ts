/** Tests of the metrics, their documentation, and their token and separate port. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { heldKinds } from '../../src/app/restore/index.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { bearer, startWorld, useWorld } from '../support/world.ts'
import { load, loadedErrors, loadedSettings, type MetricsText, readMetrics } from './loaded.ts'

const hasPromtool = Bun.which('promtool') !== null

describe('a loaded service', () => {
  const receiver = use(startReceiver)
  const world = useWorld(() => loadedSettings(receiver), { errors: loadedErrors })
  let metrics: MetricsText
  beforeAll(async () => {
    await load(world, receiver)
    metrics = await readMetrics(world)
  })

  test('has the metrics of docs/metrics.md with their types and labels, and no others', () => {
    const page = readFileSync(join(import.meta.dir, '../../docs/metrics.md'), 'utf8')
    const documented = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) ?\| /gm)].map(([, name, type, labels]) => [
      name!,
      `${type} ${[...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label).sort()}`,
    ])
    const base = (name: string) => (metrics.declared.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''))
    const actual = metrics.series.map(({ name, labels }) => [
      base(name),
      `${metrics.declared.get(base(name))!.type} ${Object.keys(labels)
        .filter(label => label !== 'le')
        .sort()}`,
    ])
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(actual))
    expect([...metrics.declared.keys()].sort()).toEqual(documented.map(([name]) => name!).sort())
  })

  test('has measured everything once', () => {
    const idle = metrics.series.filter(({ name, value }) => name.endsWith('_count') && value === 0)
    expect(idle).toEqual([])
    for (const name of ['delivery_retries', 'rate_limited_calls', 'rejected_events', 'rejected_batches', 'deliveries'])
      expect(metrics.series.find(one => one.name === `engagement_${name}_total`)?.value, name).toBeGreaterThan(0)
    const connections = metrics.series.filter(({ name }) => name === 'engagement_connections')
    expect(connections.length).toBe(16)
    const open = (pool: string) =>
      connections.reduce((sum, { labels, value }) => (labels.pool === pool ? sum + value : sum), 0)
    expect(open('listener')).toBe(1)
    expect(open('tasks')).toBeWithin(1, 7)
  })

  test('names the queues as the commands and docs/metrics.md do', () => {
    for (const metric of ['engagement_queue_depth', 'engagement_queue_oldest_age_seconds']) {
      const queues = metrics.series.flatMap(({ name, labels }) => (name === metric ? [labels.queue!] : []))
      expect(queues.sort(), metric).toEqual([...heldKinds].sort())
    }
    const [, listed = ''] = /`queue` is (.*?),\sas in/s.exec(read('docs/metrics.md')) ?? []
    expect(listed.split('`').filter((_, index) => index % 2 === 1)).toEqual([...heldKinds])
  })

  test.skipIf(!hasPromtool)('passes promtool check metrics', () => {
    promtool(['check', 'metrics'], metrics.text)
  })

  test.each(['deploy/grafana/engagement.json', 'deploy/prometheus/alerts.yaml'])(
    'has every series and label that %s uses',
    path => {
      const expressions = expressionsIn(Bun.YAML.parse(read(path)))
      expect(expressions.length).toBeGreaterThan(10)
      for (const expression of expressions) {
        const found = selectorsIn(expression).map(({ name, matchers }) => {
          const series = metrics.series.filter(
            one => one.name === name && matchers.every(([label, pattern]) => pattern.test(one.labels[label] ?? '')),
          )
          expect(series.length, `${path}: ${expression}`).toBeGreaterThan(0)
          return series
        })
        const labels = new Set([...ofScrape, ...found.flat().flatMap(one => Object.keys(one.labels))])
        for (const [, grouped] of expression.matchAll(/\b(?:by|on|group_left) \(([^)]*)\)/g))
          for (const label of grouped!.split(/,\s*/).filter(Boolean)) expect(labels, expression).toContain(label)
      }
    },
  )
})

/** Labels that Prometheus adds to each series. */
const ofScrape = ['instance', 'job']

const read = (path: string) => readFileSync(join(import.meta.dir, '../..', path), 'utf8')

/** Returns every `expr` of a document. */
const expressionsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, child]) => (key === 'expr' ? [child as string] : expressionsIn(child)))

/** Returns the series that an expression names, with its conditions on labels, except those that the scrape adds. */
const selectorsIn = (expression: string) =>
  [...expression.matchAll(/\b((?:engagement|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name, conditions = '']) => ({
    name: name!,
    matchers: [...conditions.matchAll(/(\w+)(=~?)"([^"]*)"/g)]
      .filter(([, label]) => !ofScrape.includes(label!))
      .map(
        ([, label, operator, text]) =>
          [label!, new RegExp(`^(?:${operator === '=' ? RegExp.escape(text!) : text})$`)] as const,
      ),
  }))

/** Runs promtool and expects that it reports nothing. */
const promtool = (args: string[], input = '') => {
  const { exitCode, stderr, stdout } = Bun.spawnSync(['promtool', ...args], { stdin: Buffer.from(input) })
  expect([
    exitCode,
    `${stdout}${stderr}`.replace(/^.*(?:SUCCESS|Checking|Unit Testing|Processing test file).*\n?|\n/gm, ''),
  ]).toEqual([0, ''])
}

describe('the alerts', () => {
  interface Rule {
    alert: string
    labels: { severity: string }
    annotations: { runbook: string }
  }
  const rules = (
    Bun.YAML.parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }
  ).groups.flatMap(group => group.rules)
  const names = rules.map(({ alert }) => alert)

  test('have one section each in the runbook, which says the meaning, the check and the act', () => {
    const sections = read('deploy/runbook.md').split(/^## /m).slice(1)
    expect(sections.map(section => section.split('\n')[0])).toEqual(names)
    for (const section of sections)
      expect([...section.matchAll(/^- \*\*(\w+):\*\*/gm)].map(([, word]) => word)).toEqual(['Meaning', 'Check', 'Act'])
    for (const { alert, labels, annotations } of rules) {
      expect(annotations.runbook).toBe(`deploy/runbook.md#${alert.toLowerCase()}`)
      expect(['critical', 'warning', 'info']).toContain(labels.severity)
    }
  })

  test('fire in deploy/prometheus/alerts.test.yaml, and not for a healthy service', () => {
    const [firing, healthy] = read('deploy/prometheus/alerts.test.yaml').split('a healthy service causes no alert')
    for (const name of names) {
      const tested = new RegExp(`alertname: ${name}\\b`, 'g')
      expect(firing!.match(tested)?.length, name).toBeGreaterThan(0)
      expect(healthy!.match(tested), name).toHaveLength(1)
    }
  })

  test.skipIf(!hasPromtool)('pass promtool', () => {
    const file = (name: string) => join(import.meta.dir, '../../deploy/prometheus', name)
    promtool(['check', 'rules', file('alerts.yaml')])
    promtool(['test', 'rules', file('alerts.test.yaml')])
  })
})

test('an unknown method is counted as other', async () => {
  await using world = await startWorld({ ROLES: 'http' })
  await fetch(`${world.url}/v1/events`, { method: 'PURGE' })
  const methods = (await readMetrics(world)).series.map(({ labels }) => labels.method)
  expect(methods).toContain('other')
  expect(methods).not.toContain('PURGE')
})

const METRICS_TOKEN = 'a-token-of-sixteen-or-more'

test('METRICS_TOKEN restricts the metrics to callers with that token', async () => {
  await using world = await startWorld({ METRICS_TOKEN, ROLES: 'http' })
  const others = [{}, bearer('another-token-altogether'), bearer(world.owner.token), { Authorization: METRICS_TOKEN }]
  for (const as of others) {
    const { status, body, headers } = await world.call('GET', '/metrics', { as })
    const message = 'Send the token of METRICS_TOKEN as Authorization: Bearer.'
    expect([status, body.error]).toEqual([401, { code: 'unauthorized', message }])
    expect(body.request_id).toBe(headers.get('x-request-id'))
    expect(headers.get('www-authenticate')).toStartWith('Bearer')
  }
  const { status, body } = await world.call('GET', '/metrics', { as: bearer(METRICS_TOKEN) })
  expect([status, body]).toEqual([200, expect.stringContaining('process_uptime_seconds')])
})

test('METRICS_PORT serves only the metrics, which are not served elsewhere', async () => {
  await using world = await startWorld({ METRICS_PORT: '0', METRICS_TOKEN, ROLES: 'http' })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${world.service.metricsPort}${path}`, { headers: bearer(METRICS_TOKEN), ...init })
  expect((await world.call('GET', '/metrics', { as: 'nobody' })).status).toBe(404)
  expect((await world.call('GET', '/healthz', { as: 'nobody' })).status).toBe(200)
  const metrics = await ask('/metrics?a=b')
  expect([metrics.status, metrics.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await metrics.text()).toContain('process_uptime_seconds')
  expect((await ask('/metrics', { headers: {} })).status).toBe(401)
  expect((await ask('/metrics', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
  for (const path of ['/', '/healthz', '/v1/customers', '/metrics/x']) expect((await ask(path)).status, path).toBe(404)
  const counted = 'engagement_http_requests_total{method="GET",route="/metrics",status="401"} 1'
  expect(await (await ask('/metrics')).text()).toContain(counted)
})
