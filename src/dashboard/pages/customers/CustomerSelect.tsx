import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { hooks } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { customerName } from './name.ts'

/** One customer, looked for by name, phone or external id. */
export const CustomerSelect = ({
  label,
  placeholder,
  value,
  onChange,
}: {
  label: string
  placeholder: string
  value: string | null
  onChange: (id: string | null) => void
}) => {
  const say = useTexts()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 250)
  const found = hooks.useQuery(
    'get',
    '/v1/customers',
    { params: { query: { limit: 20, ...(q && { q }) } } },
    { placeholderData: keepPreviousData },
  )
  const chosen = hooks.useQuery(
    'get',
    '/v1/customers/{id}',
    { params: { path: { id: value ?? '' } } },
    { enabled: value !== null },
  )
  const rows = found.data?.data ?? []
  const all = chosen.data && !rows.some(({ id }) => id === value) ? [chosen.data, ...rows] : rows
  return (
    <Select
      label={label}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('filter.clear') }}
      nothingFoundMessage={say('templates.customerNothing')}
      // The interface has looked already, also in what is not shown here.
      filter={({ options }) => options}
      data={all.map(customer => ({
        value: customer.id,
        label: [customerName(customer), customer.name && customer.phone].filter(Boolean).join(' · ') || customer.id,
      }))}
      value={value}
      onSearchChange={text => setTyped(text.split(' · ')[0] ?? '')}
      onChange={onChange}
    />
  )
}
