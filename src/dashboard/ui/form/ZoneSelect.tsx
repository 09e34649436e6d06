import { Select } from '@mantine/core'

/** Searchable select with all time zones of the browser. */
export const ZoneSelect = ({
  label,
  description,
  value,
  clearable = false,
  placeholder,
  onChange,
}: {
  label: string
  description?: string
  value: string | null
  clearable?: boolean
  placeholder?: string
  onChange: (zone: string | null) => void
}) => {
  const zones = Intl.supportedValuesOf('timeZone')
  const data = [...new Set(['UTC', ...zones, ...(value ? [value] : [])])]
  return (
    <Select
      size="xs"
      aria-label={label}
      searchable
      limit={60}
      allowDeselect={false}
      inputWrapperOrder={['input', 'description']}
      clearable={clearable}
      data={data}
      value={value}
      onChange={onChange}
      {...(description && { description })}
      {...(placeholder && { placeholder })}
    />
  )
}
