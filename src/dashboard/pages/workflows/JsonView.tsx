import { Text, Textarea } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { parseJson } from '../../api/json.ts'
import { useTranslate } from '../../texts/index.tsx'
import { draftKey } from '../../ui/hooks/draft.ts'
import { isDrawable, isEqual } from './definition/edit.ts'
import { findLines } from './definition/lines.ts'
import { sortDefinition } from './definition/order.ts'
import type { Definition } from './definition/types.ts'
import { FaultList } from './FaultList.tsx'
import { useValidation } from './useValidation.ts'
import type { ViewProps } from './view-props.ts'
import styles from './workflows.module.css'

const toJson = (definition: Definition) => JSON.stringify(sortDefinition(definition), null, 2)

/** Result of parsing the text: a definition, another object, or a syntax error. */
type ParsedText = { value: Definition } | { other: object } | { reason: string | null }

const parseText = (text: string): ParsedText => {
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
export const JsonView = ({ workflow: { id }, draft, faults, readOnly }: ViewProps) => {
  const t = useTranslate()
  const key = draftKey(`workflow-json/${id}`)
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? toJson(draft.definition))
  const result = useMemo(() => parseText(text), [text])
  const lastDefinition = useRef(draft.definition)
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // Changed elsewhere: by undo, or by another person.
    if (isEqual(lastDefinition.current, draft.definition)) return
    lastDefinition.current = draft.definition
    setText(toJson(draft.definition))
    sessionStorage.removeItem(key)
  }, [draft.definition, key])
  const onType = (next: string) => {
    setText(next)
    const result = parseText(next)
    if ('value' in result) {
      sessionStorage.removeItem(key)
      lastDefinition.current = result.value
      draft.change(result.value)
    } else sessionStorage.setItem(key, next)
  }
  // An object that the editor cannot draw is validated too.
  const other = useValidation('other' in result ? result.other : null)
  const shownFaults = 'value' in result ? faults : 'other' in result ? (other?.faults ?? []) : []
  const lines = findLines(
    text,
    shownFaults.map(({ path: place }) => place),
  )
  const goToLine = (line: number) => {
    const el = input.current
    if (!el) return
    const linesBefore = text.split('\n').slice(0, line - 1)
    const start = linesBefore.reduce((length, one) => length + one.length + 1, 0)
    el.focus()
    el.setSelectionRange(start, start + (text.split('\n')[line - 1]?.length ?? 0))
    el.scrollTop = Math.max(0, (line - 4) * lineHeight)
  }
  return (
    <>
      <div className={styles.jsonView}>
        <Textarea
          ref={input}
          label={t('workflows.json')}
          description={t('workflows.jsonHint')}
          classNames={{
            root: styles.jsonRoot!,
            wrapper: styles.jsonWrapper!,
            input: styles.jsonInput!,
            section: styles.jsonSection!,
          }}
          leftSectionWidth={52}
          leftSection={<LineNumbers text={text} shownFaults={lines} input={input} />}
          value={text}
          readOnly={readOnly}
          spellCheck={false}
          error={'reason' in result ? (result.reason ?? t('workflows.jsonShape')) : 'other' in result}
          onChange={event => onType(event.currentTarget.value)}
        />
        {!('value' in result) && (
          <Text size="sm" c="dimmed">
            {t('workflows.jsonBroken')}
          </Text>
        )}
      </div>
      <FaultList faults={shownFaults} lines={lines} open={(_, index) => goToLine(lines[index] ?? 1)} />
    </>
  )
}

/** Height of a line in pixels. Must match the stylesheet. */
const lineHeight = 18

/** Line numbers that scroll with the text. The errors are listed below it. */
const LineNumbers = ({
  text,
  shownFaults,
  input,
}: {
  text: string
  shownFaults: number[]
  input: React.RefObject<HTMLTextAreaElement | null>
}) => {
  const lineNumbers = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const el = input.current
    const syncScroll = () => {
      if (el && lineNumbers.current) lineNumbers.current.style.transform = `translateY(${-el.scrollTop}px)`
    }
    syncScroll()
    el?.addEventListener('scroll', syncScroll)
    return () => el?.removeEventListener('scroll', syncScroll)
  }, [input])
  return (
    <ol ref={lineNumbers} className={styles.jsonNumbers} aria-hidden="true">
      {text.split('\n').map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position.
        <li key={index} data-tone={shownFaults.includes(index + 1) ? 'failed' : undefined}>
          {index + 1}
        </li>
      ))}
    </ol>
  )
}
