import { Autocomplete, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/index.tsx'
import styles from './condition.module.css'
import type { Asked } from './condition.ts'

/** Field for a path such as `data.total`, or for a named field. */
export const PathField = ({ of, value, onChange }: { of: Asked; value: string; onChange: (value: string) => void }) =>
  of.named ? (
    <NamedPath of={of} named={of.named} value={value} onChange={onChange} />
  ) : (
    <TypedPath of={of} value={value} onChange={onChange} />
  )

interface Given {
  of: Asked
  value: string
  onChange: (value: string) => void
}

/** Path field that suggests the paths of past events. */
const TypedPath = ({ of, value, onChange }: Given) => {
  const say = useTexts()
  return (
    <Autocomplete
      aria-label={say('condition.path')}
      size="sm"
      placeholder={of.begin.path}
      required
      data={of.paths ?? []}
      limit={50}
      value={value}
      readOnly={of.readOnly}
      onChange={onChange}
    />
  )
}

const NamedPath = ({ of, named, value, onChange }: Given & { named: NonNullable<Asked['named']> }) => {
  const say = useTexts()
  const { under, fields } = named
  const found = value.startsWith(under.path) ? under.path : fields.find(({ path }) => path === value)?.path
  // Stays in typing mode even if the typed path matches a named field.
  const [typing, setTyping] = useState(found === undefined)
  const choose = (next: string | null) => {
    setTyping(next === '')
    onChange(next || value)
  }
  return (
    <div className={styles.named}>
      <Select
        aria-label={say('condition.path')}
        data={[
          { value: under.path, label: under.label },
          ...fields.map(({ path, label }) => ({ value: path, label })),
          { value: '', label: say('condition.pathOther') },
        ]}
        value={typing ? '' : (found ?? '')}
        allowDeselect={false}
        readOnly={of.readOnly}
        onChange={choose}
      />
      {typing ? (
        <TextInput
          aria-label={say('condition.pathTyped')}
          placeholder={of.begin.path}
          required
          value={value}
          readOnly={of.readOnly}
          onChange={event => onChange(event.currentTarget.value)}
        />
      ) : (
        found === under.path && (
          <TextInput
            aria-label={under.name}
            placeholder={under.name}
            required
            maxLength={100}
            value={value.slice(under.path.length)}
            readOnly={of.readOnly}
            onChange={event => onChange(under.path + event.currentTarget.value)}
          />
        )
      )}
    </div>
  )
}
