/**
 * Returns the focus when the focused element is removed. The browser would give it to the document, where the keyboard
 * and a screen reader start at the top of the page again.
 */

/** Side panel of a list. */
export const panel = '[aria-labelledby=panel-title]'
/** Parts that open above or beside the page, and give the focus back when they close. */
const overlays = `[role=dialog], [role=menu], ${panel}`

/** The focused element and its ancestors. They are copied, because a removed element has lost its parents. */
type Path = readonly Element[]

/** Path of the focus before it entered an overlay. */
const origins = new WeakMap<Element, Path>()
let last: Path = []

/**
 * Watches the document. A closed overlay returns the focus to the element that opened it, for an item of a menu to the
 * button of the menu. If that element is gone, its closest ancestor that takes the focus receives it, for example the list
 * of a removed row, and otherwise the page.
 */
export const keepFocus = (): void => {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    const path = pathOf(target)
    const overlay = overlayOf(path)
    if (overlay && !last.includes(overlay) && !origins.has(overlay)) origins.set(overlay, last)
    last = path
  })
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null || !(target instanceof Element)) return
    queueMicrotask(() => {
      // A person left it, with Escape for example, so what opens next must not give the focus back to it. An element that is
      // removed, hidden or disabled loses the focus too.
      const isLeft =
        document.activeElement === document.body && target.checkVisibility() && !target.matches(':disabled')
      if (isLeft) last = []
    })
  })
  new MutationObserver(() => {
    if (document.activeElement === document.body && last[0]?.isConnected === false) focusNearest(last)
  }).observe(document.body, { childList: true, subtree: true })
}

const pathOf = (element: Element): Path => {
  const path = []
  for (let part: Element | null = element; part && part !== document.body; part = part.parentElement) path.push(part)
  return path
}

const overlayOf = (path: Path): Element | undefined => path.find(element => element.matches(overlays))

const focusNearest = (path: Path): void => {
  const overlay = overlayOf(path)
  const origin = overlay?.isConnected === false ? origins.get(overlay) : undefined
  if (origin) focusNearest(origin)
  else [...path, document.getElementById('page')].some(takeFocus)
}

/** Returns false if the element is gone, hidden or disabled, or never takes the focus. */
const takeFocus = (element: Element | null): boolean => {
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus({ preventScroll: true })
  return element !== null && document.activeElement === element
}
