import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/json/Json.tsx'
import { Body } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { RotateSecret } from './form/RotateSecret.tsx'
import { SubscribedEvents } from './SubscribedEvents.tsx'
import styles from './webhooks.module.css'

/** Settings of an endpoint. */
export const Settings = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const isOwner = useIsOwner()
  const [isRotating, setIsRotating] = useState(false)
  const metadata = Object.entries(webhook.metadata)
  return (
    <Body>
      <div className={styles.form}>
        <Section
          title={t('webhooks.configuration')}
          actions={
            isOwner && (
              <Button
                variant="default"
                renderRoot={(props: object) => <Link {...props} to="/webhooks/$id/edit" params={{ id: webhook.id }} />}
              >
                {t('webhooks.edit')}
              </Button>
            )
          }
        >
          <Facts
            items={{
              [t('webhooks.url')]: <span className={styles.url}>{webhook.url}</span>,
              [t('webhooks.name')]: webhook.name,
              [t('webhooks.description')]: webhook.description,
              [t('webhooks.events')]: (
                <span className={styles.chips}>
                  <SubscribedEvents events={webhook.events} />
                </span>
              ),
              [t('webhooks.rate')]: webhook.ratePerSecond
                ? t('webhooks.rateOf', { count: webhook.ratePerSecond, shown: numbers(webhook.ratePerSecond) })
                : t('webhooks.rateNone'),
              [t('webhooks.concurrency')]: webhook.maxConcurrency
                ? numbers(webhook.maxConcurrency)
                : t('webhooks.concurrencyAutomatic'),
              [t('webhooks.secret')]: (
                <span className={styles.secret}>
                  <span>
                    <code>whsec_…</code> {t('webhooks.secretHidden')}
                  </span>
                  {isOwner && (
                    <Button variant="default" size="compact-xs" onClick={() => setIsRotating(true)}>
                      {t('webhooks.rotate')}
                    </Button>
                  )}
                </span>
              ),
              [t('webhooks.headers')]: webhook.headers.length > 0 ? webhook.headers.join(', ') : null,
              [t('webhooks.id')]: <Id value={webhook.id} full />,
              [t('webhooks.created')]: <Time at={webhook.createdAt} exact />,
              [t('webhooks.updated')]: <Time at={webhook.updatedAt} exact />,
            }}
          />
        </Section>
        {metadata.length > 0 && (
          <Section title={t('webhooks.metadata')}>
            <Facts items={Object.fromEntries(metadata)} />
          </Section>
        )}
        {webhook.filter && (
          <Section title={t('webhooks.filter')}>
            <Text size="sm" mb="sm">
              {t('webhooks.filterText')}
            </Text>
            <Json value={webhook.filter} label={t('webhooks.filter')} />
          </Section>
        )}
      </div>
      <RotateSecret webhook={webhook} opened={isRotating} onClose={() => setIsRotating(false)} />
    </Body>
  )
}
