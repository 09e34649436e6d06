/** States of buttons and forms. */
import { Button, Checkbox, Group, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../ui/Card.tsx'
import { ConditionField, type TypedCondition } from '../ui/condition/ConditionField.tsx'
import { ConflictNotice } from '../ui/form/ConflictNotice.tsx'
import { Editable } from '../ui/form/Editable.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { ZoneSelect } from '../ui/form/ZoneSelect.tsx'
import { names } from './samples.ts'

export const Buttons = () => (
  <Stack>
    {(['filled', 'default', 'subtle'] as const).map(variant => (
      <Group key={variant}>
        <Button variant={variant}>Save</Button>
        <Button variant={variant} disabled>
          Save
        </Button>
        <Button variant={variant} loading aria-label="Save">
          Save
        </Button>
        <Button variant={variant} color="red">
          Delete
        </Button>
      </Group>
    ))}
    <Button maw={200}>{names.long}</Button>
  </Stack>
)

export const Forms = () => (
  <Stack maw={420}>
    <TextInput label="Name" description="Shown to your customers." placeholder="e.g. Ana Moreno" />
    <TextInput label="Name" value={names.unbroken} readOnly />
    <TextInput label="Name" disabled value={names.usual} readOnly />
    <TextInput label={names.long} error="Enter a name of at most 100 characters." defaultValue={names.rightToLeft} />
    <Textarea label="Message" error="Add the missing value: item." defaultValue={names.mixed} />
    <PasswordField label="Password" value="12345678" onChange={() => {}} />
    <Select label="Channel" data={['Chat', 'Text']} error="Choose a channel." />
    <ZoneSelect label="Time zone" value="Europe/Berlin" onChange={() => {}} />
    <Checkbox label={names.long} defaultChecked />
    <Checkbox label="Active" error="Confirm that you have an opt-in." />
    <Switch label="Switched on" defaultChecked />
    <Switch label="Switched off" disabled />
  </Stack>
)

/** Form in the middle of typing: an editable value, the notice of another person's change, a condition with parts, and invalid JSON. */
export const HalfTyped = () => {
  const [condition, setCondition] = useState<TypedCondition>({
    condition: {
      all: [
        { path: 'data.total', op: 'gte', value: 200 },
        {
          any: [
            { path: 'customer.name', op: 'eq', value: names.rightToLeft },
            { path: '', op: 'eq', value: '' },
          ],
        },
      ],
    },
    json: null,
  })
  const [json, setJson] = useState<TypedCondition>({ condition: null, json: '{"path": "data.total", ' })
  const options = { initial: { path: '', op: 'eq' as const, value: '' } }
  return (
    <Stack maw={640}>
      <Editable label="Name" value={names.long} draft="states.name" onSave={() => Promise.resolve()}>
        {names.long}
      </Editable>
      <ConflictNotice onDiscard={() => {}} />
      <Card title="Condition">
        <ConditionField label="Customers where" options={options} value={condition} onChange={setCondition} />
      </Card>
      <Card title="Condition as JSON">
        <ConditionField label="Events where" options={options} value={json} onChange={setJson} />
      </Card>
    </Stack>
  )
}
