import { OptOutWords, publishedWords, readOptOutWords, replaceOptOutWords } from '../../domain/opt-out-words/index.ts'
import { type Operation, operation } from '../operation.ts'

const tag = 'Opt-out words'

export const optOutWordRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/opt-out-words',
    id: 'readOptOutWords',
    verb: readOptOutWords,
    tag,
    summary: "Read the workspace's opt-out words",
    description: `The workspace's own. These hold in every workspace: ${publishedWords.map(word => `\`${word}\``).join(', ')}.`,
    answers: { 200: { description: 'The words.', schema: OptOutWords, example } },
    given: () => [],
  }),
  operation({
    method: 'PUT',
    path: '/v1/opt-out-words',
    id: 'replaceOptOutWords',
    verb: replaceOptOutWords,
    tag,
    summary: "Replace the workspace's opt-out words",
    description:
      'A customer whose whole message is one of them is opted out, however it is cased and whatever punctuation, quotes or emoji surround it. Two that are the same in that sense are refused.',
    body: OptOutWords,
    example,
    answers: { 200: { description: 'The words as they are now.', schema: OptOutWords, example } },
    given: ({ body }) => [body],
  }),
]

const example: OptOutWords = { words: ['basta', 'no more'] }
