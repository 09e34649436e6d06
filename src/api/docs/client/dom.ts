/** Creates DOM elements without parsing HTML, so all content is inserted as text. */

type Attributes = Partial<Record<string, string | boolean | ((event: Event) => unknown)>>

export const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (typeof value === 'boolean') element.toggleAttribute(name, value)
    else if (value !== undefined) element.setAttribute(name, value)
  }
  element.append(...children)
  return element
}

/** Creates a dialog with a heading and a close button. Esc and a click outside also close it. */
export const dialog = (title: string, name: string, ...children: (Node | string)[]): HTMLDialogElement => {
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×')
  const box = make(
    'dialog',
    { class: name, 'aria-label': title },
    make('div', {}, make('header', {}, make('h2', {}, title), close), ...children),
  )
  close.addEventListener('click', () => box.close())
  box.addEventListener('click', event => event.target === box && box.close())
  document.body.append(box)
  return box
}
