import { CopyButton, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { parseJson } from '../../../api/json.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { escapeOverrides } from '../../../texts/isolate.ts'
import { Json } from '../../../ui/json/Json.tsx'
import { Section } from '../../../ui/Panel.tsx'
import { toCurl } from './curl.ts'
import styles from './exchange.module.css'

type Detail = Schemas['DeliveryDetail']
type Attempt = Detail['attemptLog'][number]

/** Response to one of the attempts of a delivery. */
export const AttemptResponse = ({ delivery: { attemptLog }, index }: { delivery: Detail; index: number }) => {
  const t = useTranslate()
  const attempt = attemptLog[index]
  return (
    <Section
      title={
        attempt && attemptLog.length > 1 ? t('webhooks.responseTo', { number: index + 1 }) : t('webhooks.response')
      }
    >
      {attempt ? <Response to={attempt} /> : <Text size="sm">{t('webhooks.noAttempt')}</Text>}
    </Section>
  )
}

/** Request of a delivery, as sent in the last attempt. */
export const DeliveryRequest = ({
  webhookId,
  url,
  delivery,
}: {
  webhookId: string
  /** URL of the endpoint. Undefined until it is loaded. */
  url: string | undefined
  delivery: Detail
}) => {
  const t = useTranslate()
  return (
    <Section
      title={t('webhooks.request')}
      actions={
        <span className={styles.links}>
          {url !== undefined && (
            <CopyButton value={toCurl(url, delivery.request)} timeout={1500}>
              {({ copied, copy }) => (
                <UnstyledButton className={styles.quietLink} onClick={copy}>
                  {copied ? t('id.copied') : t('webhooks.copyCurl')}
                </UnstyledButton>
              )}
            </CopyButton>
          )}
          {delivery.attemptLog.length > 0 && (
            <Link
              className={styles.quietLink}
              to="/webhooks/doctor"
              search={{ webhook: webhookId, delivery: delivery.id }}
            >
              {t('webhooks.checkSignature')}
            </Link>
          )}
        </span>
      }
    >
      {delivery.attemptLog.length > 1 && (
        <Text size="xs" c="dimmed" mb="sm">
          {t('webhooks.requestLast')}
        </Text>
      )}
      <Headers headers={delivery.request.headers} />
      <Content text={delivery.request.body} label={t('webhooks.requestBody')} />
    </Section>
  )
}

const Headers = ({ headers }: { headers: Record<string, string> }) => (
  <dl className={styles.headers}>
    {Object.entries(headers).map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
)

const Response = ({ to: { statusCode, error, responseBody } }: { to: Attempt }) => {
  const t = useTranslate()
  // The status itself says that it is not a success. A redirect needs its reason.
  const isPlainStatus = statusCode !== null && statusCode >= 400
  return (
    <>
      <dl className={styles.headers}>
        <dt>{t('webhooks.status')}</dt>
        <dd>{statusCode === null ? t('webhooks.noAnswer') : String(statusCode)}</dd>
        {error && !isPlainStatus && (
          <>
            <dt>{t('webhooks.error')}</dt>
            <dd>{error}</dd>
          </>
        )}
      </dl>
      {responseBody ? (
        <Content text={responseBody} label={t('webhooks.responseBody')} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('webhooks.noBody')}
        </Text>
      )}
    </>
  )
}

/** Content as formatted JSON if it parses, otherwise as plain text. */
const Content = ({ text, label }: { text: string; label: string }) => {
  const value = tryParseJson(text)
  if (value !== undefined) return <Json value={value} label={label} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
    <section className={styles.raw} tabIndex={0} aria-label={label}>
      <bdi>{escapeOverrides(text)}</bdi>
    </section>
  )
}

const tryParseJson = (text: string): unknown => {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
