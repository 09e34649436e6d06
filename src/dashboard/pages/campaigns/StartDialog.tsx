import { SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, Failure } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { formatClock, parseClock, useZone } from '../../ui/zone.ts'
import { countRecipients, OptInNotice, usePreview } from './Preview.tsx'
import type { Campaign } from './status.ts'

const hourMs = 3_600_000

/** Dialog that starts a campaign now or at a given time. It shows the number of recipients first. */
export const StartDialog = ({
  campaign,
  onClose,
  onDone,
}: {
  campaign: Campaign
  onClose: () => void
  onDone: (campaign: Campaign) => void
}) => {
  const t = useTranslate()
  const zone = useZone()
  const preview = usePreview(campaign, true).data
  const [startMode, setStartMode] = useState<'now' | 'later'>(campaign.status === 'scheduled' ? 'later' : 'now')
  const [clock, setClock] = useState(() =>
    formatClock(new Date(campaign.scheduledAt ?? Math.ceil(Date.now() / hourMs) * hourMs + hourMs), zone),
  )
  const at = parseClock(clock, zone)
  const start = async () => {
    if (startMode === 'later' && !at) throw new Failure(0, 'invalid_request', t('campaigns.noTime'))
    const { data } = await api.POST('/v1/campaigns/{id}/start', {
      params: { path: { id: campaign.id } },
      body: startMode === 'later' && at ? { at: at.toISOString() } : {},
    })
    onDone(data!)
  }
  const count = preview && countRecipients(preview)
  return (
    <FormDialog
      opened
      title={t('campaigns.startTitle', { name: campaign.name })}
      text={count === undefined ? t('campaigns.previewing') : t('campaigns.startText', { count })}
      action={t(startMode === 'now' ? 'campaigns.startAction' : 'campaigns.scheduleAction')}
      onClose={onClose}
      onSubmit={start}
    >
      <SegmentedControl
        size="xs"
        aria-label={t('campaigns.startWhen')}
        data={[
          { value: 'now', label: t('campaigns.startNow') },
          { value: 'later', label: t('campaigns.startLater') },
        ]}
        value={startMode}
        onChange={setStartMode}
      />
      {preview && preview.withoutOptIn > 0 && <OptInNotice count={preview.withoutOptIn} />}
      {startMode === 'later' && (
        <>
          <TextInput
            type="datetime-local"
            label={t('campaigns.startAt')}
            description={t('campaigns.startZone', { zone })}
            error={at ? undefined : t('campaigns.noTime')}
            value={clock}
            onChange={event => setClock(event.currentTarget.value)}
          />
          {at && zone !== 'UTC' && (
            <Text size="xs" c="dimmed">
              {t('campaigns.startUtc', { time: at.toISOString() })}
            </Text>
          )}
        </>
      )}
    </FormDialog>
  )
}
