import { Button, Group, Modal, Radio, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import type { Workflow } from './definition/types.ts'

/** Switch that takes effect immediately. If runs are active, switching off first asks what to do with them. */
export const SwitchOnOff = ({
  workflow,
  onChanged,
}: {
  workflow: Workflow
  onChanged: (workflow: Workflow) => void
}) => {
  const t = useTranslate()
  const { id } = workflow
  const [runsInFlight, setRunsInFlight] = useState<number | null>(null)
  const [running, setRunning] = useState<'finish' | 'stop'>('finish')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const withBusy = async (action: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await action()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const change = async (body: { enabled: boolean; running?: 'finish' | 'stop' }) => {
    const { data } = await api.PATCH('/v1/workflows/{id}', { params: { path: { id } }, body })
    setRunsInFlight(null)
    if (data) onChanged(data)
  }
  const toggle = () =>
    withBusy(async () => {
      if (!workflow.enabled) return change({ enabled: true })
      const { data } = await api.GET('/v1/workflows/{id}/impact', { params: { path: { id } } })
      if (data && data.runsInFlight > 0) setRunsInFlight(data.runsInFlight)
      else await change({ enabled: false })
    })
  return (
    <>
      <Switch
        label={workflow.enabled ? t('workflows.state.on') : t('workflows.state.off')}
        aria-label={t('workflows.switch')}
        checked={workflow.enabled}
        disabled={busy || (workflow.publishedVersion === null && !workflow.enabled)}
        onChange={() => void toggle()}
      />
      <Modal
        opened={runsInFlight !== null || failure !== null}
        onClose={() => {
          setRunsInFlight(null)
          setFailure(null)
        }}
        title={runsInFlight === null ? t('workflows.switch') : t('workflows.off.title', { name: workflow.name })}
        closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
      >
        <Stack gap="md">
          {runsInFlight !== null && (
            <>
              <Text size="sm">{t('workflows.off.text')}</Text>
              <Radio.Group
                label={t('workflows.off.runs', { count: runsInFlight })}
                value={running}
                onChange={value => setRunning(value === 'stop' ? 'stop' : 'finish')}
              >
                <Stack gap="sm" mt="sm">
                  <Radio value="finish" label={t('workflows.off.finish')} />
                  <Radio value="stop" label={t('workflows.off.stop')} description={t('workflows.off.stopText')} />
                </Stack>
              </Radio.Group>
            </>
          )}
          {failure !== null && <Failure error={failure} />}
          {runsInFlight !== null && (
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setRunsInFlight(null)}>
                {t('confirm.cancel')}
              </Button>
              <Button loading={busy} onClick={() => void withBusy(() => change({ enabled: false, running }))}>
                {t('workflows.off.action')}
              </Button>
            </Group>
          )}
        </Stack>
      </Modal>
    </>
  )
}
