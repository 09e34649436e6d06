/** English: what is said around every page, on Home and to whoever signs in. Each page seen later has its words in `later.ts`. */
import { home } from './home.ts'
import { shell } from './shell.ts'

export const first = { ...shell, ...home } as const
