/** Links that are good once, as people are given them. The token stands behind the #: it reaches no log on the way. */

const pages = {
  invitation: 'accept-invitation',
  reset: 'reset-password',
  confirmation: 'confirm-email',
  sign_in: 'sign-in',
} as const

/** `base` is the address shown to people, without a slash at its end. */
export const linkTo = (base: string, kind: keyof typeof pages, token: string): string =>
  `${base}/${pages[kind]}#token=${token}`
