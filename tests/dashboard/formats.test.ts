/** Tests that times and durations are shown in the largest unit that fits. */
import { expect, test } from 'bun:test'
import { withoutCode } from '../../src/dashboard/pages/messages/detail.ts'
import { shortErrorText } from '../../src/dashboard/pages/rejected-events/error-text.ts'
import { isolate, withoutOverrides } from '../../src/dashboard/texts/isolate.ts'
import { formatDay, formatDuration, formatMeasured, formatRelative } from '../../src/dashboard/ui/formats.ts'

const now = Date.parse('2026-11-28T10:25:40.000Z')
const relative = (seconds: number) => formatRelative(new Date(now + seconds * 1000), now, 'en', 'UTC')

test('a future time is rounded up and a past time down, and never fills the next unit', () => {
  expect([59, 60, 3540, 3541, 3600, 3601, 7080, 82_800, 82_801, 86_401].map(relative)).toEqual([
    'in 59 sec.',
    'in 1 min.',
    'in 59 min.',
    'in 1 hr.',
    'in 1 hr.',
    'in 2 hr.',
    'in 2 hr.',
    'in 23 hr.',
    'tomorrow',
    'in 2 days',
  ])
  expect([-59, -60, -3599, -3600, -7199, -86_399, -86_400, -8 * 86_400].map(relative)).toEqual([
    '59 sec. ago',
    '1 min. ago',
    '59 min. ago',
    '1 hr. ago',
    '1 hr. ago',
    '23 hr. ago',
    'yesterday',
    'Nov 20',
  ])
})

test('a day has its year unless it is the current one in the time zone of the person', () => {
  const dayOf = (at: string, nowAt: string, zone: string) => formatDay(new Date(at), Date.parse(nowAt), 'en', zone)
  expect(dayOf('2025-11-28T10:25:40Z', '2026-11-28T10:25:40Z', 'UTC')).toBe('Nov 28, 2025')
  expect(dayOf('2026-11-20T10:25:40Z', '2026-11-28T10:25:40Z', 'UTC')).toBe('Nov 20')
  // 20:00 UTC on the last day of a year is the first day of the next one in Kiribati.
  const night = Date.parse('2025-12-31T20:00:00Z')
  const later = new Date('2026-01-20T12:00:00Z')
  expect(formatRelative(later, night, 'en', 'Pacific/Kiritimati')).toBe('Jan 21')
  expect(formatRelative(later, night, 'en', 'UTC')).toBe('Jan 20, 2026')
})

test('a measured duration is never 0', () => {
  expect([0, 1, 140].map(ms => formatMeasured(ms, 'en'))).toEqual(['<1 ms', '1 ms', '140 ms'])
})

test('a duration is rounded within its unit, or is one of the next unit', () => {
  const durations = [
    999.4, 999.6, 59_499, 59_500, 3_569_999, 3_570_000, 3_600_000, 5_400_000, 35_969_999, 35_970_000, 84_599_999,
    86_400_000, 129_600_000,
  ]
  expect(durations.map(ms => formatDuration(ms, 'en'))).toEqual([
    '999 ms',
    '1 sec',
    '59 sec',
    '1 min',
    '59 min',
    '1 hr',
    '1 hr',
    '1\u00A0hr 30\u00A0min',
    '9\u00A0hr 59\u00A0min',
    '10 hr',
    '23 hr',
    '1 day',
    '1\u00A0day 12\u00A0hr',
  ])
})

test('the reason of a status is shown without the code of the API', () => {
  expect(withoutCode('opted_out: The customer has opted out.')).toBe('The customer has opted out.')
  for (const detail of ['131047: Re-engagement message', 'The number is unknown.'])
    expect(withoutCode(detail)).toBe(detail)
})

test.each([
  ['phone: Must be an E.164 number: + and 7 to 15 digits.', 'phone must be an E.164 number'],
  ['data: Must be an object of at most 50 top-level fields.', 'data must be an object of at most 50 top-level fields'],
  ['type: Is required.', 'type is required'],
  [`a: Must be ${'long '.repeat(20)}`, `a must be ${'long '.repeat(10).trim()}…`],
])('the error %p is shortened to its first statement', (message, text) => {
  expect(shortErrorText(message)).toBe(text)
})

test.each([
  ['Ana Moreno', 'Ana Moreno'],
  ['Müller & 東京 😀', 'Müller & 東京 😀'],
  ['\u05D0', '\u2068\u05D0\u2069'],
  ['\u{1E900}', '\u2068\u{1E900}\u2069'],
  ['a\u202Eb', '\u2068a\u202Eb\u2069'],
  ['a\u2067b\u2069', '\u2068a\u2067b\u2069\u2069'],
  ['a\u2069\u202Eb', '\u2068a\u202Eb\u2069'],
  ['\u2069a\u2068', '\u2068a\u2069'],
  ['a\u2066b', '\u2068ab\u2069'],
])('the name %j is isolated in a sentence as %j', (name, isolated) => {
  expect(isolate(name)).toBe(isolated)
})

test.each([
  ['Ana \u05D0', 'Ana \u05D0'],
  ['Hi \u202Etfard\u202C, thanks', 'Hi tfard, thanks'],
  ['a\u2067b\u2069', 'a\u2067b\u2069'],
  ['Hi \u2067Ana, thanks', 'Hi Ana, thanks'],
])('the excerpt of %j is %j', (text, excerpt) => {
  expect(withoutOverrides(text)).toBe(excerpt)
})
