import { Autocomplete, Button, Combobox, Group, Select, TextInput, useMatches } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Children, type CSSProperties, isValidElement, type ReactNode, useEffect, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { useWhenIdle } from '../hooks/whenIdle.ts'
import { MagnifyingGlassIcon } from '../icons.ts'
import { XMarkIcon } from '../page-icons.ts'
import ui from '../ui.module.css'
import styles from './filters.module.css'
import { SavedViews, type ViewsOf } from './SavedViews.tsx'

/**
 * Size of a filter: as wide as others on a phone. Elsewhere it takes the free space of its line, and shrinks to its text
 * before the line breaks.
 */
export const chipProps = (text: string) => ({
  size: 'xs' as const,
  className: styles.chip!,
  style: { '--text-length': text.length } as CSSProperties,
})

/**
 * Returns the placeholder of an empty filter. In a window narrower than 1200 px it is the label alone, so that all
 * filters fit in one line.
 */
export const useFilterPlaceholder = (label: string): string => {
  const t = useTranslate()
  return useMatches({ base: label, lg: `${label}: ${t('filter.any')}` }, { getInitialValueInEffect: false })
}

/** Filter bar of a list. The filters are stored in the address, so that a filtered list can be shared. */
export const Filters = ({
  clear,
  views,
  children,
}: {
  /** Removes all filters. Undefined without one. */
  clear?: (() => void) | undefined
  /** Offers saved views of the filters. */
  views?: ViewsOf
  children: ReactNode
}) => {
  const t = useTranslate()
  // Filters take longer to render than the rows, so they are rendered when the browser is idle.
  const isIdle = useWhenIdle()
  return (
    <Group className={ui.filters!} gap="sm" role="search">
      {isIdle
        ? children
        : Children.map(
            children,
            child => isValidElement(child) && <span className={`${styles.chip} ${styles.shape}`} />,
          )}
      {clear && (
        <Button variant="subtle" leftSection={<XMarkIcon width={14} />} onClick={clear}>
          {t('filter.clear')}
        </Button>
      )}
      {views && isIdle && <SavedViews isFiltered={clear !== undefined} {...views} />}
    </Group>
  )
}

/** Filter with a few fixed choices. */
export const SelectFilter = <Value extends string>({
  label,
  value,
  options,
  searchable = false,
  onChange,
}: {
  label: string
  value: Value | undefined
  /** A plain value is its own label. */
  options: readonly (Value | { value: Value; label: string })[]
  /** Allows searching among many choices by typing. */
  searchable?: boolean
  onChange: (value: Value | undefined) => void
}) => {
  const placeholder = useFilterPlaceholder(label)
  return (
    <Select
      {...chipProps(placeholder)}
      aria-label={label}
      placeholder={placeholder}
      data={options}
      value={value ?? null}
      clearable
      searchable={searchable}
      onChange={selected => onChange((selected as Value | null) ?? undefined)}
    />
  )
}

/** Text filter, applied shortly after the last key press. */
export const TextFilter = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}) => {
  const [input, setInput] = useState(value ?? '')
  useEffect(() => setInput(value ?? ''), [value])
  const applyLater = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), 250)
  return (
    <TextInput
      {...chipProps(label)}
      aria-label={label}
      placeholder={label}
      leftSection={<MagnifyingGlassIcon width={14} aria-hidden="true" />}
      value={input}
      onChange={event => {
        setInput(event.currentTarget.value)
        applyLater(event.currentTarget.value)
      }}
    />
  )
}

/**
 * Filter for an exact value, with suggestions for a part of it. It applies a chosen suggestion, or a known value. Enter
 * applies the highlighted suggestion, or the text if no suggestion contains it. A part of a value never empties the list.
 */
export const SuggestFilter = ({
  label,
  value,
  suggestions,
  onFocus,
  onChange,
}: {
  label: string
  value: string | undefined
  suggestions: string[]
  /** Called when the field gets the focus. Suggestions can be fetched only then. */
  onFocus: () => void
  onChange: (value: string | undefined) => void
}) => {
  const t = useTranslate()
  const placeholder = useFilterPlaceholder(label)
  const [input, setInput] = useState(value ?? '')
  useEffect(() => setInput(value ?? ''), [value])
  const apply = (text: string) => onChange(text.trim() || undefined)
  return (
    <Autocomplete
      {...chipProps(placeholder)}
      aria-label={label}
      placeholder={placeholder}
      data={suggestions}
      limit={50}
      value={input}
      clearable
      rightSection={input === '' && <Combobox.Chevron size="xs" />}
      rightSectionPointerEvents={input === '' ? 'none' : 'all'}
      clearButtonProps={{ 'aria-label': t('filter.clear') }}
      // Becomes true when the suggestions arrive, which highlights the first one of a text that was typed before.
      selectFirstOptionOnChange={suggestions.length > 0}
      onFocus={onFocus}
      onChange={text => {
        setInput(text)
        if (text === '' || suggestions.includes(text)) apply(text)
      }}
      onBlur={() => setInput(value ?? '')}
      // The list stays complete after Enter in an empty field, although the first suggestion is highlighted.
      onKeyDownCapture={event => {
        if (event.key === 'Enter' && input === '') event.stopPropagation()
      }}
      onKeyDown={event => {
        if (event.key === 'Enter' && !hasHighlightedOption(event.currentTarget)) apply(input)
      }}
    />
  )
}

/** Returns true if Enter in the field chooses an option of its open list. */
const hasHighlightedOption = (field: HTMLInputElement): boolean =>
  document.getElementById(field.getAttribute('aria-controls') ?? '')?.querySelector('[data-combobox-selected]') != null
