import { SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { clockOf, momentOf, useZone } from '../../ui/zone.ts'
import { getting, usePreview } from './Preview.tsx'
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
  const say = useTexts()
  const zone = useZone()
  const preview = usePreview(campaign, true).data
  const [when, setWhen] = useState<'now' | 'later'>(campaign.status === 'scheduled' ? 'later' : 'now')
  const [clock, setClock] = useState(() =>
    clockOf(new Date(campaign.scheduledAt ?? Math.ceil(Date.now() / hourMs) * hourMs + hourMs), zone),
  )
  const at = momentOf(clock, zone)
  const start = async () => {
    const { data } = await api.POST('/v1/campaigns/{id}/start', {
      params: { path: { id: campaign.id } },
      body: when === 'later' && at ? { at: at.toISOString() } : {},
    })
    onDone(data!)
  }
  const count = preview && getting({ audience: preview.audience, skipped: preview.skipped as Record<string, number> })
  return (
    <FormDialog
      opened
      title={say('campaigns.startTitle', { name: campaign.name })}
      text={count === undefined ? say('campaigns.previewing') : say('campaigns.startText', { count })}
      action={say(when === 'now' ? 'campaigns.startAction' : 'campaigns.scheduleAction')}
      onClose={onClose}
      onSubmit={start}
    >
      <SegmentedControl
        size="xs"
        aria-label={say('campaigns.startWhen')}
        data={[
          { value: 'now', label: say('campaigns.startNow') },
          { value: 'later', label: say('campaigns.startLater') },
        ]}
        value={when}
        onChange={value => setWhen(value as 'now' | 'later')}
      />
      {when === 'later' && (
        <>
          <TextInput
            type="datetime-local"
            label={say('campaigns.startAt')}
            description={say('campaigns.startZone', { zone })}
            required
            withAsterisk={false}
            error={at ? undefined : say('campaigns.noTime')}
            value={clock}
            onChange={event => setClock(event.currentTarget.value)}
          />
          {at && zone !== 'UTC' && (
            <Text size="xs" c="dimmed">
              {say('campaigns.startUtc', { time: at.toISOString() })}
            </Text>
          )}
        </>
      )}
    </FormDialog>
  )
}
