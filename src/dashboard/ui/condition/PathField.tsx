import { Autocomplete, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import styles from './condition.module.css'
import type { ConditionOptions } from './condition.ts'

/** Field for a path such as `data.total`, or for a named field. */
export const PathField = ({
  options,
  value,
  onChange,
}: {
  options: ConditionOptions
  value: string
  onChange: (value: string) => void
}) =>
  options.named ? (
    <NamedPath options={options} named={options.named} value={value} onChange={onChange} />
  ) : (
    <TypedPath options={options} value={value} onChange={onChange} />
  )

interface PathFieldProps {
  options: ConditionOptions
  value: string
  onChange: (value: string) => void
}

/** Path field that suggests the paths of past events. */
const TypedPath = ({ options, value, onChange }: PathFieldProps) => {
  const t = useTranslate()
  return (
    <Autocomplete
      aria-label={t('condition.path')}
      size="sm"
      placeholder={options.initial.path}
      required
      data={options.paths ?? []}
      limit={50}
      value={value}
      readOnly={options.readOnly}
      onChange={onChange}
    />
  )
}

const NamedPath = ({
  options,
  named,
  value,
  onChange,
}: PathFieldProps & { named: NonNullable<ConditionOptions['named']> }) => {
  const t = useTranslate()
  const { prefix: under, fields } = named
  const selectedPath = value.startsWith(under.path) ? under.path : fields.find(({ path }) => path === value)?.path
  // Stays in typing mode even if the typed path matches a named field.
  const [isTyping, setIsTyping] = useState(selectedPath === undefined)
  const selectPath = (next: string | null) => {
    setIsTyping(next === '')
    onChange(next || value)
  }
  return (
    <div className={styles.named}>
      <Select
        aria-label={t('condition.path')}
        data={[
          { value: under.path, label: under.label },
          ...fields.map(({ path, label }) => ({ value: path, label })),
          { value: '', label: t('condition.pathOther') },
        ]}
        value={isTyping ? '' : (selectedPath ?? '')}
        allowDeselect={false}
        readOnly={options.readOnly}
        onChange={selectPath}
      />
      {isTyping ? (
        <TextInput
          aria-label={t('condition.pathTyped')}
          placeholder={options.initial.path}
          required
          value={value}
          readOnly={options.readOnly}
          onChange={event => onChange(event.currentTarget.value)}
        />
      ) : (
        selectedPath === under.path && (
          <TextInput
            aria-label={under.name}
            placeholder={under.name}
            required
            maxLength={100}
            value={value.slice(under.path.length)}
            readOnly={options.readOnly}
            onChange={event => onChange(under.path + event.currentTarget.value)}
          />
        )
      )}
    </div>
  )
}
