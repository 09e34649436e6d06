import { Text, Textarea } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { parseJson } from '../../api/json.ts'
import { useTexts } from '../../texts/index.tsx'
import { keptAs } from '../../ui/draft.ts'
import { useChecked } from './checked.ts'
import { isDrawable, same } from './definition/edit.ts'
import { linesOf } from './definition/lines.ts'
import { ordered } from './definition/order.ts'
import type { Definition } from './definition/types.ts'
import { FaultList } from './FaultList.tsx'
import type { ViewOf } from './view.ts'
import styles from './workflows.module.css'

const textOf = (definition: Definition) => JSON.stringify(ordered(definition), null, 2)

/** Result of parsing the text: a definition, another object, or a syntax error. */
type Parsed = { value: Definition } | { other: object } | { reason: string | null }

const parsed = (text: string): Parsed => {
  try {
    const value = parseJson(text)
    if (isDrawable(value)) return { value }
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { other: value } : { reason: null }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Definition as JSON text. Text that parses is applied as it is typed. Text that does not is kept here, also when the
 * person leaves the page. Errors are shown next to their lines.
 */
export const JsonView = ({ workflow: { id }, draft, faults, readOnly }: ViewOf) => {
  const say = useTexts()
  const key = keptAs(`workflow-json/${id}`)
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? textOf(draft.definition))
  const result = useMemo(() => parsed(text), [text])
  const taken = useRef(draft.definition)
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // Changed elsewhere: by undo, or by another person.
    if (same(taken.current, draft.definition)) return
    taken.current = draft.definition
    setText(textOf(draft.definition))
    sessionStorage.removeItem(key)
  }, [draft.definition, key])
  const type = (next: string) => {
    setText(next)
    const now = parsed(next)
    if ('value' in now) {
      sessionStorage.removeItem(key)
      taken.current = now.value
      draft.change(now.value)
    } else sessionStorage.setItem(key, next)
  }
  // An object that the editor cannot draw is validated too.
  const other = useChecked('other' in result ? result.other : null)
  const wrong = 'value' in result ? faults : 'other' in result ? (other?.faults ?? []) : []
  const lines = linesOf(
    text,
    wrong.map(({ place }) => place),
  )
  const goTo = (line: number) => {
    const el = input.current
    if (!el) return
    const before = text.split('\n').slice(0, line - 1)
    const start = before.reduce((length, one) => length + one.length + 1, 0)
    el.focus()
    el.setSelectionRange(start, start + (text.split('\n')[line - 1]?.length ?? 0))
    el.scrollTop = Math.max(0, (line - 4) * lineHeight)
  }
  return (
    <>
      <div className={styles.jsonView}>
        <Textarea
          ref={input}
          label={say('workflows.json')}
          description={say('workflows.jsonHint')}
          classNames={{
            root: styles.jsonRoot!,
            wrapper: styles.jsonWrapper!,
            input: styles.jsonInput!,
            section: styles.jsonSection!,
          }}
          leftSectionWidth={52}
          leftSection={<LineNumbers of={text} wrong={lines} input={input} />}
          value={text}
          readOnly={readOnly}
          spellCheck={false}
          error={'reason' in result ? (result.reason ?? say('workflows.jsonShape')) : 'other' in result}
          onChange={event => type(event.currentTarget.value)}
        />
        {!('value' in result) && (
          <Text size="sm" c="dimmed">
            {say('workflows.jsonBroken')}
          </Text>
        )}
      </div>
      <FaultList faults={wrong} lines={lines} open={(_, index) => goTo(lines[index] ?? 1)} />
    </>
  )
}

/** In pixels. Must match the stylesheet. */
const lineHeight = 18

/** Line numbers that scroll with the text. The errors are listed below it. */
const LineNumbers = ({
  of,
  wrong,
  input,
}: {
  of: string
  wrong: number[]
  input: React.RefObject<HTMLTextAreaElement | null>
}) => {
  const numbers = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const el = input.current
    const follow = () => {
      if (el && numbers.current) numbers.current.style.transform = `translateY(${-el.scrollTop}px)`
    }
    follow()
    el?.addEventListener('scroll', follow)
    return () => el?.removeEventListener('scroll', follow)
  }, [input])
  return (
    <ol ref={numbers} className={styles.jsonNumbers} aria-hidden="true">
      {of.split('\n').map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position.
        <li key={index} data-tone={wrong.includes(index + 1) ? 'failed' : undefined}>
          {index + 1}
        </li>
      ))}
    </ol>
  )
}
