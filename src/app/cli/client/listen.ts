/** `listen`: forwards outbound events to a program on this machine, signed like a delivery. */
import { randomBytes, randomUUID } from 'node:crypto'
import { parseArguments } from './arguments.ts'
import { ClientError, ConnectionError } from './errors.ts'
import { sendRequest } from './http.ts'
import { createInterruption, pause } from './interruption.ts'
import { pullPage } from './pull.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { parseHttpUrl, readService, readSession, type Service, serviceOptions, serviceOptionsHelp } from './service.ts'
import { decodeSecret, signedHeaders } from './sign.ts'

export const listenUsage = `listen --token TOKEN [--url BASE] [--forward-to URL] [--events TYPE,...] [--secret SECRET] [--json]
${serviceOptionsHelp}
  --forward-to   address that gets the webhooks, such as http://localhost:3000/hooks. Without it, the command starts
                 a receiver that verifies them
  --events       types of events, separated by commas (default: all)
  --secret       secret for the signatures (default: a new one, printed at the start)
  --json         print one line of JSON for each event`

interface Options {
  service: Service
  forwardTo: string | null
  types: string[]
  secret: string
  json: boolean
}

/** Limit for the response of the receiver, as for a delivery (contract 12.2). */
const receiverTimeoutMs = 10_000
const waitSeconds = 25
const firstRetryMs = 500
const maxRetryMs = 5000

/** Runs until Ctrl-C and returns 0. Throws ClientError if the service refuses the token or the request. */
export const listen = async (args: string[]): Promise<number> => {
  const options = readOptions(args)
  const session = await readSession(options.service)
  const interruption = createInterruption()
  const receiver = options.forwardTo === null ? await startReceiver(options.secret) : null
  try {
    await forward(options, receiver, session.workspace.name, interruption.signal)
    return 0
  } catch (error) {
    if (interruption.signal.aborted) return 0
    throw error
  } finally {
    receiver?.stop()
    interruption.release()
  }
}

const readOptions = (args: string[]): Options => {
  const { values } = parseArguments({
    args,
    options: {
      ...serviceOptions,
      'forward-to': { type: 'string' },
      events: { type: 'string' },
      secret: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  const forwardTo = values['forward-to'] ?? null
  if (forwardTo !== null && !parseHttpUrl(forwardTo))
    throw new ClientError(
      `--forward-to must be an http or https address such as http://localhost:3000/hooks, not "${forwardTo}".`,
      2,
    )
  const secret = values.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  if (!decodeSecret(secret)) throw new ClientError('--secret must be whsec_ and 32 bytes in base64.', 2)
  return {
    service: readService(values),
    forwardTo,
    types: values.events?.split(',').map(type => type.trim()) ?? [],
    secret,
    json: values.json ?? false,
  }
}

/** Pulls and posts events, one after the other, until the signal is aborted. */
const forward = async (
  options: Options,
  receiver: Receiver | null,
  workspace: string,
  signal: AbortSignal,
): Promise<void> => {
  const { service, types, json } = options
  // Notes are not mixed with the lines of JSON.
  const note = (text: string) => void (json ? process.stderr : process.stdout).write(`${text}\n`)
  let cursor: string | null = null
  let failures = 0
  while (!signal.aborted) {
    const askedAt = performance.now()
    // The first page sets the position. It must not wait, because no position exists until it is answered.
    const pulled = await pullPage(service, { after: cursor, types, wait: cursor === null ? 0 : waitSeconds, signal })
    if (pulled.kind === 'unavailable') {
      if (failures === 0) note('Service not reachable, retrying.')
      await pause(Math.max(retryDelay(failures++), pulled.afterMs ?? 0), signal)
      continue
    }
    if (failures > 0) note('Connected again.')
    failures = 0
    if (pulled.kind === 'missed') {
      note('Some events are missing, because the service no longer stores them. Continuing with the oldest one.')
      cursor = pulled.after
      continue
    }
    if (cursor === null) printStart(options, receiver, workspace, note)
    for (const body of pulled.bodies) {
      if (signal.aborted) return
      await forwardEvent(body, options, receiver, signal)
    }
    cursor = pulled.cursor
    // A service that is stopping answers without a wait.
    const isIdle = pulled.bodies.length === 0 && !pulled.hasMore
    if (isIdle && performance.now() - askedAt < firstRetryMs) await pause(firstRetryMs, signal)
  }
}

const printStart = (
  { service, forwardTo, types, secret }: Options,
  receiver: Receiver | null,
  workspace: string,
  note: (text: string) => void,
): void => {
  note(`Workspace   ${workspace} (${service.url})`)
  note(`Events      ${types.length > 0 ? types.join(', ') : 'all types'}`)
  note(`Forward to  ${forwardTo ?? `${receiver?.url} (built in; it verifies the signatures)`}`)
  note(`Secret      ${secret}`)
  note('Ready. Press Ctrl-C to stop.\n')
}

/** Doubles from 0.5 to 5 seconds. Half of the delay is random, so that clients do not return together. */
const retryDelay = (failures: number): number => {
  const ms = Math.min(firstRetryMs * 2 ** failures, maxRetryMs)
  return ms / 2 + (ms / 2) * Math.random()
}

/** Posts one event and prints its line. A failure is not repeated. */
const forwardEvent = async (
  body: string,
  { forwardTo, secret, json }: Options,
  receiver: Receiver | null,
  signal: AbortSignal,
): Promise<void> => {
  const { id, type } = JSON.parse(body) as { id: string; type: string }
  const headers = signedHeaders({ id, type, body }, secret, randomUUID(), Math.floor(Date.now() / 1000))
  const startedAt = performance.now()
  const status = await post(forwardTo ?? receiver!.url, headers, body, signal)
  if (signal.aborted) return
  const durationMs = Math.round(performance.now() - startedAt)
  const verified = receiver && status === 200
  const time = new Date()
  const line = json
    ? JSON.stringify({ time: time.toISOString(), type, id, status, durationMs, ...(receiver && { verified }) })
    : `${time.toTimeString().slice(0, 8)}  ${type.padEnd(18)}  ${id}  ${status}  ${durationMs} ms${verified ? '  verified' : ''}`
  process.stdout.write(`${line}\n`)
}

/** Returns the status, or the reason for the lack of one. */
const post = async (
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<number | string> => {
  try {
    const request = { method: 'POST', headers, body, timeoutMs: receiverTimeoutMs, signal, isStatusEnough: true }
    return (await sendRequest(url, request)).status
  } catch (error) {
    if (error instanceof ConnectionError) return error.reason
    throw error
  }
}
