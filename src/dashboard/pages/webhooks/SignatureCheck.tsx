import { Button, PasswordInput, Stack, Text, Textarea, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { OwnersOnly } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { DateTimeField } from '../../ui/form/DateTimeField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { Id } from '../../ui/Id.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time, useDuration } from '../../ui/Time.tsx'
import { useZone } from '../../ui/zone.ts'
import { parseHeaders } from './parse-headers.ts'
import { useWebhookCrumbs } from './useWebhookCrumbs.ts'
import styles from './webhooks.module.css'

const route = getRouteApi('/signed/webhooks/doctor')

const headersExample = 'X-Service-Signature: t=1772357402,v1=5257a869…'
const bodyExample = '{"id":"01981b7e…","type":"message.received","data":{…}}'

/**
 * Signature check: explains why a signature is invalid, from what the receiver got. Opened from a delivery, all fields
 * except the secret are filled in.
 */
export const SignatureCheck = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  return (
    <Page title={t('webhooks.signatureCheckTitle')} text={t('webhooks.signatureCheckText')} crumbs={useWebhookCrumbs()}>
      <Body>{isOwner ? <SignatureForm /> : <OwnersOnly what={t('webhooks.title')} list={{ to: '/webhooks' }} />}</Body>
    </Page>
  )
}

const SignatureForm = () => {
  const t = useTranslate()
  const zone = useZone()
  const verify = hooks.useMutation('post', '/v1/webhooks/verify')
  const { form, submit, busy, failure } = useApiForm({
    draft: 'signature-check',
    initial: { secret: '', headers: '', body: '', at: null as string | null },
    secrets: ['secret'],
    isKept: true,
    validate: { secret: secret => (secret === '' ? t('webhooks.signatureCheckSecretMissing') : null) },
    onSubmit: ({ secret, headers, body, at }) =>
      verify.mutateAsync({ body: { secret, headers: parseHeaders(headers), body, ...(at !== null && { at }) } }),
  })
  useFromDelivery(({ request, lastAttemptAt }) => {
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
    form.setValues({ headers: headers.join('\n'), body: request.body, at: lastAttemptAt })
  })
  return (
    <div className={styles.signatureCheck}>
      <Card>
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <PasswordInput
              className={styles.mono}
              label={t('webhooks.secret')}
              description={t('webhooks.signatureCheckSecretHint')}
              autoComplete="off"
              maxLength={500}
              {...form.getInputProps('secret')}
            />
            <Textarea
              className={styles.mono}
              label={t('webhooks.signatureCheckHeaders')}
              description={t('webhooks.signatureCheckHeadersHint')}
              placeholder={headersExample}
              autosize
              minRows={3}
              maxRows={12}
              {...form.getInputProps('headers')}
            />
            <Textarea
              className={styles.mono}
              label={t('webhooks.signatureCheckBody')}
              description={t('webhooks.signatureCheckBodyHint')}
              placeholder={bodyExample}
              autosize
              minRows={6}
              maxRows={20}
              maxLength={131072}
              {...form.getInputProps('body')}
            />
            <DateTimeField
              label={t('webhooks.signatureCheckAt')}
              description={t('webhooks.signatureCheckAtHint', { zone })}
              placeholder={t('webhooks.signatureCheckAtNow')}
              error={form.errors.at}
              value={form.values.at}
              onChange={at => form.setFieldValue('at', at)}
            />
            {failure !== null && <Failure error={failure} />}
            <div>
              <Button type="submit" loading={busy}>
                {t('webhooks.checkSignature')}
              </Button>
            </div>
          </Stack>
        </form>
      </Card>
      <div aria-live="polite">
        <Card title={t('webhooks.checkResult')}>
          {verify.data ? (
            <VerificationResult verification={verify.data} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('webhooks.checkResultNone')}
            </Text>
          )}
        </Card>
      </div>
    </div>
  )
}

/** Fills the form once from the delivery in the address. */
const useFromDelivery = (onLoaded: (delivery: Schemas['DeliveryDetail']) => void) => {
  const { webhook = '', delivery = '' } = route.useSearch()
  const query = hooks.useQuery(
    'get',
    '/v1/webhooks/{id}/deliveries/{deliveryId}',
    { params: { path: { id: webhook, deliveryId: delivery } } },
    { enabled: delivery !== '' },
  )
  const id = query.data?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per delivery, so that typed text is kept.
  useEffect(() => {
    if (query.data) onLoaded(query.data)
  }, [id])
}

const VerificationResult = ({ verification: { valid, checks } }: { verification: Schemas['Verification'] }) => {
  const t = useTranslate()
  return (
    <Stack gap="lg">
      <Stack gap="md">
        <Status tone={valid ? 'done' : 'failed'}>
          {valid ? t('webhooks.signatureValid') : t('webhooks.signatureInvalid')}
        </Status>
        {valid && <Text size="sm">{t('webhooks.signatureValidText')}</Text>}
      </Stack>
      {checks.map(check => (
        <CheckResult key={check.scheme} check={check} hasOthers={checks.length > 1} />
      ))}
    </Stack>
  )
}

/** Result for the headers of one scheme. Its own status is shown beside other schemes only. */
const CheckResult = ({ check, hasOthers }: { check: Schemas['SignatureSchemeCheck']; hasOthers: boolean }) => {
  const t = useTranslate()
  const duration = useDuration()
  const { scheme, valid, problems, timestamp, secondsOff, matched, expected } = check
  return (
    <Stack gap="md">
      <Title order={3} size="h4">
        {t(`webhooks.scheme.${scheme}`)}
      </Title>
      {hasOthers && (
        <Status tone={valid ? 'done' : 'failed'}>
          {valid ? t('webhooks.checkValid') : t('webhooks.checkInvalid')}
        </Status>
      )}
      {problems.length > 0 && (
        <ol className={styles.bullets}>
          {problems.map(({ code, message }) => (
            <li key={code}>
              <Text size="sm">{message}</Text>
              <code className={styles.code}>{code}</code>
            </li>
          ))}
        </ol>
      )}
      <Facts
        items={{
          [t('webhooks.signedAt')]:
            timestamp !== null && isValidTime(timestamp) ? (
              <Time at={new Date(timestamp * 1000).toISOString()} exact />
            ) : null,
          [t('webhooks.timeDifference')]: secondsOff === null ? null : duration(Math.abs(secondsOff) * 1000),
          [t('webhooks.matched')]: matched,
          [t('webhooks.expected')]: expected && <Id value={expected} full />,
        }}
      />
    </Stack>
  )
}

/** Rejects timestamps outside the range of `Date`, because the header can contain any number. */
const isValidTime = (seconds: number): boolean => Math.abs(seconds) < 8.64e12
