export { readOptOutWords, replaceOptOutWords } from './manage.ts'
export { OptOutWords } from './schema.ts'
