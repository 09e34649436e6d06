/** `send-event`: records an inbound event. */
import { randomUUID } from 'node:crypto'
import { parseArguments, parseObject, readObjectFile } from './arguments.ts'
import { ClientError } from './errors.ts'
import { callService, readService, serviceOptions, serviceOptionsHelp } from './service.ts'

export const sendEventUsage = `send-event TYPE --phone NUMBER | --external-id ID | --customer-id ID --token TOKEN [--url BASE] [--name NAME] [--data JSON] [--key KEY]
${serviceOptionsHelp}
  --phone        customer's number in E.164 format, such as +4915112345678. An unknown customer is created
  --external-id  your own id of an existing customer
  --customer-id  id of an existing customer
  --name         name of a customer that this call creates
  --data         a JSON object, @FILE, or - for standard input
  --key          idempotency key (default: a random one)`

interface Recorded {
  recorded: boolean
  matchedWorkflows: number
  outcomes: { explanation: string }[]
  didYouMean: string | null
  event: { id: string; type: string; customerId: string }
}

/** Records the event, prints the effect and returns 0. */
export const sendEvent = async (args: string[]): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      ...serviceOptions,
      phone: { type: 'string' },
      'external-id': { type: 'string' },
      'customer-id': { type: 'string' },
      name: { type: 'string' },
      data: { type: 'string' },
      key: { type: 'string' },
    },
  })
  const [type, surplus] = positionals
  if (type === undefined || surplus !== undefined)
    throw new ClientError('The command needs one event type, such as order.created.', 2)
  const customer = {
    phone: values.phone,
    externalId: values['external-id'],
    customerId: values['customer-id'],
    name: values.name,
  }
  if (!customer.phone && !customer.externalId && !customer.customerId)
    throw new ClientError('The customer is missing. Use --phone, --external-id or --customer-id.', 2)
  const data = values.data === undefined ? undefined : readData(values.data)
  const body = { type, ...customer, data, idempotencyKey: values.key ?? randomUUID() }
  print(await callService<Recorded>(readService(values), 'POST', '/v1/events', body))
  return 0
}

const readData = (text: string): Record<string, unknown> =>
  text === '-' || text.startsWith('@') ? readObjectFile(text.replace(/^@/, '')) : parseObject(text)

const print = ({ recorded, matchedWorkflows, outcomes, didYouMean, event }: Recorded): void => {
  const lines = [
    recorded
      ? `Recorded the event ${event.id} (${event.type}) of the customer ${event.customerId}.`
      : `The idempotency key was used before. It belongs to the event ${event.id} (${event.type}). Nothing was recorded.`,
    matchedWorkflows === 0
      ? 'No active workflow starts with this type.'
      : `${matchedWorkflows} active ${matchedWorkflows === 1 ? 'workflow starts' : 'workflows start'} with this type.`,
    ...outcomes.map(({ explanation }) => `  ${explanation}`),
    ...(didYouMean ? [`Did you mean ${didYouMean}?`] : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
