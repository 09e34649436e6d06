import { Button, Group, Modal, Radio, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
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
  const say = useTexts()
  const { id } = workflow
  const [asking, setAsking] = useState<number | null>(null)
  const [running, setRunning] = useState<'finish' | 'stop'>('finish')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const during = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const change = async (body: { enabled: boolean; running?: 'finish' | 'stop' }) => {
    const { data } = await api.PATCH('/v1/workflows/{id}', { params: { path: { id } }, body })
    setAsking(null)
    if (data) onChanged(data)
  }
  const toggle = () =>
    during(async () => {
      if (!workflow.enabled) return change({ enabled: true })
      const { data } = await api.GET('/v1/workflows/{id}/impact', { params: { path: { id } } })
      if (data && data.runsInFlight > 0) setAsking(data.runsInFlight)
      else await change({ enabled: false })
    })
  return (
    <>
      <Switch
        label={workflow.enabled ? say('workflows.state.on') : say('workflows.state.off')}
        aria-label={say('workflows.switch')}
        checked={workflow.enabled}
        disabled={busy || (workflow.publishedVersion === null && !workflow.enabled)}
        onChange={() => void toggle()}
      />
      <Modal
        opened={asking !== null || failure !== null}
        onClose={() => {
          setAsking(null)
          setFailure(null)
        }}
        title={asking === null ? say('workflows.switch') : say('workflows.off.title', { name: workflow.name })}
        closeButtonProps={{ 'aria-label': say('confirm.cancel') }}
      >
        <Stack gap="md">
          {asking !== null && (
            <>
              <Text size="sm">{say('workflows.off.text')}</Text>
              <Radio.Group
                label={say('workflows.off.runs', { count: asking })}
                value={running}
                onChange={value => setRunning(value === 'stop' ? 'stop' : 'finish')}
              >
                <Stack gap="sm" mt="sm">
                  <Radio value="finish" label={say('workflows.off.finish')} />
                  <Radio value="stop" label={say('workflows.off.stop')} description={say('workflows.off.stopText')} />
                </Stack>
              </Radio.Group>
            </>
          )}
          {failure !== null && <Failure of={failure} />}
          {asking !== null && (
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsking(null)}>
                {say('confirm.cancel')}
              </Button>
              <Button loading={busy} onClick={() => void during(() => change({ enabled: false, running }))}>
                {say('workflows.off.action')}
              </Button>
            </Group>
          )}
        </Stack>
      </Modal>
    </>
  )
}
