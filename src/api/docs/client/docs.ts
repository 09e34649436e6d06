/** Browser script of the documentation pages. `deploy/generate.ts` bundles it into `made/docs.js.txt`. */
import { fillPlaceholders, initCodeBlocks } from './code.ts'
import { credentialsDialog } from './credentials.ts'
import { searchDialog, searchField } from './search.ts'
import { changedEvent, storedValues } from './store.ts'

const dialogs: Record<string, () => HTMLDialogElement> = { search: searchDialog, credentials: credentialsDialog }
const createdDialogs: Record<string, HTMLDialogElement> = {}

const open = (name: string): void => {
  const box = (createdDialogs[name] ??= dialogs[name]!())
  if (!box.open) box.showModal()
}

const showCredentials = (): void => {
  const button = document.querySelector<HTMLElement>('[data-opens=credentials]')!
  const { key, session } = storedValues()
  button.hidden = false
  button.classList.toggle('known', Boolean(key || session))
  button.title = key || session ? 'This tab has credentials' : 'Sign in, or paste a key'
}

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

for (const opener of document.querySelectorAll<HTMLElement>('[data-opens]')) {
  opener.addEventListener('click', event => {
    event.preventDefault()
    open(opener.dataset.opens!)
  })
}
document.addEventListener('keydown', event => {
  const isSlash = event.key === '/' && !isEditable(event.target)
  if (!isSlash && !(event.key === 'k' && (event.metaKey || event.ctrlKey))) return
  event.preventDefault()
  open('search')
})
const searchRoot = document.querySelector('[data-search]')
if (searchRoot) {
  searchRoot.replaceChildren(searchField())
  searchRoot.querySelector('input')!.focus()
}
// On a narrow screen, open chapters would push the text down.
const chapters = document.querySelector<HTMLDetailsElement>('.side details')
if (chapters && innerWidth < 800) chapters.open = false

initCodeBlocks()
fillPlaceholders()
showCredentials()
window.addEventListener(changedEvent, () => {
  fillPlaceholders()
  showCredentials()
})
