/** Program: sends WhatsApp callbacks, each with its own message and a valid signature over its bytes. */
import { createHmac } from 'node:crypto'
import { hammer, type Load, type LoadResult, requestText, writeDigits } from './hammer.ts'
import { taskOfProgram } from './programs.ts'

export interface CallbackTask extends Load {
  channelId: string
  phoneNumberId: string
  appSecret: string
  /** Number of existing customers: phones `knownPhone(0)` to `knownPhone(knownCustomers - 1)`. */
  knownCustomers: number
  /** Share of the messages, 0 to 1, whose phone is new. */
  newShare: number
  /** Number that makes the messages and new phones of this call unique. 0 to 99. */
  call: number
}

const digits = 8
const blank = '#'.repeat(digits)
const blankSignature = '#'.repeat(64)

const callBack = (task: CallbackTask): Promise<LoadResult> => {
  const { channelId, appSecret, call, newShare, knownCustomers } = task
  const headers = { 'X-Hub-Signature-256': `sha256=${blankSignature}` }
  const request = requestText('POST', `/v1/inbound/whatsapp/${channelId}`, headers, bodyOf(task))
  const signatureAt = request.indexOf(blankSignature)
  const bodyAt = request.indexOf('\r\n\r\n') + 4
  const phonesAt = placesOf(request, `49151${blank}`).map(place => place + '49151'.length)
  const messageAt = request.indexOf(`${blank}"`, request.indexOf('wamid.'))

  const newPhones = 10_000_000 + call * 900_000
  let sequence = 0
  let becameKnown = 0
  return hammer(task, request, 200, bytes => {
    const message = sequence++
    const isNew = Math.floor(sequence * newShare) > becameKnown
    const phone = isNew ? newPhones + becameKnown++ : Math.floor(Math.random() * knownCustomers)
    for (const place of phonesAt) writeDigits(bytes, phone, place, digits)
    writeDigits(bytes, message, messageAt, digits)
    const signature = createHmac('sha256', appSecret).update(bytes.subarray(bodyAt)).digest('hex')
    bytes.write(signature, signatureAt, 'latin1')
  })
}

const bodyOf = ({ phoneNumberId, call }: CallbackTask): string => {
  const from = `49151${blank}`
  const message = {
    from,
    id: `wamid.HBgNNDkxNTEyMzQ1Njc4FQIAEhgg${String(call).padStart(2, '0')}${blank}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    text: { body: 'When does my order arrive?' },
    type: 'text',
  }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
    contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
    messages: [message],
  }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [{ value, field: 'messages' }] }],
  })
}

const placesOf = (text: string, part: string): number[] => {
  const places: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await callBack(taskOfProgram<CallbackTask>())))
  process.exit(0)
}
