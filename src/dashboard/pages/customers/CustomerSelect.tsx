import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { chipWidth } from '../../ui/Filters.tsx'
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
  onChange,
}: {
  label: string
  placeholder: string
  value: string | null
  chip?: boolean
  onChange: (id: string | null) => void
}) => {
  const say = useTexts()
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState(!chip)
  const [q] = useDebouncedValue(typed.trim(), 250)
  const found = hooks.useQuery(
    'get',
    '/v1/customers',
    { params: { query: { limit: 20, ...(q && { q }) } } },
    { placeholderData: keepPreviousData, enabled: wanted },
  )
  const chosen = hooks.useQuery(
    'get',
    '/v1/customers/{id}',
    { params: { path: { id: value ?? '' } } },
    { enabled: value !== null },
  )
  const rows = found.data?.data ?? []
  const all = chosen.data && !rows.some(({ id }) => id === value) ? [chosen.data, ...rows] : rows
  // A selected customer in a chip shows only one label, because space is short.
  const numberOf = ({ id, name, phone }: Schemas['Customer']) => (chip && id === value ? null : name && phone)
  const options = all.map(customer => ({
    value: customer.id,
    label: [customerName(customer), numberOf(customer)].filter(Boolean).join(' · ') || customer.id,
  }))
  return (
    <Select
      {...(chip ? { size: 'xs', w: chipWidth, 'aria-label': label, onFocus: () => setWanted(true) } : { label })}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('filter.clear') }}
      nothingFoundMessage={say('customers.selectNothing')}
      // Disables filtering in the browser: the API has already searched, also in fields that are not shown.
      filter={({ options }) => options}
      // Keeps a selected customer that cannot be loaded in the list, under its id.
      data={value !== null && chosen.error ? [{ value, label: value }, ...options] : options}
      value={value}
      onSearchChange={text => setTyped(text.split(' · ')[0] ?? '')}
      onChange={onChange}
    />
  )
}
