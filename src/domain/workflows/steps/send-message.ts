/** Step `send_message`: queues a text for the customer. */
import { type Static, Type } from '@sinclair/typebox'
import { maxCharacters, render } from '../facts.ts'
import { Next } from '../ids.ts'
import { faultOfText, stepVocabulary } from '../vocabulary.ts'
import { ChannelId, queued } from './message.ts'
import type { StepType } from './step.ts'

const SendMessageStep = Type.Object(
  {
    type: Type.Literal('send_message', { description: 'It writes a text.' }),
    text: Type.String({
      minLength: 1,
      maxLength: maxCharacters,
      description:
        'Not white space alone. May hold `{{customer.name}}`, `{{data.total}}` and the like; `{{customer.name|there}}` says what stands there when the value is absent. There are `data.…`, `event.id`, `event.type`, `customer.id`, `customer.name`, `customer.phone`, `customer.externalId` and `customer.attributes.…`. The message that is sent has at most 4096 characters: what stands around the placeholders is kept whole, the values share the rest in their order, and one that does not fit is cut.',
    }),
    channelId: ChannelId,
    next: Next,
  },
  { additionalProperties: false, $id: 'SendMessageStep' },
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
  enter: ({ text, channelId, next }, visit) =>
    queued({ text: render(text, visit.facts), template: null }, channelId, next, visit),
}
