/** Colors of the code editor. They are variables, so that they follow the color scheme of the page. */
import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export const highlightStyle = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-value)' },
  { tag: tags.invalid, color: 'var(--code-error)' },
])

export const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', backgroundColor: 'var(--raised)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--quiet)',
    border: 'none',
    borderRight: '1px solid var(--hairline)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--code-line)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--code-selection)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--hover)',
    border: '1px solid var(--hairline)',
    color: 'var(--quiet)',
    padding: '0 6px',
  },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--floating)',
    color: 'var(--mantine-color-text)',
    borderColor: 'var(--hairline)',
  },
})
