import { Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { DocumentTextIcon } from '../../ui/icons.ts'
import { Body, Page } from '../../ui/Page.tsx'
import { CheckBadgeIcon, PlusIcon } from '../../ui/page-icons.ts'
import { Time } from '../../ui/Time.tsx'
import { fillPlaceholders } from './body.ts'
import { categoryIcons } from './category.ts'
import { MessageSnippet } from './MessagePhone.tsx'
import styles from './templates.module.css'
import { useUsage } from './Usage.tsx'

type Row = Schemas['Template']

const skeletonCards = 6

/** Templates page: reusable message texts, as cards with a preview. */
export const Templates = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const query = hooks.useInfiniteQuery('get', '/v1/templates', listParams({}), cursorPagination)
  const { rows, failure, retry, loadMore, loadingMore } = toRows<Row>(query)
  const usage = useUsage()
  const createButton = isOwner && (
    <Button
      leftSection={<PlusIcon width={14} />}
      renderRoot={(props: object) => <Link {...props} to="/templates/new" />}
    >
      {t('templates.new')}
    </Button>
  )
  const isEmpty = rows?.length === 0
  return (
    <Page
      title={t('templates.title')}
      text={t('templates.text')}
      readOnly={!isOwner}
      actions={isEmpty ? undefined : createButton}
    >
      <Body>
        {isEmpty && (
          <Empty
            title={t('templates.emptyTitle')}
            text={t('templates.emptyText')}
            icon={DocumentTextIcon}
            docs="/docs/campaigns"
            example={
              <div className={styles.example}>
                <MessageSnippet text={t('templates.example')} />
              </div>
            }
          >
            {createButton}
          </Empty>
        )}
        {failure && !rows ? <Failure error={failure} retry={retry} /> : null}
        {!isEmpty && (rows || !failure) && (
          <ul className={styles.cards} aria-label={t('templates.title')} aria-busy={!rows}>
            {rows?.map(row => <TemplateCard key={row.id} template={row} usage={usage?.(row.id)} />) ??
              Array.from({ length: skeletonCards }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical.
                <li key={index}>
                  <Skeleton height={232} />
                </li>
              ))}
          </ul>
        )}
        {loadMore && (
          <Button variant="default" mt="md" loading={loadingMore} onClick={loadMore}>
            {t('list.more')}
          </Button>
        )}
      </Body>
    </Page>
  )
}

const TemplateCard = ({
  template: { id, name, category, body, variables, provider, updatedAt },
  usage,
}: {
  template: Row
  usage: { workflows: unknown[]; campaigns: unknown[] } | undefined
}) => {
  const t = useTranslate()
  const Icon = categoryIcons[category]
  const samples = Object.fromEntries(variables.map(({ name, sample }) => [name, sample]))
  return (
    <li className={styles.card}>
      <MessageSnippet text={fillPlaceholders(body.slice(0, 400), samples)} />
      <div className={styles.cardBody}>
        <Link className={styles.cardLink} to="/templates/$id" params={{ id }}>
          <bdi>{name}</bdi>
        </Link>
        <div className={styles.facts}>
          <span className={styles.fact}>
            <Icon width={14} aria-hidden="true" />
            {t(`templates.category.${category}`)}
          </span>
          <span className={styles.fact} data-tone={provider ? 'done' : 'off'}>
            {provider && <CheckBadgeIcon width={14} aria-hidden="true" />}
            {provider ? t('templates.approvedAs', { language: provider.language }) : t('templates.noApproval')}
          </span>
        </div>
        <div className={styles.facts}>
          <span>
            {usage && t('templates.usedBy', { workflows: usage.workflows.length, campaigns: usage.campaigns.length })}
          </span>
          <Time at={updatedAt} />
        </div>
      </div>
    </li>
  )
}
