/** Contains the pages that links in e-mails open: choosing a new password, and confirming an address. */
import { passwordLimits } from '../../accounts/users/index.ts'
import { formPage } from './form-page.ts'

/** The token is in the fragment of the link, which browsers do not send to servers. */
const script = (path: string, doneMessage: string): string => `const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

form.addEventListener('submit', async event => {
  event.preventDefault()
  status.textContent = ''
  try {
    const response = await fetch('${path}', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) }),
    })
    if (response.ok) form.remove()
    status.textContent = response.ok ? '${doneMessage}' : (await response.json()).error.message
  } catch {
    status.textContent = 'The service cannot be reached. Try again in a moment.'
  }
})
`

export const resetPage = formPage(
  'Choose a new password',
  '/reset-password',
  `<form>
    <label>New password <input name="password" type="password" autocomplete="new-password" required maxlength="${passwordLimits.max}"></label>
    <button class="action">Change password</button>
  </form>`,
)
export const resetScript = script(
  '/v1/auth/reset-password',
  'Your password was changed, and all sessions have ended. Sign in with the new password.',
)

/** Uses a button, because e-mail scanners open links but press no buttons. */
export const confirmationPage = formPage(
  'Confirm your email address',
  '/confirm-email',
  '<form><button class="action">Confirm</button></form>',
)
export const confirmationScript = script('/v1/auth/confirm-email', 'Your address is confirmed.')
