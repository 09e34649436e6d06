/** Adds controls to code blocks: language tabs, a copy button, and a button that sends the request. */
import { make } from './dom.ts'
import { filledIn, type Kept, keep, kept } from './store.ts'

const place = 'engagement-docs-language'

export const fillIn = (): void => {
  const values: Kept = { ...kept(), url: location.origin }
  for (const span of document.querySelectorAll<HTMLElement>('.fill')) {
    const value = values[span.dataset.fill!]
    span.dataset.without ??= span.textContent ?? ''
    span.textContent = value ?? span.dataset.without
    span.classList.toggle('known', value !== undefined)
  }
}

export const prepareCode = (): void => {
  for (const box of document.querySelectorAll<HTMLElement>('.code')) {
    const bar = make('div', { class: 'bar' })
    if (box.classList.contains('tabs')) bar.append(tabsOf(box))
    const request = box.dataset.request
    if (request) bar.append(sending(box, JSON.parse(request)))
    bar.append(copying(box))
    box.prepend(bar)
  }
  choose(localStorage.getItem(place) ?? 'curl')
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
        { type: 'button', role: 'tab', 'data-language': language, click: () => choose(language, box) },
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
const choose = (language: string, clicked?: HTMLElement): void => {
  const before = clicked?.getBoundingClientRect().top
  if (clicked) localStorage.setItem(place, language)
  for (const box of document.querySelectorAll<HTMLElement>('.code.tabs')) {
    const panes = [...box.querySelectorAll<HTMLElement>('section')]
    const wanted = panes.find(pane => pane.dataset.language === language) ?? panes.find(isShown) ?? panes[0]!
    for (const pane of panes) pane.hidden = pane !== wanted
    for (const tab of box.querySelectorAll<HTMLElement>('[role=tab]')) {
      const selected = tab.dataset.language === wanted.dataset.language
      tab.setAttribute('aria-selected', String(selected))
      tab.tabIndex = selected ? 0 : -1
    }
  }
  if (clicked && before !== undefined) scrollBy(0, clicked.getBoundingClientRect().top - before)
}

const isShown = (pane: HTMLElement): boolean => !pane.hidden

const copying = (box: HTMLElement): HTMLElement => {
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

const sending = (box: HTMLElement, request: Request): HTMLElement => {
  const button = make('button', { type: 'button', class: 'send' }, 'Send')
  const answer = make('div', { class: 'answer', 'aria-live': 'polite' })
  box.append(answer)
  button.addEventListener('click', async () => {
    answer.replaceChildren()
    const missing = missingIn(request)
    if (missing) return answer.replaceChildren(make('p', {}, missing))
    button.disabled = true
    try {
      const response = await fetch(filledIn(request.path), {
        method: request.method,
        credentials: 'omit',
        headers: request.headers.map(([name, value]): [string, string] => [name, filledIn(value)]),
        body: request.body === null ? null : filledIn(request.body),
      })
      const text = await response.text()
      answer.replaceChildren(shownAnswer(response, text))
      if (response.ok && text) keepFrom(JSON.parse(text), request.keep)
    } catch {
      answer.replaceChildren(make('p', {}, 'The service cannot be reached. Try again in a moment.'))
    } finally {
      button.disabled = false
    }
  })
  return button
}

const missingIn = (request: Request): string | null => {
  const [, name] = /%([a-z]+)%/.exec(filledIn(JSON.stringify(request))) ?? []
  if (name === undefined) {
    return request.path === '/v1/auth/sign-in'
      ? 'Sign in under Credentials, at the top of the page: passwords are not kept here.'
      : null
  }
  if (name === 'session') return 'Sign in first, under Credentials at the top of the page.'
  if (name === 'key')
    return 'An API key is needed: paste one under Credentials at the top of the page, or issue one there.'
  return `Send the request above that makes the ${name} first: its answer is filled in here.`
}

const shownAnswer = ({ status, statusText }: Response, text: string): HTMLElement => {
  const wrong = status >= 400
  return make(
    'details',
    { open: true, class: wrong ? 'failed' : 'succeeded' },
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

const keepFrom = (answer: unknown, wanted: Record<string, string>): void => {
  const found = Object.entries(wanted).map(([name, path]) => [
    name,
    path.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], answer),
  ])
  keep(Object.fromEntries(found.filter(([, value]) => typeof value === 'string')))
}
