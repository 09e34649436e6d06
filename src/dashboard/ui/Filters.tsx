import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Children, isValidElement, type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import styles from './ui.module.css'
import { useWhenIdle } from './whenIdle.ts'

/** Width of all filters in pixels, so that their placeholders take the same space. */
export const chipWidth = 190

/** Filter bar of a list. The filters are stored in the address, so that a filtered list can be shared. */
export const Filters = ({ clear, children }: { clear?: (() => void) | undefined; children: ReactNode }) => {
  const say = useTexts()
  // Filters take longer to render than the rows, so they are rendered when the browser is idle.
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

/** Filter with a few fixed choices. */
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
  /** Allows searching among many choices by typing. */
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

/** Text filter, applied shortly after the last key press. If only some values match anything, those are suggested. */
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
