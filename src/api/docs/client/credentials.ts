/** Contains the dialog for entering, creating and storing an API key and a session token. */
import { dialog, make } from './dom.ts'
import { storedValues, storeValues } from './store.ts'

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
  const setStatus = (text: string) => status.replaceChildren(text)
  const box = dialog(
    'Credentials',
    'credentials',
    make('p', {}, 'Used in every request of these pages. They are stored in this tab until you close it.'),
    signInForm(setStatus),
    pasteForm(setStatus),
    status,
  )
  return box
}

type SetStatus = (text: string) => void

const field = (label: string, name: string, attributes: Record<string, string | boolean> = {}) =>
  make('label', {}, label, make('input', { name, autocomplete: 'off', spellcheck: 'false', ...attributes }))

const valuesOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))

const signInForm = (setStatus: SetStatus): HTMLElement => {
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
      setStatus('Enter the code of your second factor.')
      code.querySelector('input')!.focus()
    } else if (answer.token) {
      storeValues({ session: answer.token })
      form.reset()
      setStatus('Signed in. The token is used in every request.')
    } else setStatus(answer.error?.message ?? 'The request failed.')
  })
  return form
}

const pasteForm = (setStatus: SetStatus): HTMLElement => {
  const issueButton = make('button', { type: 'button' }, 'Issue a new key')
  const form = make(
    'form',
    { class: 'part' },
    make('h3', {}, 'Or paste them'),
    field('API key', 'key', { placeholder: 'ces_…' }),
    field('Token of a session', 'session', { placeholder: 'ses_…' }),
    make(
      'div',
      { class: 'row' },
      make('button', { class: 'action' }, 'Save'),
      issueButton,
      make('button', { type: 'button', click: () => forget() }, 'Remove all'),
    ),
  )
  const showStored = () => {
    for (const input of form.querySelectorAll('input')) input.value = storedValues()[input.name] ?? ''
  }
  const forget = () => {
    storeValues(Object.fromEntries(Object.keys(storedValues()).map(name => [name, ''])))
    showStored()
    setStatus('Credentials removed.')
  }
  issueButton.addEventListener('click', async () => {
    const { session } = storedValues()
    if (!session) return setStatus('Sign in as an owner first to issue a key.')
    const answer = await post('/v1/api-keys', { name: 'Documentation' }, { Authorization: `Bearer ${session}` })
    if (answer.key) storeValues({ key: answer.key })
    setStatus(
      answer.key ? 'A key named Documentation was issued. It is used in every request.' : (answer.error?.message ?? ''),
    )
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    storeValues(valuesOf(form))
    setStatus('Saved for this tab.')
  })
  window.addEventListener('engagement-docs-changed', showStored)
  showStored()
  return form
}
