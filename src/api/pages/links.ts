/** Contains the pages that links in e-mails open: choosing a new password, and confirming an address. */
import { passwordLimits } from '../../accounts/users/index.ts'

const page = (title: string, path: string, form: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="referrer" content="no-referrer">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  <style>
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 4rem auto; padding: 0 1rem }
    label { display: block; margin-top: 1rem }
    input, button { font: inherit; width: 100%; padding: .5rem; box-sizing: border-box }
    button { margin-top: 1.5rem }
  </style>
</head>
<body>
  <h1>${title}</h1>
  <form>
    ${form}
  </form>
  <p role="status"></p>
  <script src="${path}.js"></script>
</body>
</html>
`

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

export const resetPage = page(
  'Choose a new password',
  '/reset-password',
  `<label>New password <input name="password" type="password" autocomplete="new-password" required maxlength="${passwordLimits.max}"></label>
    <button>Change password</button>`,
)
export const resetScript = script(
  '/v1/auth/reset-password',
  'Your password was changed, and all sessions have ended. Sign in with the new password.',
)

/** Uses a button, because e-mail scanners open links but press no buttons. */
export const confirmationPage = page('Confirm your e-mail address', '/confirm-email', '<button>Confirm</button>')
export const confirmationScript = script('/v1/auth/confirm-email', 'Your address is confirmed.')
