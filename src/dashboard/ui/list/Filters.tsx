import { Autocomplete, Button, Combobox, Group, Indicator, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Children, type CSSProperties, isValidElement, type ReactNode, useEffect, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { useHasPanel } from '../hooks/usePanel.ts'
import { usePhone } from '../hooks/usePhone.ts'
import { useWhenIdle } from '../hooks/whenIdle.ts'
import { MagnifyingGlassIcon } from '../icons.ts'
import { AdjustmentsHorizontalIcon, XMarkIcon } from '../page-icons.ts'
import type { TimeRange } from '../time-range/time-range.ts'
import { useWidth } from './columns.ts'
import styles from './filters.module.css'
import { SavedViews, type ViewsOf } from './SavedViews.tsx'

/**
 * Size of a filter: half of a line on a phone. Elsewhere it takes the free space of its line, and shrinks to its text
 * before the line breaks.
 */
export const chipProps = (text: string) => ({
  size: 'xs' as const,
  className: styles.chip!,
  style: { '--text-length': text.length } as CSSProperties,
})

const gap = 8
/** Sum of the padding on both sides of the bar. */
const padding = 48
/** Space in pixels that parts of the bar need in one line, each with the gap after it. */
const widths = { first: 148, filter: 138, toggle: 100, clear: 138, views: 104 }

/**
 * Filter bar of a list. The filters are stored in the address, so that a filtered list can be shared. The bar has one line
 * beside a panel and on a phone. A button then shows the filters that do not fit, and the number of active ones among
 * them.
 */
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
  const isNarrow = [useHasPanel(), usePhone()].includes(true)
  const [ref, fullWidth] = useWidth()
  const width = fullWidth - padding
  const [isExpanded, setIsExpanded] = useState(false)
  const all = Children.toArray(children)
  const isComplete = !isNarrow || lineWidth(all.length, clear !== undefined, views !== undefined) <= width
  const fitting = isComplete ? all : all.slice(0, countFitting(width))
  const others = all.slice(fitting.length)
  const isShown = isComplete || isExpanded
  const show = (filters: readonly ReactNode[]) => (isIdle ? filters : Children.map(filters, () => shape))
  return (
    <Group
      ref={ref}
      className={styles.filters!}
      gap="sm"
      role="search"
      data-one-line={(isNarrow && !isExpanded) || undefined}
    >
      {show(fitting)}
      {!isComplete && isIdle && (
        <FiltersToggle
          count={others.filter(isActive).length}
          isExpanded={isExpanded}
          isCompact={width < widths.first + widths.toggle - gap}
          toggle={() => setIsExpanded(!isExpanded)}
        />
      )}
      {isShown && show(others)}
      {isShown && clear && (
        <Button variant="subtle" leftSection={<XMarkIcon width={14} />} onClick={clear}>
          {t('filter.clear')}
        </Button>
      )}
      {isShown && views && isIdle && <SavedViews isFiltered={clear !== undefined} {...views} />}
    </Group>
  )
}

const lineWidth = (filters: number, hasClear: boolean, hasViews: boolean): number =>
  widths.first + (filters - 1) * widths.filter + (hasClear ? widths.clear : 0) + (hasViews ? widths.views : 0)

/** Returns the number of filters that fit beside the button for the others. The first is always shown. */
const countFitting = (width: number): number =>
  1 + Math.max(Math.floor((width - widths.first - widths.toggle) / widths.filter), 0)

/** Returns true if the filter has a value. That of a time range is an object. */
const isActive = (filter: ReactNode): boolean => {
  const value = isValidElement<{ value?: unknown }>(filter) ? filter.props.value : undefined
  if (typeof value !== 'object' || value === null) return Boolean(value)
  const { range, since, until }: TimeRange = value
  return (range ?? since ?? until) !== undefined
}

/** Placeholder of a filter. */
const shape = <span className={`${styles.chip} ${styles.shape}`} />

/** Button that shows the filters that do not fit into the line, with the number of active ones. */
const FiltersToggle = ({
  count,
  isExpanded,
  isCompact,
  toggle,
}: {
  count: number
  isExpanded: boolean
  /** Shows only the icon. */
  isCompact: boolean
  toggle: () => void
}) => {
  const t = useTranslate()
  const icon = <AdjustmentsHorizontalIcon width={14} />
  return (
    <Indicator className={styles.toggle!} label={count} size={16} disabled={count === 0 || isExpanded} zIndex={1}>
      <Button
        variant="default"
        leftSection={!isCompact && icon}
        px={isCompact ? 'sm' : undefined}
        aria-expanded={isExpanded}
        aria-label={count === 0 ? t('filter.title') : t('filter.active', { count })}
        onClick={toggle}
      >
        {isCompact ? icon : t('filter.title')}
      </Button>
    </Indicator>
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
}) => (
  <Select
    {...chipProps(label)}
    aria-label={label}
    placeholder={label}
    data={options}
    value={value ?? null}
    clearable
    searchable={searchable}
    onChange={selected => onChange((selected as Value | null) ?? undefined)}
  />
)

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
      // The icon is as wide as two more characters.
      {...chipProps(`${label}  `)}
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
  const [input, setInput] = useState(value ?? '')
  useEffect(() => setInput(value ?? ''), [value])
  const apply = (text: string) => onChange(text.trim() || undefined)
  return (
    <Autocomplete
      {...chipProps(label)}
      aria-label={label}
      placeholder={label}
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
