import { Alert, Anchor, Button, SegmentedControl, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Failure as ApiFailure, type Schemas } from '../../api/client.ts'
import { recordLink } from '../../shell/paths.ts'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { BarTable } from '../../ui/charts/BarTable.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { ExclamationTriangleIcon, PaperAirplaneIcon } from '../../ui/icons.ts'
import { CustomerName } from '../customers/CustomerName.tsx'
import { fillPlaceholders } from '../templates/body.ts'
import { MessagePhone } from '../templates/MessagePhone.tsx'
import styles from './campaigns.module.css'
import { useChoices } from './choices.ts'
import type { CampaignForm, Form } from './form.ts'
import type { Campaign } from './status.ts'
import { TestDialog } from './TestDialog.tsx'
import { countRecipients, findMissing, useFormPreview, usePreview } from './usePreview.ts'
import { useReasonText } from './useReason.ts'

type PreviewData = Schemas['CampaignPreview']
type Template = Schemas['Template']

/**
 * Preview of a campaign, also before it is saved: the number of recipients, the skipped customers by reason, and sample
 * messages. A saved campaign can be sent to one customer as a test.
 */
export const Preview = ({ campaign, form }: { campaign: Campaign | null; form: Form }) => {
  const t = useTranslate()
  const query = useFormPreview(campaign, form)
  const { templates } = useChoices()
  const [isTesting, setIsTesting] = useState(false)
  const preview = query?.data
  const error = query?.error
  const { values } = form.form
  const template = templates?.find(({ id }) => id === values.templateId)
  const missingTexts = findMissing(values, template)
  const missing = template?.variables.filter(({ name }) => !values.variables[name]?.trim()) ?? []
  const test = campaign && (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<PaperAirplaneIcon width={14} />}
        disabled={form.dirty}
        onClick={() => setIsTesting(true)}
      >
        {t('campaigns.test')}
      </Button>
      {form.dirty && (
        <Text size="xs" c="dimmed">
          {t('campaigns.test.dirty')}
        </Text>
      )}
      {isTesting && <TestDialog campaign={campaign} onClose={() => setIsTesting(false)} />}
    </>
  )
  return (
    <div className={styles.stack} aria-live="polite">
      <Card title={t('campaigns.preview')}>
        {!query && missingTexts.length > 0 && (
          <>
            <Text size="sm">{t('campaigns.previewMissing')}</Text>
            <ul className={styles.bullets}>
              {missingTexts.map(id => (
                <li key={id}>{t(id)}</li>
              ))}
            </ul>
          </>
        )}
        {error && isInvalid(error) && <Text size="sm">{error.message}</Text>}
        {error && !isInvalid(error) && <Failure error={error} retry={() => void query?.refetch()} />}
        {(query || missingTexts.length === 0) && !preview && !error && (
          <>
            <VisuallyHidden>{t('campaigns.previewing')}</VisuallyHidden>
            <Skeleton height={64} />
          </>
        )}
        {preview && !error && <Audience preview={preview} />}
      </Card>
      {preview && !error && preview.samples.length > 0 ? (
        <Samples samples={preview.samples}>
          <Examples of={missing} />
          {test}
        </Samples>
      ) : (
        <TypedMessage values={values} template={template}>
          {test}
        </TypedMessage>
      )}
    </div>
  )
}

/** Returns whether the values in the form have an error, which the form shows once they are saved. */
const isInvalid = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && (error.status === 400 || error.status === 422)

const Audience = ({ preview }: { preview: PreviewData }) => {
  const t = useTranslate()
  const reason = useReasonText()
  const { audience, skipped, withoutOptIn, partial } = preview
  const skippedByReason = Object.entries(skipped).sort(([, a], [, b]) => b - a)
  const count = countRecipients(preview)
  return (
    <>
      <p className={styles.headline}>
        {t(partial ? 'campaigns.recipientsAtLeast' : 'campaigns.recipientCount', { count })}
      </p>
      <Text size="sm" c="dimmed">
        {t(partial ? 'campaigns.audienceAtLeast' : 'campaigns.audienceCount', { count: audience })}
      </Text>
      {partial && <Text size="sm">{t('campaigns.partial')}</Text>}
      {withoutOptIn > 0 && <OptInNotice count={withoutOptIn} />}
      {skippedByReason.length > 0 && (
        <>
          <Text size="sm" fw={500} mt="md" mb={4}>
            {t('campaigns.willSkip')}
          </Text>
          <BarTable
            title={t('campaigns.willSkip')}
            total={audience}
            bars={skippedByReason.map(([code, value]) => ({
              key: code,
              label: reason(code),
              value,
              tone: 'off',
            }))}
          />
        </>
      )}
    </>
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
const Samples = ({ samples, children }: { samples: PreviewData['samples']; children: ReactNode }) => {
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
        <Text size="sm">
          <Sentence id="campaigns.shownFor" values={{ customer: <CustomerLink id={sample.customerId} /> }} />
        </Text>
        <MessagePhone text={sample.text} />
        {children}
      </Stack>
    </Card>
  )
}

/** Says which variables are shown as the samples of the template. */
const Examples = ({ of: variables }: { of: Template['variables'] }) => {
  const t = useTranslate()
  if (variables.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {t('campaigns.examples', { names: variables.map(({ name }) => name).join(', ') })}
    </Text>
  )
}

/** The message as a customer sees it. Values with customer data are shown as the samples of the template. */
const TypedMessage = ({
  values,
  template,
  children,
}: {
  values: CampaignForm
  template: Template | undefined
  children: ReactNode
}) => {
  const t = useTranslate()
  const variables = template?.variables ?? []
  const typed = (name: string) => values.variables[name] ?? ''
  const examples = variables.filter(({ name }) => typed(name).trim() === '' || typed(name).includes('{{'))
  const shown = variables.map(one => [one.name, examples.includes(one) ? one.sample : typed(one.name)])
  return (
    <Card title={t('campaigns.typedMessage')}>
      <Stack gap="sm">
        <MessagePhone
          text={fillPlaceholders(template?.body ?? '', Object.fromEntries(shown))}
          placeholder={t('campaigns.typedMessageEmpty')}
        />
        <Examples of={examples} />
        {children}
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
  <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...recordLink('customer', id)} />}>
    <CustomerName id={id} />
  </Anchor>
)
