/** `send_message`: queues a text for the customer. */
import { type Static, Type } from '@sinclair/typebox'
import { message } from '../../schema.ts'
import { maxCharacters, type RunFacts, render } from '../facts.ts'
import { Next } from '../ids.ts'
import { faultOfText, stepVocabulary } from '../vocabulary.ts'
import type { StepType } from './step.ts'

const SendMessageStep = Type.Object(
  {
    type: Type.Literal('send_message'),
    text: Type.String({
      minLength: 1,
      maxLength: maxCharacters,
      description:
        'Not white space alone. May hold `{{customer.name}}`, `{{data.total}}` and the like; `{{customer.name|there}}` says what stands there when the value is absent. There are `data.…`, `event.id`, `event.type`, `customer.id`, `customer.name`, `customer.phone`, `customer.externalId` and `customer.attributes.…`. The message that is sent has at most 4096 characters: what stands around the placeholders is kept whole, the values share the rest in their order, and one that does not fit is cut.',
    }),
    channelId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Without it: the channel connected first. Publishing is refused where the workspace has no such channel; one that is gone later skips the message.',
        ...message('Must be the id of a channel, a UUID.'),
      }),
    ),
    next: Next,
  },
  { additionalProperties: false },
)
type SendMessageStep = Static<typeof SendMessageStep>

export const sendMessage: StepType<SendMessageStep> = {
  schema: SendMessageStep,
  pointers: ({ next }) => ({ next }),
  *faults({ text }) {
    const fault = faultOfText(text, stepVocabulary)
    if (fault !== null) yield ['text', fault]
  },
  *references({ channelId }) {
    if (channelId !== undefined) yield { kind: 'channel', id: channelId, field: 'channelId' }
  },
  enter({ text, channelId, next }, { facts }) {
    const address = addressFor(channelId, facts)
    if ('reason' in address) return { outcome: 'skipped', detail: address, next }
    return { outcome: 'queued', effects: [{ kind: 'queue_message', text: render(text, facts), ...address }], next }
  },
}

/** Where a message would go, or why it goes nowhere. Opt-outs are looked at later, at the moment of sending. */
const addressFor = (wanted: string | undefined, { channelIds, customer }: RunFacts) => {
  const channelId = wanted === undefined ? channelIds[0] : channelIds.find(id => id === wanted.toLowerCase())
  if (channelId === undefined) return { reason: 'no_channel' as const }
  if (customer.phone === null) return { reason: 'no_phone' as const }
  return { channelId, handle: customer.phone }
}
