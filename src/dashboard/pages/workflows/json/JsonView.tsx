import { Button, CopyButton, Group, Text } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { parseJson } from '../../../api/json.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { draftKey } from '../../../ui/hooks/draft.ts'
import { CodeEditor, type CodeEditorHandle } from '../../../ui/json/CodeEditor.tsx'
import { findRanges, lineOf } from '../../../ui/json/ranges.ts'
import { isDrawable, isEqual } from '../definition/edit.ts'
import { sortDefinition } from '../definition/order.ts'
import type { Definition } from '../definition/types.ts'
import { FaultList } from '../faults/FaultList.tsx'
import { useValidation } from '../faults/useValidation.ts'
import type { ViewProps } from '../view-props.ts'
import styles from '../workflows.module.css'

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
 * Definition as JSON text. Text that parses is applied immediately. Text that does not is kept in the
 * browser, also when the tab closes. Errors are shown next to their lines.
 */
export const JsonView = ({ workflow: { id }, draft, faults, readOnly }: ViewProps) => {
  const t = useTranslate()
  const key = draftKey(`workflow-json/${id}`)
  const [text, setText] = useState(() => localStorage.getItem(key) ?? toJson(draft.definition))
  const result = useMemo(() => parseText(text), [text])
  const lastDefinition = useRef(draft.definition)
  const editor = useRef<CodeEditorHandle>(null)
  useEffect(() => {
    // Changed elsewhere: by undo, or by another person.
    if (isEqual(lastDefinition.current, draft.definition)) return
    lastDefinition.current = draft.definition
    setText(toJson(draft.definition))
    localStorage.removeItem(key)
  }, [draft.definition, key])
  const onType = (next: string) => {
    setText(next)
    const result = parseText(next)
    if ('value' in result) {
      localStorage.removeItem(key)
      lastDefinition.current = result.value
      draft.change(result.value)
    } else localStorage.setItem(key, next)
  }
  // An object that the editor cannot draw is validated too.
  const other = useValidation('other' in result ? result.other : null)
  const shownFaults = 'value' in result ? faults : 'other' in result ? (other?.faults ?? []) : []
  const ranges = useMemo(
    () =>
      findRanges(
        text,
        shownFaults.map(({ path }) => path),
      ),
    [text, shownFaults],
  )
  const formatted = 'value' in result ? toJson(result.value) : ''
  const marks = shownFaults.map(({ reason }, index) => ({ ...ranges[index]!, message: reason }))
  return (
    <>
      <div className={styles.jsonView}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" id="json-hint">
            {t('workflows.jsonHint')}
          </Text>
          <Group gap="xs">
            {!readOnly && (
              <Button variant="default" disabled={!formatted || formatted === text} onClick={() => onType(formatted)}>
                {t('workflows.jsonFormat')}
              </Button>
            )}
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {t(copied ? 'id.copied' : 'json.copy')}
                </Button>
              )}
            </CopyButton>
          </Group>
        </Group>
        <CodeEditor
          ref={editor}
          label={t('workflows.json')}
          describedBy="json-hint"
          value={text}
          readOnly={readOnly}
          indents
          marks={marks}
          onChange={onType}
        />
        {!('value' in result) && (
          <Text size="sm" role="status">
            {'reason' in result && `${result.reason ?? t('workflows.jsonShape')} `}
            {t('workflows.jsonBroken')}
          </Text>
        )}
      </div>
      <FaultList
        faults={shownFaults}
        lines={ranges.map(({ from }) => lineOf(text, from))}
        open={(_, index) => editor.current?.select(ranges[index]!)}
      />
    </>
  )
}
