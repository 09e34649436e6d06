/** Returns a redirect target within the dashboard, or undefined for other addresses. This prevents open redirects. */
export const toLocalPath = (to: unknown): string | undefined =>
  typeof to === 'string' && /^\/(?![/\\])/.test(to) && !to.startsWith('/sign-in') ? to : undefined

const key = 'sso-to'

/** Stores the page to open after a single sign-on. It stays in this tab, so the identity provider cannot change it. */
export const storeTarget = (to: string): void => sessionStorage.setItem(key, to)

/** Returns and removes the stored page. Defaults to Home. */
export const takeTarget = (): string => {
  const to = toLocalPath(sessionStorage.getItem(key))
  sessionStorage.removeItem(key)
  return to ?? '/'
}
