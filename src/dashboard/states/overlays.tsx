/** States of dialogs, menus and notifications, which are open from the start. */
import { Button, Menu, Stack, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Confirm } from '../ui/form/Confirm.tsx'
import { FormDialog } from '../ui/form/FormDialog.tsx'
import { OneTimeSecret } from '../ui/form/OneTimeSecret.tsx'
import { TimeRangeFilter } from '../ui/time-range/TimeRangeFilter.tsx'
import type { TimeRange } from '../ui/time-range/time-range.ts'
import { useNotify } from '../ui/useNotify.tsx'
import { failures, names } from './samples.ts'

const ignore = () => {}

export const ConfirmState = () => (
  <Confirm
    opened
    title={`Delete ${names.long}`}
    action="Delete"
    typeName={names.usual}
    onClose={ignore}
    onConfirm={() => Promise.resolve()}
  >
    The endpoint and its 1,204 deliveries are deleted.
  </Confirm>
)

/** Confirmation whose action is refused after a click. */
export const ConfirmFailed = () => (
  <Confirm
    opened
    title="Delete endpoint"
    action="Delete"
    onClose={ignore}
    onConfirm={() => Promise.reject(failures.conflict)}
  >
    The endpoint and its deliveries are deleted.
  </Confirm>
)

export const FormDialogState = () => (
  <FormDialog
    opened
    title="Add endpoint"
    text={names.long}
    action="Add"
    onClose={ignore}
    form={{ submit: ignore, dismiss: ignore, busy: false, failure: failures.fields }}
  >
    <TextInput label="URL" error="Enter an https address." defaultValue="http//" />
    <TextInput label="Name" defaultValue={names.rightToLeft} />
  </FormDialog>
)

export const SecretState = () => (
  <OneTimeSecret title="API key" label="Key" value={`ces_${'a1B2c3D4'.repeat(8)}`} onDone={ignore} />
)

export const MenuState = () => (
  <Menu opened transitionProps={{ duration: 0 }}>
    <Menu.Target>
      <Button variant="default">Actions</Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Label>{names.usual}</Menu.Label>
      <Menu.Item>Rename</Menu.Item>
      <Menu.Item disabled>Duplicate</Menu.Item>
      <Menu.Divider />
      <Menu.Item color="red">Delete</Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

/** Menu of time ranges, opened by a click. */
export const TimeRangeMenu = () => {
  const [value, setValue] = useState<TimeRange>({ range: '7d' })
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.querySelector('button')?.click(), [])
  return (
    <Stack ref={frame} align="flex-start">
      <TimeRangeFilter value={value} onChange={setValue} />
    </Stack>
  )
}

export const Notification = () => {
  const notify = useNotify()
  useEffect(() => notify(`Deleted ${names.long}.`, () => Promise.resolve()), [notify])
  return null
}
