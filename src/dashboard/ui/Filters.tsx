import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import styles from './ui.module.css'

/** The chips above a list. What they say stands in the address, so that a list can be shared and found again. */
export const Filters = ({ clear, children }: { clear?: (() => void) | undefined; children: ReactNode }) => {
  const say = useTexts()
  return (
    <Group className={styles.filters} gap="sm" role="search">
      {children}
      {clear && (
        <Button variant="subtle" onClick={clear}>
          {say('filter.clear')}
        </Button>
      )}
    </Group>
  )
}

/** One of a few. */
export const Choice = <Value extends string>({
  label,
  value,
  options,
  searchable = false,
  onChange,
}: {
  label: string
  value: Value | undefined
  options: { value: Value; label: string }[]
  /** Of more than a few: found by typing. */
  searchable?: boolean
  onChange: (value: Value | undefined) => void
}) => {
  const say = useTexts()
  return (
    <Select
      size="xs"
      w={180}
      aria-label={label}
      placeholder={`${label}: ${say('filter.any')}`}
      data={options}
      value={value ?? null}
      clearable
      searchable={searchable}
      onChange={chosen => onChange((chosen as Value | null) ?? undefined)}
    />
  )
}

/** A text that is looked for shortly after the last key. Where only some texts find anything, those are offered. */
export const Wanted = ({
  label,
  value,
  offered,
  onFocus,
  onChange,
}: {
  label: string
  value: string | undefined
  offered?: string[]
  onFocus?: () => void
  onChange: (value: string | undefined) => void
}) => {
  const [typed, setTyped] = useState(value ?? '')
  useEffect(() => setTyped(value ?? ''), [value])
  const tell = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), 250)
  const type = (text: string) => {
    setTyped(text)
    tell(text)
  }
  const field = { size: 'xs', w: 220, 'aria-label': label, placeholder: label, value: typed, onFocus }
  return offered ? (
    <Autocomplete {...field} data={offered} limit={50} onChange={type} />
  ) : (
    <TextInput {...field} onChange={event => type(event.currentTarget.value)} />
  )
}
