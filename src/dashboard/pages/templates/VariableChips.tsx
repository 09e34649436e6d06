import { Button, Group } from '@mantine/core'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { PlusIcon } from '../../ui/page-icons.ts'
import { listVariables } from './body.ts'

/** Variable that most templates have. */
const commonVariable = 'name'

/** Buttons that insert a variable at the cursor of the text. A new variable is selected, so that typing renames it. */
export const VariableChips = ({
  body,
  field,
  onChange,
}: {
  body: string
  field: RefObject<HTMLTextAreaElement | null>
  onChange: (body: string) => void
}) => {
  const t = useTranslate()
  const selection = useRef<[start: number, end: number] | null>(null)
  useLayoutEffect(() => {
    if (!selection.current || !field.current) return
    field.current.focus()
    field.current.setSelectionRange(...selection.current)
    selection.current = null
  })
  const insert = (name: string, isNew: boolean) => {
    const { selectionStart: start, selectionEnd: end } = field.current ?? { selectionStart: 0, selectionEnd: 0 }
    const nameStart = start + 2
    selection.current = isNew
      ? [nameStart, nameStart + name.length]
      : [nameStart + name.length + 2, nameStart + name.length + 2]
    onChange(`${body.slice(0, start)}{{${name}}}${body.slice(end)}`)
  }
  const names = new Set([commonVariable, ...listVariables(body, []).map(({ name }) => name)])
  return (
    <Group gap={6} mt={6} role="group" aria-label={t('templates.insert')}>
      {[...names].map(name => (
        <Button key={name} size="compact-xs" variant="default" radius="xl" onClick={() => insert(name, false)}>
          {`{{${name}}}`}
        </Button>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<PlusIcon width={12} />}
        onClick={() => insert(t('templates.newVariable'), true)}
      >
        {t('templates.addVariable')}
      </Button>
    </Group>
  )
}
