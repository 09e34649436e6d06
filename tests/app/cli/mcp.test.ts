import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import Ajv from 'ajv/dist/2020.js'
import { type ApiDocument, resolveSchema } from '../../../src/app/cli/mcp/document.ts'
import { runCommand } from '../../support/command.ts'
import { useWorld } from '../../support/world.ts'

setDefaultTimeout(60_000)

const world = useWorld()
const tokens = { read: '', write: '' }
const clients: Client[] = []
beforeAll(async () => {
  for (const access of ['read', 'write'] as const)
    tokens[access] = (await world.expect(201, 'POST', '/v1/auth/tokens', { body: { name: access, access } })).token
})
afterAll(() => Promise.all(clients.map(client => client.close())))

/** Starts the command as a model's program does, and connects the official client. */
const connect = async (token: string, args: string[] = []): Promise<Client> => {
  const { PATH = '', HOME = '' } = process.env
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve(import.meta.dir, '../../../src/main.ts'), 'mcp', ...args],
    env: { PATH, HOME, CUSTOMER_ENGAGEMENT_URL: world.url, CUSTOMER_ENGAGEMENT_TOKEN: token, DATABASE_URL: 'nonsense' },
    stderr: 'ignore',
  })
  const client = new Client({ name: 'test', version: '1' })
  clients.push(client)
  await client.connect(transport)
  return client
}

const call = async (client: Client, name: string, values: Record<string, unknown>) => {
  const { content, isError = false } = await client.callTool({ name, arguments: values })
  const [{ text }] = content as [{ text: string }]
  return { isError, text }
}

test('offers every operation that a token can call, with descriptions and complete schemas', async () => {
  const client = await connect(tokens.write)
  const { tools } = await client.listTools()
  expect(tools.length).toBeGreaterThan(100)
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const { name, description, inputSchema, annotations } of tools) {
    expect(name).toMatch(/^[a-z_]{1,64}$/)
    expect(description?.length, name).toBeWithin(20, 1025)
    expect(description, name).toEndWith('.')
    expect(JSON.stringify(inputSchema)).not.toContain('#/components')
    expect(() => ajv.compile(inputSchema), name).not.toThrow()
    expect(annotations, name).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: false })
  }
  const names = tools.map(({ name }) => name)
  expect(names).toContain('record_event')
  for (const excluded of [
    'sign_in',
    'open_stream',
    'issue_api_key',
    'invite_member',
    'receive_twilio',
    'change_password',
  ])
    expect(names).not.toContain(excluded)
  expect(client.getInstructions()!.split('\n').length).toBeLessThanOrEqual(15)
})

test('creates a customer, records an event and reads both', async () => {
  const client = await connect(tokens.write)
  const created = await call(client, 'create_customer', { body: { phone: '+15550104477', name: 'Ana' } })
  expect(created.isError).toBe(false)
  const { id } = JSON.parse(created.text)
  const event = await call(client, 'record_event', { body: { type: 'order.created', customerId: id } })
  expect(JSON.parse(event.text)).toMatchObject({ recorded: true, event: { customerId: id } })
  const list = await call(client, 'list_customers', { phone: '+15550104477', limit: 1 })
  expect(JSON.parse(list.text)).toMatchObject({ data: [{ id, name: 'Ana' }], nextCursor: null })
  expect(JSON.parse((await call(client, 'read_customer', { id })).text)).toMatchObject({ id })
  expect(await call(client, 'erase_customer', { id })).toMatchObject({ isError: false })

  const invalid = await call(client, 'create_customer', { body: { phone: '12' } })
  expect(invalid.isError).toBe(true)
  expect(JSON.parse(invalid.text)).toMatchObject({
    status: 400,
    code: 'invalid_request',
    details: { phone: expect.stringContaining('E.164') },
  })
  expect(await call(client, 'read_customer', {})).toEqual({ isError: true, text: '"id" is missing.' })
  expect(await call(client, 'read_customer', { id, page: 2 })).toEqual({
    isError: true,
    text: '"page" is not an argument. The arguments are: id.',
  })
  expect(client.callTool({ name: 'dance', arguments: {} })).rejects.toThrow('There is no tool "dance".')
})

test('with a read token, offers only tools that read', async () => {
  const client = await connect(tokens.read, ['--tools', 'customers,opt-out-words'])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'list_consents',
    'list_customers',
    'read_customer',
    'read_opt_out_words',
    'read_timeline',
  ])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  expect(client.getInstructions()).toContain('read-only')
  expect(client.callTool({ name: 'create_customer', arguments: { body: {} } })).rejects.toThrow('There is no tool')
})

test('with a token of an agent, offers no tools of owners', async () => {
  const agent = await world.person('agent')
  const body = { name: 'agent', access: 'write' }
  const { token } = await world.expect(201, 'POST', '/v1/auth/tokens', { as: agent.as, body })
  const client = await connect(token)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('write_message')
  const ownersTools = ['create_webhook', 'issue_api_key', 'list_audit_entries', 'erase_customer', 'start_campaign']
  expect(ownersTools.filter(name => names.includes(name))).toEqual([])
})

test('cuts a long response and says how to get less', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, 'x'.repeat(400)]))
  for (let n = 0; n < 15; n++)
    await world.expect(201, 'POST', '/v1/customers', { body: { externalId: `large-${n}`, attributes } })
  const client = await connect(tokens.read, ['--tools', 'customers'])
  const { text } = await call(client, 'list_customers', {})
  expect(text.length).toBeWithin(100_000, 100_300)
  expect(text).toEndWith('Use a smaller limit, filters or a time range.')
})

test('explains an unknown group and an invalid token', async () => {
  const run = (args: string[], token: string) =>
    runCommand(['mcp', ...args], { CUSTOMER_ENGAGEMENT_URL: world.url, CUSTOMER_ENGAGEMENT_TOKEN: token })
  expect(await run(['--tools', 'customer'], tokens.read)).toMatchObject({
    status: 2,
    out: '',
    error: expect.stringContaining('Unknown group of tools "customer". The groups are events, activity, '),
  })
  expect(await run([], 'cest_invalid')).toMatchObject({ status: 1, out: '' })
})

test('keeps only references of a schema to itself', () => {
  const schemas = {
    Leaf: { type: 'string', example: 'a' },
    Tree: {
      type: 'object',
      properties: {
        example: { $ref: '#/components/schemas/Leaf', description: 'Name.' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      },
    },
  }
  const document: ApiDocument = { paths: {}, components: { schemas } }
  const tree = {
    type: 'object',
    properties: {
      example: { type: 'string', description: 'Name.' },
      children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
    },
  }
  expect(resolveSchema(document, { $ref: '#/components/schemas/Tree' })).toEqual({ ...tree, $defs: { Tree: tree } })
})
