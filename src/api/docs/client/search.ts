/** Contains the documentation search, in a dialog or on a separate page. */
import MiniSearch from 'minisearch'
import { dialog, make } from './dom.ts'

interface Entry {
  id: number
  title: string
  where: string
  text: string
  address: string
}

/** Maximum number of results. */
const maxResults = 12

const load = async (): Promise<MiniSearch<Entry>> => {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'where', 'text'],
    storeFields: ['title', 'where', 'address'],
    searchOptions: {
      boost: { title: 4, where: 2 },
      prefix: true,
      fuzzy: word => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  index.addAll(await (await fetch('/docs/search.json')).json())
  return index
}

let indexPromise: Promise<MiniSearch<Entry>> | undefined

/** Creates the search field with a list of results. The arrow keys move through the results. */
export const searchField = (): HTMLElement => {
  const input = make('input', {
    type: 'search',
    placeholder: 'Search guides, operations, fields …',
    'aria-label': 'Search the documentation',
    autofocus: true,
  })
  const results = make('ul', { class: 'results' })
  const status = make('p', { role: 'status' })
  const box = make('div', { class: 'searching' }, input, status, results)
  input.addEventListener('input', async () => {
    const query = input.value.trim()
    try {
      const index = await (indexPromise ??= load())
      if (query !== input.value.trim()) return
      const hits = query ? index.search(query).slice(0, maxResults) : []
      status.replaceChildren(query && hits.length === 0 ? 'No results. Try fewer words.' : '')
      results.replaceChildren(...hits.map(result => resultOf(result as unknown as Entry)))
    } catch {
      indexPromise = undefined
      status.replaceChildren('The index cannot be loaded. Try again in a moment.')
    }
  })
  box.addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const focusable = [input, ...results.querySelectorAll('a')]
    const currentIndex = focusable.indexOf(document.activeElement as HTMLInputElement)
    focusable[Math.max(0, Math.min(focusable.length - 1, currentIndex + (event.key === 'ArrowDown' ? 1 : -1)))]!.focus()
  })
  return box
}

const resultOf = ({ title, where, address }: Entry): HTMLElement =>
  make(
    'li',
    {},
    make(
      'a',
      { href: address, click: event => (event.currentTarget as HTMLElement).closest('dialog')?.close() },
      make('b', {}, title),
      make('span', {}, where),
    ),
  )

export const searchDialog = (): HTMLDialogElement => dialog('Search', 'search', searchField())
