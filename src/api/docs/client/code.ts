/** Adds controls to code blocks: language tabs, a copy button, and a button that sends the request. */
import { make } from './dom.ts'
import { type StoredValues, storedValues, storeValues, withStoredValues } from './store.ts'

const storageKey = 'engagement-docs-language'

export const fillPlaceholders = (): void => {
  const values: StoredValues = { ...storedValues(), url: location.origin }
  for (const span of document.querySelectorAll<HTMLElement>('.fill')) {
    const value = values[span.dataset.fill!]
    span.dataset.without ??= span.textContent ?? ''
    span.textContent = value ?? span.dataset.without
    span.classList.toggle('known', value !== undefined)
  }
}

export const initCodeBlocks = (): void => {
  for (const box of document.querySelectorAll<HTMLElement>('.code')) {
    const bar = make('div', { class: 'bar' })
    if (box.classList.contains('tabs')) bar.append(tabsOf(box))
    const request = box.dataset.request
    if (request) bar.append(sendButton(box, JSON.parse(request)))
    bar.append(copyButton(box))
    box.prepend(bar)
  }
  selectLanguage(localStorage.getItem(storageKey) ?? 'curl')
}

const tabsOf = (box: HTMLElement): HTMLElement => {
  const list = make('div', { role: 'tablist', 'aria-label': 'Language' })
  for (const pane of box.querySelectorAll<HTMLElement>('section')) {
    const language = pane.dataset.language!
    pane.querySelector('h4')!.remove()
    pane.setAttribute('role', 'tabpanel')
    pane.setAttribute('aria-label', language)
    list.append(
      make(
        'button',
        { type: 'button', role: 'tab', 'data-language': language, click: () => selectLanguage(language, box) },
        language,
      ),
    )
  }
  list.addEventListener('keydown', event => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
    const tabs = [...list.querySelectorAll('button')]
    const next = tabs.indexOf(document.activeElement as HTMLButtonElement) + (event.key === 'ArrowRight' ? 1 : -1)
    const tab = tabs.at(next % tabs.length)!
    tab.click()
    tab.focus()
  })
  return list
}

/**
 * Selects the language in all blocks that have it. Scrolls so that the clicked block keeps its position on the screen.
 */
const selectLanguage = (language: string, clickedBlock?: HTMLElement): void => {
  const topBefore = clickedBlock?.getBoundingClientRect().top
  if (clickedBlock) localStorage.setItem(storageKey, language)
  for (const box of document.querySelectorAll<HTMLElement>('.code.tabs')) {
    const panes = [...box.querySelectorAll<HTMLElement>('section')]
    const wanted = panes.find(pane => pane.dataset.language === language) ?? panes.find(isShown) ?? panes[0]!
    for (const pane of panes) pane.hidden = pane !== wanted
    for (const tab of box.querySelectorAll<HTMLElement>('[role=tab]')) {
      const isSelected = tab.dataset.language === wanted.dataset.language
      tab.setAttribute('aria-selected', String(isSelected))
      tab.tabIndex = isSelected ? 0 : -1
    }
  }
  if (clickedBlock && topBefore !== undefined) scrollBy(0, clickedBlock.getBoundingClientRect().top - topBefore)
}

const isShown = (pane: HTMLElement): boolean => !pane.hidden

const copyButton = (box: HTMLElement): HTMLElement => {
  const button = make('button', { type: 'button' }, 'Copy')
  button.addEventListener('click', async () => {
    const code = [...box.querySelectorAll<HTMLElement>('pre')].find(pre => !pre.closest('[hidden]'))
    try {
      await navigator.clipboard.writeText(code?.textContent ?? '')
      button.textContent = 'Copied'
    } catch {
      getSelection()?.selectAllChildren(code!)
      button.textContent = 'Press Ctrl C'
    }
    setTimeout(() => button.replaceChildren('Copy'), 1500)
  })
  return button
}

interface Request {
  method: string
  path: string
  headers: [string, string][]
  body: string | null
  /** Values of the answer to keep, as name -> path in the answer. */
  keep: Record<string, string>
}

const sendButton = (box: HTMLElement, request: Request): HTMLElement => {
  const button = make('button', { type: 'button', class: 'send' }, 'Send')
  const answer = make('div', { class: 'answer', 'aria-live': 'polite' })
  box.append(answer)
  button.addEventListener('click', async () => {
    answer.replaceChildren()
    const missing = missingValueMessage(request)
    if (missing) return answer.replaceChildren(make('p', {}, missing))
    button.disabled = true
    try {
      const response = await fetch(withStoredValues(request.path), {
        method: request.method,
        credentials: 'omit',
        headers: request.headers.map(([name, value]): [string, string] => [name, withStoredValues(value)]),
        body: request.body === null ? null : withStoredValues(request.body),
      })
      const text = await response.text()
      answer.replaceChildren(answerDetails(response, text))
      if (response.ok && text) storeFromAnswer(JSON.parse(text), request.keep)
    } catch {
      answer.replaceChildren(make('p', {}, 'The service cannot be reached. Try again in a moment.'))
    } finally {
      button.disabled = false
    }
  })
  return button
}

const missingValueMessage = (request: Request): string | null => {
  const [, name] = /%([a-z]+)%/.exec(withStoredValues(JSON.stringify(request))) ?? []
  if (name === undefined) {
    return request.path === '/v1/auth/sign-in'
      ? 'Sign in under Credentials at the top of the page. Passwords are not stored here.'
      : null
  }
  if (name === 'session') return 'Sign in first under Credentials at the top of the page.'
  if (name === 'key') return 'An API key is required. Paste or issue one under Credentials at the top of the page.'
  return `Send the request above that creates the ${name} first. Its response is used here.`
}

const answerDetails = ({ status, statusText }: Response, text: string): HTMLElement => {
  const isError = status >= 400
  return make(
    'details',
    { open: true, class: isError ? 'failed' : 'succeeded' },
    make('summary', {}, `${status} ${statusText}`.trim()),
    make('pre', { tabindex: '0' }, make('code', {}, pretty(text) || 'no body')),
  )
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const storeFromAnswer = (answer: unknown, wanted: Record<string, string>): void => {
  const fields = Object.entries(wanted).map(([name, path]) => [
    name,
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], answer),
  ])
  storeValues(Object.fromEntries(fields.filter(([, value]) => typeof value === 'string')))
}
