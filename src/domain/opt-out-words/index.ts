export { readOptOutWords, replaceOptOutWords } from './manage.ts'
export { OptOutWords } from './schema.ts'
export { optsOut, publishedWords, type Reading, readingOf } from './words.ts'
