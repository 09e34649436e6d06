import { Alert, Anchor, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { recordPath } from '../../shell/paths.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { BarTable } from '../../ui/charts/BarTable.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { ExclamationTriangleIcon } from '../../ui/icons.ts'
import { CustomerName } from '../customers/CustomerName.tsx'
import { MessagePhone } from '../templates/MessagePhone.tsx'
import styles from './campaigns.module.css'
import type { Campaign } from './status.ts'
import { useReasonText } from './useReason.ts'

/** Queries what the campaign would send now, for its saved version. */
export const usePreview = (campaign: Campaign, enabled: boolean) =>
  hooks.useQuery('post', '/v1/campaigns/{id}/preview', { params: { path: { id: campaign.id } } }, { enabled })

export const countRecipients = ({
  audience,
  skipped,
}: Pick<Schemas['CampaignPreview'], 'audience' | 'skipped'>): number =>
  audience - Object.values(skipped).reduce((sum, count) => sum + count, 0)

/** Preview of a campaign: the number of recipients, the skipped customers by reason, and three sample messages. */
export const Preview = ({ campaign, dirty }: { campaign: Campaign; dirty: boolean }) => {
  const t = useTranslate()
  const reason = useReasonText()
  const query = usePreview(campaign, true)
  const preview = query.data
  const skippedByReason = Object.entries(preview?.skipped ?? {}).sort(([, a], [, b]) => b - a)
  return (
    <div className={styles.stack} aria-live="polite">
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {!preview && !query.error && <Skeleton height={180} aria-label={t('campaigns.previewing')} />}
      {preview && (
        <>
          <Card title={t('campaigns.preview')}>
            {dirty && <Text size="sm">{t('campaigns.previewDirty')}</Text>}
            <p className={styles.headline}>{t('campaigns.recipientCount', { count: countRecipients(preview) })}</p>
            <Text size="sm" c="dimmed">
              {t('campaigns.audienceCount', { count: preview.audience })}
            </Text>
            {preview.partial && <Text size="sm">{t('campaigns.partial')}</Text>}
            {preview.withoutOptIn > 0 && <OptInNotice count={preview.withoutOptIn} />}
            {skippedByReason.length > 0 && (
              <>
                <Text size="sm" fw={500} mt="md" mb={4}>
                  {t('campaigns.excluded')}
                </Text>
                <BarTable
                  title={t('campaigns.excluded')}
                  total={preview.audience}
                  bars={skippedByReason.map(([code, value]) => ({
                    key: code,
                    label: reason(code),
                    value,
                    tone: 'off',
                  }))}
                />
              </>
            )}
          </Card>
          {preview.samples.length > 0 && <Samples samples={preview.samples} />}
        </>
      )}
    </div>
  )
}

/** Number of recipients above the form on a phone, where the preview is below it. */
export const RecipientCount = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const { data: preview, error } = usePreview(campaign, true)
  if (error) return null
  return (
    <Text fw={600} mb="sm">
      {preview ? t('campaigns.recipientCount', { count: countRecipients(preview) }) : <Skeleton h="1lh" w={200} />}
    </Text>
  )
}

/** Sample messages on a phone, one at a time. */
const Samples = ({ samples }: { samples: Schemas['CampaignPreview']['samples'] }) => {
  const t = useTranslate()
  const [selected, setSelected] = useState('0')
  const sample = samples[Number(selected)] ?? samples[0]!
  return (
    <Card
      title={t('campaigns.samples')}
      actions={
        samples.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('campaigns.samples')}
            data={samples.map((_, index) => ({ value: String(index), label: String(index + 1) }))}
            value={selected}
            onChange={setSelected}
          />
        )
      }
    >
      <Stack gap="sm">
        <CustomerLink id={sample.customerId} />
        <MessagePhone text={sample.text} />
      </Stack>
    </Card>
  )
}

/** Notice that recipients have not opted in, because a utility template does not need it. */
export const OptInNotice = ({ count }: { count: number }) => {
  const t = useTranslate()
  return (
    <Alert color="yellow" variant="light" p="sm" mt="sm" icon={<ExclamationTriangleIcon width={16} />}>
      <Text size="sm">{t('campaigns.withoutOptIn', { count })}</Text>
    </Alert>
  )
}

/** Link to a customer, labelled with the name once it is loaded. */
export const CustomerLink = ({ id }: { id: string }) => (
  <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={recordPath('customer', id)!} />}>
    <CustomerName id={id} />
  </Anchor>
)
