import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/Json.tsx'
import { Body } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { Subscribed } from './Webhooks.tsx'
import styles from './webhooks.module.css'

/** Settings of an endpoint. */
export const Settings = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const say = useTexts()
  const numbers = useNumbers()
  const isOwner = useIsOwner()
  const notes = Object.entries(webhook.metadata)
  return (
    <Body>
      <div className={styles.form}>
        <Section
          title={say('webhooks.settings')}
          actions={
            isOwner && (
              <Button
                variant="default"
                renderRoot={(props: object) => <Link {...props} to="/webhooks/$id/edit" params={{ id: webhook.id }} />}
              >
                {say('webhooks.edit')}
              </Button>
            )
          }
        >
          <Facts
            of={{
              [say('webhooks.url')]: <span className={styles.url}>{webhook.url}</span>,
              [say('webhooks.name')]: webhook.name,
              [say('webhooks.description')]: webhook.description,
              [say('webhooks.events')]: (
                <span className={styles.chips}>
                  <Subscribed to={webhook.events} />
                </span>
              ),
              [say('webhooks.rate')]: webhook.ratePerSecond
                ? say('webhooks.rateOf', { count: webhook.ratePerSecond, shown: numbers(webhook.ratePerSecond) })
                : say('webhooks.rateNone'),
              [say('webhooks.concurrency')]: webhook.maxConcurrency
                ? numbers(webhook.maxConcurrency)
                : say('webhooks.rateNone'),
              [say('webhooks.headers')]: webhook.headers.length > 0 ? webhook.headers.join(', ') : null,
              [say('webhooks.id')]: <Id value={webhook.id} whole />,
              [say('webhooks.created')]: <Time at={webhook.createdAt} exact />,
              [say('webhooks.updated')]: <Time at={webhook.updatedAt} exact />,
            }}
          />
        </Section>
        {notes.length > 0 && (
          <Section title={say('webhooks.metadata')}>
            <Facts of={Object.fromEntries(notes)} />
          </Section>
        )}
        {webhook.filter && (
          <Section title={say('webhooks.filter')}>
            <Text size="sm" mb="sm">
              {say('webhooks.filterText')}
            </Text>
            <Json value={webhook.filter} label={say('webhooks.filter')} />
          </Section>
        )}
      </div>
    </Body>
  )
}
