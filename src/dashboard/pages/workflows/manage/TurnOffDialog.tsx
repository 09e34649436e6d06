import { Button, Group, Modal, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hooks } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { useNotify } from '../../../ui/useNotify.tsx'
import type { Workflow } from '../definition/types.ts'
import { useUpdateCache } from '../queries.ts'
import styles from '../workflows.module.css'

/** Dialog that turns workflows off, or archives them. It first shows each workflow with its runs in progress. */
export const TurnOffDialog = ({
  workflows,
  action,
  onClose,
  onDone,
}: {
  workflows: Workflow[]
  action: 'off' | 'archive'
  onClose: () => void
  onDone?: () => void
}) => {
  const t = useTranslate()
  const notify = useNotify()
  const updateCache = useUpdateCache()
  const [running, setRunning] = useState<'finish' | 'stop'>('finish')
  const [doneIds, setDoneIds] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  // Turning off a workflow that is off changes nothing.
  const affected = action === 'off' ? workflows.filter(({ enabled }) => enabled) : workflows
  const impacts = useQueries({
    queries: affected.map(({ id }) => ({
      ...hooks.queryOptions('get', '/v1/workflows/{id}/impact', { params: { path: { id } } }),
      staleTime: 0,
    })),
  })
  const isLoading = impacts.some(({ isPending }) => isPending)
  const total = impacts.reduce((sum, { data }) => sum + (data?.runsInFlight ?? 0), 0)
  const confirm = async () => {
    setBusy(true)
    setFailure(null)
    const done = [...doneIds]
    try {
      // A retry continues with the first workflow that failed.
      for (const { id } of affected.filter(one => !done.includes(one.id))) {
        const { data } = await api.PATCH('/v1/workflows/{id}', {
          params: { path: { id } },
          body: {
            ...(action === 'off' ? { enabled: false } : { archived: true }),
            ...(total > 0 && { running }),
          },
        })
        if (data) updateCache(data)
        done.push(id)
      }
      notify(t(`workflows.${action}.done`, { count: affected.length, name: affected[0]?.name }))
      onDone?.()
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setDoneIds(done)
      setBusy(false)
    }
  }
  const [only] = affected
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`workflows.${action}.titleOf`, { count: affected.length, name: only?.name })}
      closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
    >
      <Stack gap="md">
        <Text size="sm">{t(`workflows.${action}.text`)}</Text>
        {isLoading && <Skeleton height={72} />}
        {!isLoading && (
          <ul className={styles.preview}>
            {affected.map(({ id, name }, index) => (
              <li key={id}>
                <bdi>{name}</bdi>
                <span>{t('workflows.off.runs', { count: impacts[index]?.data?.runsInFlight ?? 0 })}</span>
              </li>
            ))}
          </ul>
        )}
        {total > 0 && (
          <Radio.Group
            label={t('workflows.off.runs', { count: total })}
            value={running}
            onChange={value => setRunning(value === 'stop' ? 'stop' : 'finish')}
          >
            <Stack gap="sm" mt="sm">
              <Radio value="finish" label={t('workflows.off.finish')} />
              <Radio value="stop" label={t('workflows.off.stop')} description={t('workflows.off.stopText')} />
            </Stack>
          </Radio.Group>
        )}
        {failure !== null && <Failure error={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('confirm.cancel')}
          </Button>
          <Button loading={busy} disabled={isLoading} onClick={() => void confirm()}>
            {t(`workflows.${action}.action`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
