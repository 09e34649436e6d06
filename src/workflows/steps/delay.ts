/** Step `delay`: waits for a duration, or until a time of day. */
import { type Static, Type } from '@sinclair/typebox'
import { durationMs, durationPattern } from '../../core/duration.ts'
import { errorMessage, publishedKeywords, requireExactlyOne } from '../../core/schema.ts'
import { Next } from '../ids.ts'
import { isZone, nextTimeOfDay, weekdays, zoneFor } from '../runs/time-of-day.ts'
import type { StepType } from './step.ts'

const forMessage = errorMessage('Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.')
const zoneMessage = errorMessage('Must be an IANA time zone such as Europe/Berlin or UTC.')

const Until = Type.Object(
  {
    time: Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      description: 'Local time in 24-hour format.',
      ...errorMessage('Must be a time of day such as 09:00 or 17:30.'),
    }),
    zone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'IANA time zone. Defaults to the attribute `timezone` of the customer if it names a time zone, then to that of the workspace.',
        ...zoneMessage,
      }),
    ),
    weekdays: Type.Optional(
      Type.Array(
        Type.Union(
          weekdays.map(day => Type.Literal(day)),
          { $id: 'Weekday' },
        ),
        {
          minItems: 1,
          maxItems: weekdays.length,
          uniqueItems: true,
          description: 'Days of the week. Defaults to every day.',
          ...errorMessage(`Must be a list of ${weekdays.join(', ')}, each at most once.`),
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Next local `time` on one of the `weekdays`. If a clock change skips the time, the moment of the change is used. If the time occurs twice, the first one is used.',
    ...errorMessage('Must be {time, zone?, weekdays?}.'),
  },
)

const DelayStep = Type.Object(
  {
    type: Type.Literal('delay', { description: 'Waits.' }),
    for: Type.Optional(
      Type.String({
        ...forMessage,
        ...publishedKeywords({ pattern: durationPattern }),
        description:
          'Duration in ISO 8601 (`PT1H`, `P2D`) or short format (`500ms`, `30s`, `5m`, `1h`, `2d`), at most 90 days. The first delay of a run counts from the recording of the event. The waits in a cycle of steps must add up to at least 1 second. One of `for` and `until` is required.',
      }),
    ),
    until: Type.Optional(Until),
    next: Next,
  },
  { additionalProperties: false, $id: 'DelayStep', ...publishedKeywords(requireExactlyOne('for', 'until')) },
)
type DelayStep = Static<typeof DelayStep>

/** Minimum time between two occurrences of a time of day, including clock changes. */
const minDayMs = 20 * 3_600_000

const endOfDelay = ({ for: time = '', until }: DelayStep, from: Date, zone: string): Date =>
  until ? nextTimeOfDay(from, until, until.zone ?? zone) : new Date(from.getTime() + (durationMs(time) ?? 0))

export const delay: StepType<DelayStep> = {
  schema: DelayStep,
  pointers: ({ next }) => ({ next }),
  *faults({ for: time, until }) {
    if (time !== undefined && until !== undefined) yield ['until', 'Must not be combined with for. Use one of them.']
    else if (time === undefined && until === undefined) yield ['for', `${forMessage['x-message']} Or use until.`]
    if (time !== undefined && durationMs(time) === null) yield ['for', forMessage['x-message']]
    if (until?.zone !== undefined && !isZone(until.zone)) yield ['until.zone', zoneMessage['x-message']]
  },
  minWaitMs: step => (step.until ? minDayMs : (durationMs(step.for ?? '') ?? 0)),
  endOfWait: endOfDelay,
  enter(step, { waitStart, facts }) {
    const waitUntil = endOfDelay(step, waitStart, zoneFor(facts.customer.attributes.timezone, facts.timezone))
    return { outcome: 'waiting', detail: { until: waitUntil.toISOString() }, waitUntil }
  },
  resume: ({ next }) => ({ next }),
}
