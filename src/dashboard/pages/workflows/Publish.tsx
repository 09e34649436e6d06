import { Button, Checkbox, Group, Modal, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api, hooks } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Differences } from './Differences.tsx'
import type { DrawnWorkflow, Workflow } from './definition/types.ts'
import { usePublished } from './queries.ts'

/** Dialog that publishes a version. It shows the changes and the affected runs first. */
export const Publish = ({
  workflow,
  onClose,
  onPublished,
  onRefused,
}: {
  workflow: DrawnWorkflow
  onClose: () => void
  onPublished: (workflow: Workflow) => void
  /** Called when the API rejects the definition. */
  onRefused: (error: unknown) => boolean
}) => {
  const say = useTexts()
  const { id } = workflow
  const impact = hooks.useQuery(
    'get',
    '/v1/workflows/{id}/impact',
    { params: { path: { id } } },
    { staleTime: 0, gcTime: 0 },
  )
  const published = usePublished(workflow)
  const [runs, setRuns] = useState<'keep' | 'move'>('keep')
  const [done, setDone] = useState<Workflow | null>(null)
  // The first version is switched on by default.
  const [on, setOn] = useState(!workflow.enabled && workflow.publishedVersion === null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const publish = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const params = { path: { id } }
      // If only the switch failed, a retry must not publish a second time.
      const now =
        done ?? (await api.POST('/v1/workflows/{id}/publish', { params, body: { move: runs === 'move' } })).data
      if (!now) return
      setDone(now)
      const switched = on ? await api.PATCH('/v1/workflows/{id}', { params, body: { enabled: true } }) : null
      onPublished(switched?.data ?? now)
    } catch (error) {
      if (!onRefused(error)) setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const inFlight = impact.data?.runsInFlight ?? 0
  const movable = impact.data?.movable ?? 0
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('workflows.publish.title', { version: (workflow.publishedVersion ?? 0) + 1 })}
      closeButtonProps={{ 'aria-label': say('confirm.cancel') }}
    >
      <Stack gap="md">
        {published.data ? (
          <Differences before={published.data.definition} after={workflow.draft} />
        ) : (
          workflow.publishedVersion === null && <Text size="sm">{say('workflows.publish.first')}</Text>
        )}
        {impact.error && <Failure of={impact.error} retry={() => void impact.refetch()} />}
        {impact.isPending && <Skeleton height={72} />}
        {impact.data && inFlight === 0 && workflow.publishedVersion !== null && (
          <Text size="sm">{say('workflows.publish.nobody')}</Text>
        )}
        {impact.data && inFlight > 0 && (
          <Radio.Group
            label={say('workflows.publish.runs', { count: inFlight })}
            value={runs}
            onChange={value => setRuns(value === 'move' ? 'move' : 'keep')}
          >
            <Stack gap="sm" mt="sm">
              <Radio
                value="keep"
                label={say('workflows.publish.keep')}
                description={say('workflows.publish.keepText', { version: workflow.publishedVersion })}
              />
              <Radio
                value="move"
                disabled={movable === 0}
                label={say('workflows.publish.move', { count: movable })}
                description={say('workflows.publish.moveText', { count: inFlight - movable })}
              />
            </Stack>
          </Radio.Group>
        )}
        {impact.data && impact.data.removedSteps.length > 0 && (
          <Text size="sm">
            {say('workflows.publish.removed')} <code>{impact.data.removedSteps.join(', ')}</code>
          </Text>
        )}
        {!workflow.enabled && (
          <Checkbox
            label={say('workflows.publish.on')}
            description={say('workflows.publish.onText', { type: workflow.draft.trigger.eventType })}
            checked={on}
            onChange={event => setOn(event.currentTarget.checked)}
          />
        )}
        {failure !== null && <Failure of={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('confirm.cancel')}
          </Button>
          <Button loading={busy} disabled={impact.isPending} onClick={() => void publish()}>
            {say('workflows.publish.action')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
