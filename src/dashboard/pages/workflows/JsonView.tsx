import { Text, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { parseJson } from '../../api/json.ts'
import { useTexts } from '../../texts/index.tsx'
import { isDrawable, same } from './definition/edit.ts'
import { ordered } from './definition/order.ts'
import type { Definition } from './definition/types.ts'
import type { ViewOf } from './view.ts'
import styles from './workflows.module.css'

const textOf = (definition: Definition) => JSON.stringify(ordered(definition), null, 2)

/** What the text says, or why it says nothing. */
const parsed = (text: string): { value: Definition } | { reason: string | null } => {
  try {
    const value = parseJson(text)
    return isDrawable(value) ? { value } : { reason: null }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * The same definition as text. What can be read is taken over as it is typed; what cannot stays here, also when the page
 * is left.
 */
export const JsonView = ({ workflow: { id }, draft, readOnly }: ViewOf) => {
  const say = useTexts()
  const key = `workflow-json:${id}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? textOf(draft.definition))
  const result = parsed(text)
  const taken = useRef(draft.definition)
  useEffect(() => {
    // Changed elsewhere: by undo, or by somebody else.
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
  return (
    <div className={styles.jsonView}>
      <Textarea
        label={say('workflows.json')}
        description={say('workflows.jsonHint')}
        classNames={{ root: styles.jsonRoot!, wrapper: styles.jsonWrapper!, input: styles.jsonInput! }}
        value={text}
        readOnly={readOnly}
        spellCheck={false}
        error={'reason' in result ? (result.reason ?? say('workflows.jsonShape')) : undefined}
        onChange={event => type(event.currentTarget.value)}
      />
      {'reason' in result && (
        <Text size="sm" c="dimmed">
          {say('workflows.jsonBroken')}
        </Text>
      )}
    </div>
  )
}
