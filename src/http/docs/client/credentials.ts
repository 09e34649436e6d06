/** Contains the dialog for entering, creating and storing an API key and a session token. */
import { dialog, make } from './dom.ts'
import { keep, kept } from './store.ts'

interface Answer {
  token?: string
  ticket?: string
  secondFactor?: unknown
  key?: string
  error?: { message: string }
}

/**
 * Posts JSON and returns the answer. Returns an error answer if the service is unreachable. Cookies are omitted,
 * because the tab stores the token.
 */
const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return await response.json()
  } catch {
    return { error: { message: 'The service cannot be reached. Try again in a moment.' } }
  }
}

export const credentialsDialog = (): HTMLDialogElement => {
  const status = make('p', { role: 'status' })
  const say = (text: string) => status.replaceChildren(text)
  const box = dialog(
    'Credentials',
    'credentials',
    make('p', {}, 'Filled into every request of these pages. This tab keeps them until it is closed, and nobody else.'),
    signIn(say),
    byHand(say),
    status,
  )
  return box
}

type Say = (text: string) => void

const field = (label: string, name: string, more: Record<string, string | boolean> = {}) =>
  make('label', {}, label, make('input', { name, autocomplete: 'off', spellcheck: 'false', ...more }))

const valuesOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))

const signIn = (say: Say): HTMLElement => {
  const code = make(
    'div',
    { hidden: true },
    field('Code of your app, or a recovery code', 'code', { autocomplete: 'one-time-code' }),
  )
  const form = make(
    'form',
    { class: 'part' },
    make('h3', {}, 'Sign in'),
    field('E-mail', 'email', { type: 'email', autocomplete: 'username', required: true }),
    field('Password', 'password', { type: 'password', autocomplete: 'current-password', required: true }),
    code,
    make('button', { class: 'action' }, 'Sign in'),
  )
  let ticket = ''
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const { email, code: digits, ...given } = valuesOf(form)
    const password = String(new FormData(form).get('password') ?? given.password)
    const answer = ticket
      ? await post('/v1/auth/sign-in/second-factor', { ticket, code: digits })
      : await post('/v1/auth/sign-in', { email, password })
    ticket = answer.secondFactor ? (answer.ticket ?? '') : ''
    code.hidden = ticket === ''
    if (ticket) {
      say('Now the code of your second factor.')
      code.querySelector('input')!.focus()
    } else if (answer.token) {
      keep({ session: answer.token })
      form.reset()
      say('Signed in. The token is filled in everywhere.')
    } else say(answer.error?.message ?? 'That did not work.')
  })
  return form
}

const byHand = (say: Say): HTMLElement => {
  const issue = make('button', { type: 'button' }, 'Issue a new key')
  const form = make(
    'form',
    { class: 'part' },
    make('h3', {}, 'Or paste them'),
    field('API key', 'key', { placeholder: 'ces_…' }),
    field('Token of a session', 'session', { placeholder: 'ses_…' }),
    make(
      'div',
      { class: 'row' },
      make('button', { class: 'action' }, 'Keep'),
      issue,
      make('button', { type: 'button', click: () => forget() }, 'Forget all'),
    ),
  )
  const show = () => {
    for (const input of form.querySelectorAll('input')) input.value = kept()[input.name] ?? ''
  }
  const forget = () => {
    keep(Object.fromEntries(Object.keys(kept()).map(name => [name, ''])))
    show()
    say('Forgotten.')
  }
  issue.addEventListener('click', async () => {
    const { session } = kept()
    if (!session) return say('Sign in first: an owner issues keys.')
    const answer = await post('/v1/api-keys', { name: 'Documentation' }, { Authorization: `Bearer ${session}` })
    if (answer.key) keep({ key: answer.key })
    say(
      answer.key ? 'A key named Documentation was issued; it is filled in everywhere.' : (answer.error?.message ?? ''),
    )
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    keep(valuesOf(form))
    say('Kept for this tab.')
  })
  window.addEventListener('engagement-docs-changed', show)
  show()
  return form
}
