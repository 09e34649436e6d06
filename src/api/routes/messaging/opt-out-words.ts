import { publishedWords } from '../../../core/opt-out-words.ts'
import { OptOutWords, readOptOutWords, replaceOptOutWords } from '../../../messaging/opt-out-words/index.ts'
import { type Operation, operation } from '../../operation.ts'

const tag = 'Opt-out words'

export const optOutWordRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/opt-out-words',
    id: 'readOptOutWords',
    verb: readOptOutWords,
    tag,
    summary: "Read the workspace's opt-out words",
    description: `Returns the opt-out words that the workspace added. These words apply in every workspace: ${publishedWords.map(word => `\`${word}\``).join(', ')}.`,
    answers: { 200: { description: 'The opt-out words of the workspace.', schema: OptOutWords, example } },
    args: () => [],
  }),
  operation({
    method: 'PUT',
    path: '/v1/opt-out-words',
    id: 'replaceOptOutWords',
    verb: replaceOptOutWords,
    tag,
    summary: "Replace the workspace's opt-out words",
    description:
      'Replaces the list of opt-out words. A customer whose whole message is one of these words is opted out. Upper and lower case, and surrounding punctuation, quotes and emoji, are ignored. Two words that are equal under these rules are rejected.',
    body: OptOutWords,
    example,
    answers: { 200: { description: 'The opt-out words after the change.', schema: OptOutWords, example } },
    args: ({ body }) => [body],
  }),
]

const example: OptOutWords = { words: ['basta', 'no more'] }
