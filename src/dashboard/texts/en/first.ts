/** English texts of the shell, the home page and the sign-in. All other pages have their texts in `later.ts`. */
import { home } from './home.ts'
import { shell } from './shell.ts'

export const first = { ...shell, ...home } as const
