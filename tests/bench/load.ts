/** Program: sends `POST /v1/events`, each event with its own key, by writing digits into the bytes of one request. */
import { hammer, type Load, type LoadResult, requestText, writeDigits } from './hammer.ts'
import { taskOfProgram } from './programs.ts'

export interface LoadTask extends Load {
  apiKey: string
  /** Number of existing customers: phones `knownPhone(0)` to `knownPhone(knownCustomers - 1)`. */
  knownCustomers: number
  /** Share of the events, 0 to 1, whose phone is new and creates a customer. */
  newShare: number
  /** Number that makes the keys and new phones of this call unique. 0 to 99. */
  call: number
}

/** Returns the phone of an existing benchmark customer. */
export const knownPhone = (index: number): string => `+49151${String(index).padStart(8, '0')}`

const sequenceDigits = 8
const blank = '#'.repeat(sequenceDigits)

const record = (task: LoadTask): Promise<LoadResult> => {
  const { apiKey, call, newShare, knownCustomers } = task
  const data = { orderId: `A-${blank}`, total: 129.9, currency: 'EUR', items: 3, channel: 'web' }
  const idempotencyKey = `order-${String(call).padStart(2, '0')}-${blank}-created`
  const body = JSON.stringify({ type: 'order.created', phone: `+49151${blank}`, name: 'Ana', data, idempotencyKey })
  const request = requestText('POST', '/v1/events', { 'X-API-Key': apiKey }, body)
  const phoneAt = request.indexOf(blank)
  const orderAt = request.indexOf(blank, phoneAt + sequenceDigits)
  const keyAt = request.indexOf(blank, orderAt + sequenceDigits)

  const newPhones = 10_000_000 + call * 900_000
  let sequence = 0
  let enrolled = 0
  return hammer(task, request, 201, bytes => {
    const order = sequence++
    const isNew = Math.floor(sequence * newShare) > enrolled
    const phone = isNew ? newPhones + enrolled++ : Math.floor(Math.random() * knownCustomers)
    writeDigits(bytes, phone, phoneAt, sequenceDigits)
    writeDigits(bytes, order, orderAt, sequenceDigits)
    writeDigits(bytes, order, keyAt, sequenceDigits)
  })
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await record(taskOfProgram<LoadTask>())))
  process.exit(0)
}
