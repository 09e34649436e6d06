/** Tests that the dashboard has one word for one thing, and different words for different things. */
import { describe, expect, test } from 'bun:test'
import { first } from '../../src/dashboard/texts/en/first.ts'
import { later } from '../../src/dashboard/texts/en/later.ts'

const texts: Readonly<Record<string, string>> = { ...first, ...later }

/** Returns the texts whose names begin with a prefix, by the rest of their name. */
const textsOf = (prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts)
      .filter(([id]) => id.startsWith(prefix))
      .map(([id, text]) => [id.slice(prefix.length), text]),
  )

describe('the status of a message', () => {
  const words = textsOf('messages.status.')

  test.each(['inbox.status.', 'customers.message.', 'channels.messages.', 'home.series.', 'campaigns.outcome.'])(
    'has the word of the Messages page in %p',
    prefix => {
      const found = Object.entries(textsOf(prefix)).filter(([status]) => status in words)
      expect(found.length).toBeGreaterThan(2)
      for (const [status, word] of found) expect([status, word]).toEqual([status, words[status]!])
    },
  )
})

test('a result of a campaign and a reason to skip a customer have different names', () => {
  const results = Object.values(textsOf('campaigns.outcome.'))
  const reasons = Object.values(textsOf('campaigns.reason.'))
  expect([results.length, reasons.length]).toEqual([11, 9])
  expect(reasons.filter(reason => results.includes(reason))).toEqual([])
})

test('a workflow that was never turned on is off in the list and in the events that it did not handle', () => {
  const { off, unpublished } = textsOf('workflows.state.')
  expect(textsOf('events.verdict.')).toMatchObject({ switched_off: off })
  expect(textsOf('events.outcome.')).toMatchObject({ switched_off: `Workflow ${off!.toLowerCase()}` })
  expect(unpublished).toStartWith(`${off}, `)
})
