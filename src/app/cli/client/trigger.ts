/** `trigger`: causes a real outbound event in the workspace, over a sandbox channel without real phones. */
import { parseArguments, readObjectFile } from './arguments.ts'
import { ClientError } from './errors.ts'
import { pause } from './interruption.ts'
import { nearest } from './nearest.ts'
import { scenarios } from './scenarios.ts'
import { callService, readService, type Service, serviceOptions, serviceOptionsHelp } from './service.ts'
import type { Scenario } from './stage.ts'

const types = Object.keys(scenarios)

export const triggerUsage = `trigger TYPE --token TOKEN [--url BASE] [--data FILE]
${serviceOptionsHelp}
  --data         JSON file with values for the event, or - for standard input. The values are:
${Object.entries(scenarios)
  .map(([type, { values }]) => `                   ${type}: ${Object.keys(values).join(', ') || 'none'}`)
  .join('\n')}`

interface EventRecord {
  id: string
  type: string
  data: Record<string, unknown>
}

const waitMs = 10_000
/** Milliseconds that a scenario waits for an event that precedes its own. */
const scenarioWaitMs = 30_000
const pollMs = 250

/** Causes the event, prints what was created and the ID of the event, and returns 0. */
export const trigger = async (args: string[]): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: { ...serviceOptions, data: { type: 'string' } },
  })
  const [type = '', surplus] = positionals
  if (surplus !== undefined) throw new ClientError(`The command needs one type, not also "${surplus}".`, 2)
  const scenario = findScenario(type)
  const given = readValues(type, scenario, values.data)
  const service = readService(values)
  const { expected, cleanUp } = await scenario.run({
    call: (method, path, body) => callService(service, method, path, body),
    values: given,
    say: print,
    waitForEvent: (type, expected) => findEvent(service, type, expected, scenarioWaitMs),
  })
  try {
    const event = await findEvent(service, type, expected, scenario.waitMs ?? waitMs)
    print(`The event ${event.id} (${type}) is in the stream of outbound events.`)
    return 0
  } finally {
    await cleanUp?.()
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const findScenario = (type: string): Scenario => {
  const scenario = Object.hasOwn(scenarios, type) ? scenarios[type] : undefined
  if (scenario) return scenario
  const list = `The types are ${types.join(', ')}.`
  if (type === '') throw new ClientError(`The type is missing. ${list}`, 2)
  const suggestion = nearest(type, types)
  throw new ClientError(`Unknown type "${type}".${suggestion ? ` Did you mean ${suggestion}?` : ''} ${list}`, 2)
}

const readValues = (type: string, scenario: Scenario, path: string | undefined): Record<string, unknown> => {
  const given = path === undefined ? {} : readObjectFile(path)
  const names = Object.keys(scenario.values)
  const unknown = Object.keys(given).find(name => !names.includes(name))
  if (unknown !== undefined)
    throw new ClientError(`--data has "${unknown}". The values of ${type} are: ${names.join(', ') || 'none'}.`, 2)
  return { ...scenario.values, ...given }
}

/** Returns the newest event of the type whose data has these values. Throws ClientError after the time. */
const findEvent = async (
  service: Service,
  type: string,
  expected: Record<string, unknown>,
  withinMs: number,
): Promise<EventRecord> => {
  const end = performance.now() + withinMs
  const isExpected = ({ data }: EventRecord) => Object.entries(expected).every(([name, value]) => data[name] === value)
  do {
    const path = `/v1/outbound-events?limit=20&type=${encodeURIComponent(type)}`
    const { data } = await callService<{ data: EventRecord[] }>(service, 'GET', path)
    const event = data.find(isExpected)
    if (event) return event
    await pause(pollMs)
  } while (performance.now() < end)
  throw new ClientError(
    `No ${type} event arrived within ${withinMs / 1000} seconds. Check the activity of the workspace, and that the workers of the service run.`,
  )
}
