import { Button, Group, Popover, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import type { Workflow } from './definition/types.ts'
import styles from './workflows.module.css'

/** Dialog that renames a workflow immediately. */
export const RenameWorkflow = ({
  workflow,
  onChanged,
}: {
  workflow: Workflow
  onChanged: (workflow: Workflow) => void
}) => {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const [name, setName] = useState(workflow.name)
  const [failure, setFailure] = useState<unknown>(null)
  const rename = async () => {
    setFailure(null)
    try {
      const { data } = await api.PATCH('/v1/workflows/{id}', {
        params: { path: { id: workflow.id } },
        body: { name: name.trim() },
      })
      if (data) onChanged(data)
      setOpened(false)
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus width={320} withRoles={false}>
      <Popover.Target>
        <Button
          variant="subtle"
          className={styles.rename!}
          onClick={() => {
            setName(workflow.name)
            setOpened(!opened)
          }}
        >
          {t('workflows.rename')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={event => {
            event.preventDefault()
            void rename()
          }}
        >
          <Stack gap="sm">
            <TextInput
              label={t('workflows.name')}
              value={name}
              maxLength={100}
              data-autofocus
              onChange={event => setName(event.currentTarget.value)}
            />
            {failure !== null && <Failure error={failure} />}
            <Group justify="flex-end">
              <Button type="submit" disabled={name.trim() === ''}>
                {t('workflows.rename')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
