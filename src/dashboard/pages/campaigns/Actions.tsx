import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { shortName } from '../../ui/formats.ts'
import { DocumentDuplicateIcon, PaperAirplaneIcon, PauseIcon } from '../../ui/icons.ts'
import { NoSymbolIcon, PlayIcon, TrashIcon } from '../../ui/page-icons.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { updateCache } from './cache.ts'
import styles from './campaigns.module.css'
import { countSettled } from './Progress.tsx'
import { StartDialog } from './StartDialog.tsx'
import { type Campaign, hasStarted } from './status.ts'

type Dialog = 'start' | 'cancel' | 'remove' | null

/** Maximum length of a name, with the end of the name of a copy. */
const maxName = 200

/** Actions of the owner for a campaign in its status. */
export const Actions = ({ campaign, dirty }: { campaign: Campaign; dirty: boolean }) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<Dialog>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { id, name, status, progress } = campaign
  const params = { path: { id } }
  const close = () => setDialog(null)
  const run = async (action: () => Promise<void>) => {
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
  const pauseOrResume = (to: 'pause' | 'resume') =>
    run(async () => {
      const { data } = await api.POST(`/v1/campaigns/{id}/${to}`, { params })
      updateCache(queries, data!)
    })
  const duplicate = () =>
    run(async () => {
      const { channelId, templateId, variables, audience } = campaign
      const copy = t('campaigns.copyOf', { name: '' })
      const { data } = await api.POST('/v1/campaigns', {
        body: {
          name: t('campaigns.copyOf', { name: name.slice(0, maxName - copy.length) }),
          channelId,
          templateId,
          variables,
          audience,
        },
      })
      updateCache(queries, data!)
      notify(t('campaigns.duplicated', { name: data!.name }))
      void navigate({ to: '/campaigns/$id', params: { id: data!.id } })
    })
  const cancel = async () => {
    const { data } = await api.POST('/v1/campaigns/{id}/cancel', { params })
    updateCache(queries, data!)
  }
  const remove = async () => {
    await api.DELETE('/v1/campaigns/{id}', { params })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/campaigns' })
    notify(t('campaigns.removed', { name }))
    void navigate({ to: '/campaigns' })
  }
  return (
    <>
      {!hasStarted(campaign) && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<TrashIcon width={16} />}
          onClick={() => setDialog('remove')}
        >
          {t('campaigns.remove')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<DocumentDuplicateIcon width={16} />}
        disabled={busy}
        onClick={() => void duplicate()}
      >
        {t('campaigns.duplicate')}
      </Button>
      {(status === 'scheduled' || status === 'running' || status === 'paused') && (
        <Button variant="default" leftSection={<NoSymbolIcon width={16} />} onClick={() => setDialog('cancel')}>
          {t('campaigns.cancel')}
        </Button>
      )}
      {status === 'running' && (
        <Button
          variant="default"
          leftSection={<PauseIcon width={16} />}
          loading={busy}
          onClick={() => void pauseOrResume('pause')}
        >
          {t('campaigns.pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button leftSection={<PlayIcon width={16} />} loading={busy} onClick={() => void pauseOrResume('resume')}>
          {t('campaigns.resume')}
        </Button>
      )}
      {!hasStarted(campaign) && (
        <Button
          className={styles.primary!}
          leftSection={<PaperAirplaneIcon width={14} />}
          disabled={dirty}
          onClick={() => setDialog('start')}
        >
          {t(status === 'scheduled' ? 'campaigns.reschedule' : 'campaigns.start')}
        </Button>
      )}
      {failure !== null && <Failure error={failure} />}
      {dialog === 'start' && (
        <StartDialog campaign={campaign} onClose={close} onDone={started => updateCache(queries, started)} />
      )}
      <Confirm
        opened={dialog === 'cancel'}
        title={t('campaigns.cancelTitle', { name: shortName(name) })}
        action={t('campaigns.cancel')}
        onClose={close}
        onConfirm={cancel}
      >
        {status === 'scheduled'
          ? t('campaigns.cancelScheduled')
          : t('campaigns.cancelText', { count: Math.max(progress.audience - countSettled(campaign), 0) })}
      </Confirm>
      <Confirm
        opened={dialog === 'remove'}
        title={t('campaigns.removeTitle', { name: shortName(name) })}
        action={t('campaigns.removeAction')}
        onClose={close}
        onConfirm={remove}
      >
        <Text size="sm">{t('campaigns.removeText')}</Text>
      </Confirm>
    </>
  )
}
