import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { startReceiver, verifySignature } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { useWorld } from '../support/world.ts'

const root = resolve(import.meta.dir, '../..')
const source = readFileSync(join(root, 'openapi/openapi.json'), 'utf8')

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

test('the published document passes the recommended rules of Redocly without errors or warnings', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, config, absoluteRef: '/openapi.json' })
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
})

test('a client generated from the published document compiles and drives the main job', async () => {
  const { driveMainJob } = await import('./main-job.ts')
  const { matchedWorkflows, secret } = await driveMainJob(world.url, world.owner, receiver.url)
  expect(matchedWorkflows).toBe(1)
  const [request] = await receiver.waitFor(1)
  expect(JSON.parse(request!.body)).toMatchObject({ type: 'message.status', data: { status: 'delivered' } })
  expect(verifySignature(request!.headers['x-service-signature']!, request!.body, secret, Date.now() / 1000)).toBe(true)
})
