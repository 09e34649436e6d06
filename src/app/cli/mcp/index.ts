/** `mcp`: a Model Context Protocol server over stdio, whose tools are the operations of a service. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import manifest from '../../../../package.json' with { type: 'json' }
import { parseArguments } from '../client/arguments.ts'
import { ClientError } from '../client/errors.ts'
import { createInterruption } from '../client/interruption.ts'
import {
  callService,
  readService,
  readSession,
  type Service,
  type Session,
  serviceOptions,
  serviceOptionsHelp,
} from '../client/service.ts'
import { callTool } from './call-tool.ts'
import type { ApiDocument } from './document.ts'
import { groupsOf, type Permissions, type Tool, toolsOf } from './tools.ts'

export const mcpUsage = `mcp --token TOKEN [--url BASE] [--tools GROUP,...]
${serviceOptionsHelp}
  --tools        groups of tools, separated by commas, such as customers,events (default: all)`

/** Serves until the client closes standard input, or Ctrl-C. Only the protocol is written to standard output. */
export const mcp = async (args: string[]): Promise<number> => {
  const { values } = parseArguments({ args, options: { ...serviceOptions, tools: { type: 'string' } } })
  const service = readService(values)
  const session = await readSession(service)
  const document = await callService<ApiDocument>(service, 'GET', '/openapi.json')
  const groups = readGroups(document, values.tools)
  // A session of a person can write. Only an access token can be limited to reading.
  const permissions = { role: session.role, isReadOnly: session.token?.access === 'read' }
  const tools = new Map(toolsOf(document, { ...permissions, groups }).map(tool => [tool.definition.name, tool]))
  process.stderr.write(`${tools.size} tools for the workspace ${session.workspace.name} (${service.url})\n`)
  await serve(createServer(service, tools, describeService(session, permissions)))
  return 0
}

const readGroups = (document: ApiDocument, text: string | undefined): string[] | null => {
  if (text === undefined) return null
  const known = groupsOf(document)
  const groups = text.split(',').map(group => group.trim())
  const unknown = groups.find(group => !known.includes(group))
  if (unknown === undefined) return groups
  throw new ClientError(`Unknown group of tools "${unknown}". The groups are ${known.join(', ')}.`, 2)
}

const createServer = (service: Service, tools: Map<string, Tool>, instructions: string): Server => {
  const server = new Server(
    { name: 'customer-engagement-service', version: manifest.version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ definition }) => definition),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const tool = tools.get(params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}".`)
    return callTool(service, tool, params.arguments ?? {}, signal)
  })
  return server
}

/** Resolves when the client has gone. */
const serve = async (server: Server): Promise<void> => {
  const interruption = createInterruption()
  const closed = new Promise<void>(resolve => {
    server.onclose = resolve
  })
  const close = () => void server.close()
  // The transport does not notice the end of standard input.
  process.stdin.once('end', close)
  interruption.signal.addEventListener('abort', close, { once: true })
  await server.connect(new StdioServerTransport())
  await closed
  interruption.release()
  process.stdin.destroy()
}

const describeService = ({ workspace }: Session, { role, isReadOnly }: Permissions): string =>
  `Tools of the customer engagement service for the workspace "${workspace.name}". You act with the role ${role}.
${isReadOnly ? 'The access token is read-only: there are only tools that read.\n' : 'Tools without readOnlyHint change data. Messages reach real customers, unless the channel is a sandbox.\n'}
Main task: business events come in (record_event), workflows run for them and send messages to customers, customers reply in
conversations, and outbound events report everything to webhook endpoints.
- Find a customer with list_customers (q, phone, externalId), and read_timeline for everything that happened to one.
- list_activity_events explains for each event which workflows it started, and why others did not start.
- list_attention lists what needs a person, such as failing endpoints and channels.
- list_conversations with unanswered=true lists what needs a person. write_message answers.
- Lists return data and nextCursor. Pass nextCursor as cursor for the next page. Use limit, filters and times to narrow a list.
- Times are ISO 8601 in UTC, and IDs are UUIDs. Amounts are exact decimals.
- An error names the wrong field in details. Correct it and call the tool again.`
