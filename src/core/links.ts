/**
 * Single-use links that are sent to people. The token is in the fragment (after the #), which browsers do not send, so
 * no server logs it.
 */

const pages = {
  invitation: 'accept-invitation',
  reset: 'reset-password',
  confirmation: 'confirm-email',
  sign_in: 'sign-in',
  identity: 'link-identity',
} as const

/** Returns the link for a token. `base` is the public address without a trailing slash. */
export const linkTo = (base: string, kind: keyof typeof pages, token: string): string =>
  `${base}/${pages[kind]}#token=${token}`
