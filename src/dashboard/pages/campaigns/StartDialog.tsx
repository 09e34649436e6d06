import { SegmentedControl, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { DateTimeField } from '../../ui/form/DateTimeField.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { shortName } from '../../ui/formats.ts'
import { Facts } from '../../ui/Panel.tsx'
import { useZone } from '../../ui/zone.ts'
import { Audience } from './Content.tsx'
import { updateCache } from './cache.ts'
import { useChoices } from './choices.ts'
import { readCampaign } from './form.ts'
import { OptInNotice } from './Preview.tsx'
import type { Campaign } from './status.ts'
import { countRecipients, usePreview } from './usePreview.ts'

const hourMs = 3_600_000

/** Dialog that starts a campaign now or at a given time. It shows the number of recipients first. */
export const StartDialog = ({
  campaign: current,
  onClose,
  onDone,
}: {
  campaign: Campaign
  onClose: () => void
  onDone: (campaign: Campaign) => void
}) => {
  const t = useTranslate()
  const zone = useZone()
  const number = useNumbers()
  const { channels, templates } = useChoices()
  const queries = useQueryClient()
  // The campaign is not replaced while a person looks at it: a click starts what the dialog shows.
  const [campaign, setCampaign] = useState(current)
  const query = usePreview(campaign, true, 'always')
  // An earlier result can be of another audience.
  const isCounting = query.isFetching || !query.isFetchedAfterMount
  const preview = isCounting ? undefined : query.data
  const apiForm = useApiForm({
    draft: null,
    record: {
      version: campaign.updatedAt,
      read: async () => {
        const read = await readCampaign(campaign.id)
        updateCache(queries, read)
        setCampaign(read)
      },
    },
    initial: {
      mode: campaign.status === 'scheduled' ? ('later' as const) : ('now' as 'now' | 'later'),
      at: new Date(campaign.scheduledAt ?? Math.ceil(Date.now() / hourMs) * hourMs + hourMs).toISOString(),
    },
    // The number of recipients is shown before the start.
    validate: { mode: () => (preview ? null : t('campaigns.previewing')) },
    onSubmit: async ({ mode, at }) => {
      const { data } = await api.POST('/v1/campaigns/{id}/start', {
        // Starts only the campaign that this dialog shows.
        params: { path: { id: campaign.id }, header: { 'If-Match': `"${campaign.updatedAt}"` } },
        body: mode === 'later' ? { at } : {},
      })
      onClose()
      onDone(data!)
    },
  })
  const { form } = apiForm
  const { mode, at } = form.values
  const count = preview && countRecipients(preview)
  return (
    <FormDialog
      opened
      title={t('campaigns.startTitle', { name: shortName(campaign.name) })}
      text={count === undefined ? isCounting && t('campaigns.previewing') : t('campaigns.startText', { count })}
      action={
        query.isError && !isCounting && !preview
          ? null
          : t(mode === 'now' ? 'campaigns.startAction' : 'campaigns.scheduleAction')
      }
      onClose={onClose}
      form={{ ...apiForm, busy: apiForm.busy || isCounting }}
    >
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      <Facts
        items={{
          [t('campaigns.channel')]: <bdi>{channels?.find(({ id }) => id === campaign.channelId)?.name ?? '–'}</bdi>,
          [t('campaigns.template')]: <bdi>{templates?.find(({ id }) => id === campaign.templateId)?.name ?? '–'}</bdi>,
          [t('campaigns.audienceType')]: <Audience campaign={campaign} />,
          [t('campaigns.willSkip')]: preview && count !== undefined && number(preview.audience - count),
        }}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('campaigns.startWhen')}
        data={[
          { value: 'now', label: t('campaigns.startNow') },
          { value: 'later', label: t('campaigns.startLater') },
        ]}
        value={mode}
        onChange={value => form.setFieldValue('mode', value)}
      />
      {preview && preview.withoutOptIn > 0 && <OptInNotice count={preview.withoutOptIn} />}
      {mode === 'later' && (
        <>
          <DateTimeField {...form.getInputProps('at')} clearable={false} label={t('campaigns.startAt')} value={at} />
          {zone !== 'UTC' && (
            <Text size="xs" c="dimmed">
              {t('campaigns.startUtc', { time: at })}
            </Text>
          )}
        </>
      )}
    </FormDialog>
  )
}
