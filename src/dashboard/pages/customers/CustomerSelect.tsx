import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { chipProps } from '../../ui/list/Filters.tsx'
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
  /** Placeholder of a field. A chip has its label. */
  placeholder?: string
  value: string | null
  chip?: boolean
  error?: ReactNode
  onChange: (id: string | null) => void
}) => {
  const t = useTranslate()
  const [input, setInput] = useState('')
  const [isEnabled, setIsEnabled] = useState(!chip)
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
  const phoneHint = ({ id, name, phone }: Schemas['Customer']) => (chip && id === value ? null : name && phone)
  const options = customers.map(customer => ({
    value: customer.id,
    label: [customerName(customer), phoneHint(customer)].filter(Boolean).join(' · ') || customer.id,
  }))
  return (
    <Select
      {...(chip ? { ...chipProps(label), 'aria-label': label, onFocus: () => setIsEnabled(true) } : { label })}
      placeholder={chip ? label : placeholder}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filter.clear') }}
      nothingFoundMessage={t('customers.selectNothing')}
      // Disables filtering in the browser: the API has already searched, also in fields that are not shown.
      filter={({ options }) => options}
      // Keeps a selected customer that cannot be loaded in the list, under its id.
      data={value !== null && selectedCustomer.error ? [{ value, label: value }, ...options] : options}
      value={value}
      onSearchChange={text => setInput(text.split(' · ')[0] ?? '')}
      onChange={onChange}
    />
  )
}
