/** Keys that the person types after opening the search, before its field has the focus. */
let typed = ''

const onKeyDown = (event: KeyboardEvent) => {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (event.key.length === 1) typed += event.key
  else if (event.key === 'Backspace') typed = typed.slice(0, -1)
  else return
  // The keys are no shortcuts of the page.
  event.preventDefault()
  event.stopPropagation()
}

/** Collects the keys until `takeEarlyKeys` is called. */
export const collectEarlyKeys = (): void => {
  typed = ''
  document.addEventListener('keydown', onKeyDown, true)
}

/** Stops, and returns the text that was typed. */
export const takeEarlyKeys = (): string => {
  document.removeEventListener('keydown', onKeyDown, true)
  const text = typed
  typed = ''
  return text
}
