import { SegmentedControl, Text, TextInput } from '@mantine/core'
import { api } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { Facts } from '../../ui/Panel.tsx'
import { formatClock, parseClock, useZone } from '../../ui/zone.ts'
import { useChoices } from './choices.ts'
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
  const number = useNumbers()
  const { channels, templates } = useChoices()
  const preview = usePreview(campaign, true).data
  const apiForm = useApiForm({
    draft: null,
    initial: {
      mode: campaign.status === 'scheduled' ? ('later' as const) : ('now' as 'now' | 'later'),
      at: formatClock(new Date(campaign.scheduledAt ?? Math.ceil(Date.now() / hourMs) * hourMs + hourMs), zone),
    },
    validate: { at: (at, { mode }) => (mode === 'now' || parseClock(at, zone) ? null : t('campaigns.noTime')) },
    onSubmit: async ({ mode, at }) => {
      const time = parseClock(at, zone)
      const { data } = await api.POST('/v1/campaigns/{id}/start', {
        params: { path: { id: campaign.id } },
        body: mode === 'later' && time ? { at: time.toISOString() } : {},
      })
      onClose()
      onDone(data!)
    },
  })
  const { form } = apiForm
  const { mode } = form.values
  const at = parseClock(form.values.at, zone)
  const count = preview && countRecipients(preview)
  return (
    <FormDialog
      opened
      title={t('campaigns.startTitle', { name: campaign.name })}
      text={count === undefined ? t('campaigns.previewing') : t('campaigns.startText', { count })}
      action={t(mode === 'now' ? 'campaigns.startAction' : 'campaigns.scheduleAction')}
      onClose={onClose}
      form={apiForm}
    >
      <Facts
        items={{
          [t('campaigns.channel')]: <bdi>{channels?.find(({ id }) => id === campaign.channelId)?.name ?? '–'}</bdi>,
          [t('campaigns.template')]: <bdi>{templates?.find(({ id }) => id === campaign.templateId)?.name ?? '–'}</bdi>,
          [t('campaigns.excluded')]: preview && count !== undefined && number(preview.audience - count),
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
          <TextInput
            {...form.getInputProps('at')}
            type="datetime-local"
            label={t('campaigns.startAt')}
            description={t('campaigns.startZone', { zone })}
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
