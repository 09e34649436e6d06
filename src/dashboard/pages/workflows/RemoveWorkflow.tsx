import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import type { Workflow } from './definition/types.ts'
import styles from './workflows.module.css'

/** Deletes a workflow that is switched off, after a confirmation. */
export const RemoveWorkflow = ({ workflow: { id, name } }: { workflow: Workflow }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [opened, setOpened] = useState(false)
  const remove = async () => {
    await api.DELETE('/v1/workflows/{id}', { params: { path: { id } } })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/workflows' })
    notifications.show({ message: t('workflows.removed', { name }) })
    void navigate({ to: '/workflows' })
  }
  return (
    <>
      <Button variant="subtle" className={styles.rename!} onClick={() => setOpened(true)}>
        {t('workflows.remove')}
      </Button>
      <Confirm
        opened={opened}
        title={t('workflows.removeTitle', { name })}
        action={t('workflows.removeAction')}
        onClose={() => setOpened(false)}
        onConfirm={remove}
      >
        <Text size="sm">{t('workflows.removeText')}</Text>
      </Confirm>
    </>
  )
}
