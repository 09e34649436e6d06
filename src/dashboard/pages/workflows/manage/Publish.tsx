import { Button, Checkbox, Group, Modal, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api, hooks, isVersionConflict } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { toDrawnWorkflow } from '../definition/edit.ts'
import type { DrawnWorkflow, Workflow } from '../definition/types.ts'
import { usePublished, useUpdateCache } from '../queries.ts'
import { Differences } from '../versions/Differences.tsx'

/** Dialog that publishes a version. It shows the changes and the affected runs first. */
export const Publish = ({
  workflow: current,
  onClose,
  onPublished,
  onRejected,
}: {
  workflow: DrawnWorkflow
  onClose: () => void
  onPublished: (workflow: Workflow) => void
  /** Called when the API rejects the definition. */
  onRejected: (error: unknown) => boolean
}) => {
  const t = useTranslate()
  // The draft is not replaced while a person looks at it: a click publishes what the dialog shows.
  const [workflow, setWorkflow] = useState(current)
  const { id } = workflow
  const impact = hooks.useQuery(
    'get',
    '/v1/workflows/{id}/impact',
    { params: { path: { id } } },
    { staleTime: 0, gcTime: 0 },
  )
  const updateCache = useUpdateCache()
  const published = usePublished(workflow)
  const [runs, setRuns] = useState<'keep' | 'move'>('keep')
  const [publishedWorkflow, setPublishedWorkflow] = useState<Workflow | null>(null)
  // The first version is switched on by default.
  const [isSwitchedOn, setIsSwitchedOn] = useState(!workflow.enabled && workflow.publishedVersion === null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  /** Shows the draft that somebody else saved, which the next click publishes. */
  const showNewDraft = async () => {
    const { data } = await api.GET('/v1/workflows/{id}', { params: { path: { id } } })
    updateCache(data!)
    setWorkflow(toDrawnWorkflow(data!))
    await impact.refetch()
  }
  const publish = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const params = { path: { id } }
      // If only the switch failed, a retry must not publish a second time.
      const now =
        publishedWorkflow ??
        (
          await api.POST('/v1/workflows/{id}/publish', {
            // Publishes only the draft that this dialog shows.
            params: { ...params, header: { 'If-Match': `"${workflow.updatedAt}"` } },
            body: { move: runs === 'move' },
          })
        ).data
      if (!now) return
      setPublishedWorkflow(now)
      const switchResult = isSwitchedOn
        ? await api.PATCH('/v1/workflows/{id}', { params, body: { enabled: true } })
        : null
      onPublished(switchResult?.data ?? now)
    } catch (error) {
      if (isVersionConflict(error)) await showNewDraft().then(() => setFailure(error), setFailure)
      else if (!onRejected(error)) setFailure(error)
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
      title={t('workflows.publish.title', { version: (workflow.publishedVersion ?? 0) + 1 })}
      closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
    >
      <Stack gap="md">
        {published.data && <Differences before={published.data.definition} after={workflow.draft} />}
        {impact.error && <Failure error={impact.error} retry={() => void impact.refetch()} />}
        {impact.isPending && <Skeleton height={72} />}
        {impact.data && inFlight === 0 && workflow.publishedVersion !== null && (
          <Text size="sm">{t('workflows.publish.noRuns')}</Text>
        )}
        {impact.data && inFlight > 0 && (
          <Radio.Group
            label={t('workflows.publish.runs', { count: inFlight })}
            value={runs}
            onChange={value => setRuns(value === 'move' ? 'move' : 'keep')}
          >
            <Stack gap="sm" mt="sm">
              <Radio
                value="keep"
                label={t('workflows.publish.keep')}
                description={t('workflows.publish.keepText', { version: workflow.publishedVersion })}
              />
              <Radio
                value="move"
                disabled={movable === 0}
                label={t('workflows.publish.move', { count: movable })}
                description={t('workflows.publish.moveText', { count: inFlight - movable })}
              />
            </Stack>
          </Radio.Group>
        )}
        {impact.data && impact.data.removedSteps.length > 0 && (
          <Text size="sm">
            {t('workflows.publish.removed')} <code>{impact.data.removedSteps.join(', ')}</code>
          </Text>
        )}
        {!workflow.enabled && (
          <Checkbox
            label={t('workflows.publish.on')}
            description={t('workflows.publish.onText', { type: workflow.draft.trigger.eventType })}
            checked={isSwitchedOn}
            onChange={event => setIsSwitchedOn(event.currentTarget.checked)}
          />
        )}
        {failure !== null && <Failure error={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('confirm.cancel')}
          </Button>
          <Button loading={busy} disabled={impact.isPending} onClick={() => void publish()}>
            {t(!workflow.enabled && isSwitchedOn ? 'workflows.publish.actionOn' : 'workflows.publish.action')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
