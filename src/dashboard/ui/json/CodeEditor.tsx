import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { escapeCharacter } from '../../texts/isolate.ts'
import styles from './code-editor.module.css'
import { highlightStyle, theme } from './code-theme.ts'
import type { TextRange } from './ranges.ts'

export interface CodeEditorHandle {
  /** Selects a range, scrolls it into view and focuses the editor. */
  select: (range: TextRange) => void
}

/** Nonce for the style element of the editor. The content security policy blocks it without one. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content

const showControl = (code: number): HTMLElement => {
  const span = document.createElement('span')
  span.textContent = escapeCharacter(code)
  return span
}

/** Editor of a JSON text, with line numbers, folding, search, and errors at their lines. */
export const CodeEditor = ({
  ref,
  label,
  describedBy,
  path,
  value,
  readOnly = false,
  indents = false,
  invalid = false,
  marks,
  onChange,
}: {
  ref?: Ref<CodeEditorHandle>
  label: string
  describedBy?: string
  /** Field of the form that gets the focus for an error. */
  path?: string
  value: string
  readOnly?: boolean
  /** Tab indents the line. Esc and then Tab leaves the editor. Otherwise Tab leaves it, as in a field of a form. */
  indents?: boolean
  invalid?: boolean
  /** Errors in the text. */
  marks: readonly (TextRange & { message: string })[]
  onChange: (value: string) => void
}) => {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const access = useRef(new Compartment())
  const latest = useRef({ value, onChange })
  latest.current = { value, onChange }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its own state, and later effects update it.
  useEffect(() => {
    const editor = new EditorView({
      parent: parent.current!,
      doc: latest.current.value,
      extensions: [
        nonce ? EditorView.cspNonce.of(nonce) : [],
        lineNumbers(),
        lintGutter(),
        foldGutter(),
        history(),
        drawSelection(),
        // Controls, also those that turn the letters around them, are shown as in the JSON viewer.
        highlightSpecialChars({ addSpecialChars: /[\u202A-\u202E\u2066-\u2069]/, render: showControl }),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        json(),
        syntaxHighlighting(highlightStyle),
        theme,
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
        indents ? keymap.of([indentWithTab]) : [],
        EditorView.contentAttributes.of({
          'aria-label': label,
          tabindex: '0',
          ...(describedBy && { 'aria-describedby': describedBy }),
          ...(path && { 'data-path': path }),
        }),
        access.current.of([]),
        EditorView.updateListener.of(update => {
          if (!update.docChanged) return
          const text = update.state.doc.toString()
          if (text !== latest.current.value) latest.current.onChange(text)
        }),
      ],
    })
    view.current = editor
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    view.current?.dispatch({
      effects: access.current.reconfigure([
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-readonly': String(readOnly), 'aria-invalid': String(invalid) }),
      ]),
    })
  }, [readOnly, invalid])
  useEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const end = editor.state.doc.length
    const diagnostics = marks.map(({ from, to, message }) => ({
      from: Math.min(from, end),
      to: Math.min(to, end),
      severity: 'error' as const,
      message,
    }))
    editor.dispatch(setDiagnostics(editor.state, diagnostics))
  }, [marks])
  useImperativeHandle(ref, () => ({
    select: ({ from, to }) => {
      view.current?.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      })
      view.current?.focus()
    },
  }))
  return <div ref={parent} className={styles.editor} />
}
