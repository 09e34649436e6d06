import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { recordPath } from '../../shell/paths.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Panel.tsx'
import { CustomerName } from '../customers/CustomerName.tsx'
import styles from './campaigns.module.css'
import type { Campaign } from './status.ts'
import { useReasonText } from './useReason.ts'

/** Queries what the campaign would send now, for its saved version. */
export const usePreview = (campaign: Campaign, enabled: boolean) =>
  hooks.useQuery('post', '/v1/campaigns/{id}/preview', { params: { path: { id: campaign.id } } }, { enabled })

export const countRecipients = ({ audience, skipped }: { audience: number; skipped: Record<string, number> }): number =>
  audience - Object.values(skipped).reduce((sum, count) => sum + count, 0)

/** Preview of a campaign: the number of recipients, the skipped customers by reason, and three sample messages. */
export const Preview = ({ campaign, dirty }: { campaign: Campaign; dirty: boolean }) => {
  const t = useTranslate()
  const number = useNumbers()
  const reason = useReasonText()
  const query = usePreview(campaign, true)
  const preview = query.data
  const skippedByReason = Object.entries((preview?.skipped ?? {}) as Record<string, number>).sort(
    ([, a], [, b]) => b - a,
  )
  return (
    <div className={styles.preview} aria-live="polite">
      {dirty && <Text size="sm">{t('campaigns.previewDirty')}</Text>}
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {!preview && !query.error && <Skeleton height={180} mt="md" aria-label={t('campaigns.previewing')} />}
      {preview && (
        <>
          <Section title={t('campaigns.preview')}>
            <Text size="lg" fw={600} className="tabular">
              {t('campaigns.recipientCount', { count: countRecipients(preview as ReasonCount) })}
            </Text>
            <Text size="sm" c="dimmed">
              {t('campaigns.audienceCount', { count: preview.audience })}
            </Text>
            {preview.partial && <Text size="sm">{t('campaigns.partial')}</Text>}
          </Section>
          <Section title={t('campaigns.excluded')}>
            {skippedByReason.length === 0 && <Text size="sm">{t('campaigns.excludedNone')}</Text>}
            <dl className={styles.counts}>
              {skippedByReason.map(([code, count]) => (
                <div key={code}>
                  <dt>{reason(code)}</dt>
                  <dd className="tabular">{number(count)}</dd>
                </div>
              ))}
            </dl>
          </Section>
          {preview.samples.length > 0 && (
            <Section title={t('campaigns.samples')}>
              <Stack gap="sm">
                {preview.samples.map(({ customerId, text }) => (
                  <div key={customerId}>
                    <CustomerLink id={customerId} />
                    <div className={styles.bubble} dir="auto">
                      {text}
                    </div>
                  </div>
                ))}
              </Stack>
            </Section>
          )}
        </>
      )}
    </div>
  )
}

interface ReasonCount {
  audience: number
  skipped: Record<string, number>
}

/** Link to a customer, labelled with the name once it is loaded. */
export const CustomerLink = ({ id }: { id: string }) => (
  <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={recordPath('customer', id)!} />}>
    <CustomerName id={id} />
  </Anchor>
)
