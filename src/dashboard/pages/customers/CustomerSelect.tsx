import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { isolate } from '../../texts/isolate.ts'
import { CheckIcon } from '../../ui/icons.ts'
import { chipProps } from '../../ui/list/Filters.tsx'
import styles from './customers.module.css'
import { customerName } from './name.ts'

/**
 * Select that searches customers by name, phone or external id. As a `chip` above a list it loads nothing until it is
 * used.
 */
export const CustomerSelect = ({
  label,
  placeholder,
  value,
  chip = false,
  error,
  onChange,
}: {
  label: string
  /** Placeholder of a closed field. Defaults to what the field searches. A closed chip has its label. */
  placeholder?: string
  value: string | null
  chip?: boolean
  error?: ReactNode
  onChange: (id: string | null) => void
}) => {
  const t = useTranslate()
  const [input, setInput] = useState('')
  const [isEnabled, setIsEnabled] = useState(!chip)
  const [isOpen, setIsOpen] = useState(false)
  const [q] = useDebouncedValue(input.trim(), 250)
  const searchResults = hooks.useQuery(
    'get',
    '/v1/customers',
    { params: { query: { limit: 20, ...(q && { q }) } } },
    { placeholderData: keepPreviousData, enabled: isEnabled },
  )
  const selectedCustomer = hooks.useQuery(
    'get',
    '/v1/customers/{id}',
    { params: { path: { id: value ?? '' } } },
    { enabled: value !== null },
  )
  const rows = searchResults.data?.data ?? []
  const customers =
    selectedCustomer.data && !rows.some(({ id }) => id === value) ? [selectedCustomer.data, ...rows] : rows
  // A selected customer in a chip shows only one label, because space is short.
  const labelOf = (customer: Schemas['Customer']): string => {
    const [name, phone] = partsOf(customer)
    return phone && !(chip && customer.id === value) ? `${isolate(name)}${separator}${phone}` : name
  }
  const options = customers.map(customer => ({ value: customer.id, label: labelOf(customer) }))
  return (
    <Select
      {...(chip ? { ...chipProps(label), 'aria-label': label, onFocus: () => setIsEnabled(true) } : { label })}
      placeholder={
        chip ? (isOpen ? t('customers.search') : label) : (!isOpen && placeholder) || t('customers.selectSearch')
      }
      // The text needs the space of the arrows.
      {...(chip && isOpen && value === null && { rightSection: <span />, rightSectionWidth: 8 })}
      maxDropdownHeight={shownRows * rowHeights[chip ? 'chip' : 'field']}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filter.clear') }}
      nothingFoundMessage={t('customers.selectNothing')}
      // Disables filtering in the browser: the API has already searched, also in fields that are not shown.
      filter={({ options }) => options}
      renderOption={({ option, checked }) => {
        const customer = customers.find(({ id }) => id === option.value)
        return <Choice parts={customer ? partsOf(customer) : [option.label, null]} isSelected={checked === true} />
      }}
      // Keeps a selected customer that cannot be loaded in the list, under its id.
      data={value !== null && selectedCustomer.error ? [{ value, label: value }, ...options] : options}
      value={value}
      onSearchChange={text => setInput(nameIn(text))}
      onChange={onChange}
    />
  )
}

/** Maximum number of rows that the list shows without scrolling. It ends within a row, which shows that there are more. */
const shownRows = 8.5
/** Heights in pixels of a row of the list. */
const rowHeights = { chip: 26.6, field: 32.15 }

const separator = ' · '

/** Returns the name of a customer, and the phone that tells customers of the same name apart. */
const partsOf = (customer: Schemas['Customer']): [name: string, phone: string | null] => [
  customerName(customer) ?? customer.id,
  customer.name ? customer.phone : null,
]

/** Returns the name in the label of a customer, for the search. */
const nameIn = (label: string): string => (label.split(separator)[0] ?? '').replaceAll(/[\u2068\u2069]/g, '')

const Choice = ({
  parts: [name, phone],
  isSelected,
}: {
  parts: [name: string, phone: string | null]
  isSelected: boolean
}) => (
  <span className={styles.choice}>
    <bdi title={name}>{name}</bdi>
    {phone && (
      <span>
        · <bdi>{phone}</bdi>
      </span>
    )}
    {isSelected && <CheckIcon width={14} aria-hidden="true" />}
  </span>
)
