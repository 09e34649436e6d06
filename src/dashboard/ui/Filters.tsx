import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Children, isValidElement, type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import styles from './ui.module.css'
import { useWhenIdle } from './whenIdle.ts'

/** All chips are of one width, so that what stands for them takes the same place. */
export const chipWidth = 190

/** The chips above a list. What they say stands in the address, so that a list can be shared and found again. */
export const Filters = ({ clear, children }: { clear?: (() => void) | undefined; children: ReactNode }) => {
  const say = useTexts()
  // They take longer to draw than all rows, for which people come.
  const isIdle = useWhenIdle()
  return (
    <Group className={styles.filters} gap="sm" role="search">
      {isIdle
        ? children
        : Children.map(
            children,
            child => isValidElement(child) && <span className={styles.chipShape} style={{ width: chipWidth }} />,
          )}
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
      w={chipWidth}
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
  const field = { size: 'xs', w: chipWidth, 'aria-label': label, placeholder: label, value: typed, onFocus }
  return offered ? (
    <Autocomplete {...field} data={offered} limit={50} onChange={type} />
  ) : (
    <TextInput {...field} onChange={event => type(event.currentTarget.value)} />
  )
}
