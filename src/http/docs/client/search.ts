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
const shown = 12

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

let loading: Promise<MiniSearch<Entry>> | undefined

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
    const asked = input.value.trim()
    try {
      const index = await (loading ??= load())
      if (asked !== input.value.trim()) return
      const found = asked ? index.search(asked).slice(0, shown) : []
      status.replaceChildren(asked && found.length === 0 ? 'Nothing was found. Try fewer words.' : '')
      results.replaceChildren(...found.map(result => resultOf(result as unknown as Entry)))
    } catch {
      loading = undefined
      status.replaceChildren('The index cannot be loaded. Try again in a moment.')
    }
  })
  box.addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const stops = [input, ...results.querySelectorAll('a')]
    const now = stops.indexOf(document.activeElement as HTMLInputElement)
    stops[Math.max(0, Math.min(stops.length - 1, now + (event.key === 'ArrowDown' ? 1 : -1)))]!.focus()
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
