/**
 * Step `wait_for`: waits for a reply or an event of the customer. The first arrival that matches decides the next step.
 */
import { type Static, Type } from '@sinclair/typebox'
import type { Fault } from '../../core/conditions/index.ts'
import { durationMs, durationPattern } from '../../core/duration.ts'
import { errorMessage, publishedKeywords } from '../../core/schema.ts'
import { isBlank, mustBeVisible } from '../../core/texts.ts'
import { Next } from '../ids.ts'
import { EventType, Match, matchesEvent } from '../runs/arrivals.ts'
import { matchesReply } from '../runs/reply.ts'
import { faultsOfMatch, stepVocabulary } from '../vocabulary.ts'
import type { StepType } from './step.ts'

const maxExits = 10
const maxWords = 100
const maxWordCharacters = 200

const timeoutMessage = errorMessage('Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.')

const Reply = Type.Object(
  {
    in: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: maxWordCharacters,
          ...errorMessage(`Must be a text of 1 to ${maxWordCharacters} characters.`),
        }),
        {
          minItems: 1,
          maxItems: maxWords,
          description: 'Accepted replies. Defaults to any reply.',
          ...errorMessage(`Must be a list of 1 to ${maxWords} texts.`),
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Waits for a message of the customer. The whole message must equal an entry of `in`. Case, and white space and punctuation around it, are ignored.',
  },
)

const Exit = Type.Union(
  [
    Type.Object({ reply: Reply, next: Next }, { additionalProperties: false, $id: 'ReplyExit' }),
    Type.Object(
      { event: EventType, match: Type.Optional(Match), next: Next },
      { additionalProperties: false, $id: 'EventExit' },
    ),
  ],
  { $id: 'WaitForExit', ...errorMessage('Must be {reply: {in?}, next} or {event, match?, next}.') },
)

type Exit = Static<typeof Exit>

const WaitForStep = Type.Object(
  {
    type: Type.Literal('wait_for', { description: 'Waits for an event or a reply.' }),
    timeout: Type.String({
      ...timeoutMessage,
      ...publishedKeywords({ pattern: durationPattern }),
      description: 'Maximum wait, at most 90 days, in the format of `for` of a delay.',
    }),
    onTimeout: Next,
    any: Type.Array(Exit, {
      minItems: 1,
      maxItems: maxExits,
      description:
        'Exits that end the wait. Arrivals since the start of the run also count, once each. The first arrival that matches any exit is used, then the first exit that it matches.',
      ...errorMessage(`Must be a list of 1 to ${maxExits} exits.`),
    }),
  },
  { additionalProperties: false, $id: 'WaitForStep' },
)
type WaitForStep = Static<typeof WaitForStep>

/** Returns the faults of an exit. A blank word could never match. */
function* faultsOfExit(exit: Exit, field: string): Generator<Fault> {
  if ('event' in exit) yield* faultsOfMatch(exit.match ?? {}, `${field}.match`, stepVocabulary)
  else
    for (const [index, word] of (exit.reply.in ?? []).entries())
      if (isBlank(word)) yield [`${field}.reply.in.${index}`, mustBeVisible]
}

const endOfTimeout = ({ timeout }: WaitForStep, from: Date): Date =>
  new Date(from.getTime() + (durationMs(timeout) ?? 0))

export const waitFor: StepType<WaitForStep> = {
  schema: WaitForStep,
  pointers: ({ onTimeout, any }) => ({
    onTimeout,
    ...Object.fromEntries(any.map(({ next }, index) => [`any.${index}.next`, next])),
  }),
  *unfinished({ any }) {
    for (const [index, exit] of any.entries()) {
      const words = 'reply' in exit ? (exit.reply.in ?? []) : []
      for (const [at, word] of words.entries())
        if (isBlank(word)) yield [`any.${index}.reply.in.${at}`, 'Is empty. Enter a reply, or remove it.']
    }
  },
  *faults({ timeout, any }) {
    if (durationMs(timeout) === null) yield ['timeout', timeoutMessage['x-message']]
    for (const [index, exit] of any.entries()) yield* faultsOfExit(exit, `any.${index}`)
  },
  // An arrival can end the wait immediately, but each arrival ends only one wait. The timeout therefore limits a loop.
  minWaitMs: ({ timeout }) => durationMs(timeout) ?? 0,
  waitsFor: ({ any }) =>
    any.map(exit => ('reply' in exit ? { kind: 'reply', eventType: null } : { kind: 'event', eventType: exit.event })),
  endOfWait: endOfTimeout,
  enter(step, { waitStart }) {
    const waitUntil = endOfTimeout(step, waitStart)
    return { outcome: 'waiting', detail: { until: waitUntil.toISOString() }, waitUntil }
  },
  matchArrival({ any }, arrival, { facts, budget }) {
    const exit = any.findIndex(exit =>
      'reply' in exit
        ? arrival.kind === 'reply' && matchesReply(exit.reply.in, arrival.text, budget)
        : matchesEvent(exit, arrival, facts, budget),
    )
    return exit < 0 ? null : { outcome: arrival.kind, detail: { exit, id: arrival.id }, next: any[exit]!.next }
  },
  resume: ({ onTimeout }) => ({ outcome: 'timeout', next: onTimeout }),
}
