/** Contains the page that an invitation link opens. It asks for a name and a password. */

import { passwordLimits } from '../../accounts/users/index.ts'
import { formPage } from './form-page.ts'

/**
 * The page as HTML. The password has no minimum length there, because an existing account can have a shorter one from
 * before the current rule.
 */
export const invitationPage = formPage(
  'Join the team',
  '/accept-invitation',
  `<form>
    <label>Your name <input name="name" autocomplete="name" maxlength="100"></label>
    <label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="${passwordLimits.max}" aria-describedby="hint"></label>
    <p id="hint">At least ${passwordLimits.min} characters. If you already have an account, enter its password.</p>
    <button class="action">Join</button>
  </form>
  <form id="code" hidden>
    <label>Code of your app, or a recovery code <input name="code" autocomplete="one-time-code" required minlength="6" maxlength="40"></label>
    <button class="action">Join</button>
  </form>`,
)

/** The token is in the fragment of the link, which browsers do not send to servers. */
export const invitationScript = `const form = document.querySelector('form')
const codeForm = document.querySelector('#code')
const status = document.querySelector('[role=status]')
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
let ticket = ''

const ask = async (path, body, asked) => {
  status.textContent = ''
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (response.ok) asked.remove()
    if (answer.secondFactor) {
      ticket = answer.ticket
      codeForm.hidden = false
    } else status.textContent = response.ok ? 'Welcome to ' + answer.workspace.name + '. You are signed in.' : answer.error.message
  } catch {
    status.textContent = 'The service cannot be reached. Try again in a moment.'
  }
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  const { name, password } = Object.fromEntries(new FormData(form))
  await ask('/v1/auth/accept-invitation', { token, password, ...(name.trim() && { name: name.trim() }) }, form)
})

codeForm.addEventListener('submit', async event => {
  event.preventDefault()
  const { code } = Object.fromEntries(new FormData(codeForm))
  await ask('/v1/auth/sign-in/second-factor', { ticket, code }, codeForm)
})
`
