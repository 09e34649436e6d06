import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'

type Row = Schemas['Template']

/** Templates page: reusable message texts. */
export const Templates = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const query = hooks.useInfiniteQuery('get', '/v1/templates', listParams({}), cursorPagination)
  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: t('templates.name'),
      width: 'minmax(150px, 1fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/templates/$id" params={{ id: row.id }}>
          <bdi>{row.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'category',
      title: t('templates.category'),
      width: '100px',
      phone: 'end',
      cell: row => t(`templates.category.${row.category}`),
    },
    {
      key: 'body',
      title: t('templates.textLabel'),
      width: 'minmax(180px, 3fr)',
      phone: 'below',
      cell: row => <bdi>{row.body.slice(0, 200)}</bdi>,
    },
    {
      key: 'provider',
      title: t('templates.provider'),
      width: 'minmax(130px, 1fr)',
      wide: true,
      cell: row => (row.provider ? <bdi>{`${row.provider.name} (${row.provider.language})`}</bdi> : '–'),
    },
    {
      key: 'changed',
      title: t('templates.changed'),
      width: '110px',
      phone: 'aside',
      cell: row => <Time at={row.updatedAt} />,
    },
  ]
  const createButton = isOwner && (
    <Button renderRoot={(props: object) => <Link {...props} to="/templates/new" />}>{t('templates.new')}</Button>
  )
  const isEmpty = query.data?.pages[0]?.data.length === 0
  return (
    <Page
      title={t('templates.title')}
      text={t('templates.text')}
      readOnly={!isOwner}
      actions={isEmpty ? undefined : createButton}
    >
      <List
        title={t('templates.title')}
        columns={columns}
        rows={toRows(query)}
        getId={row => row.id}
        open={row => void navigate({ to: '/templates/$id', params: { id: row.id } })}
        empty={
          <Empty title={t('templates.emptyTitle')} text={t('templates.emptyText')}>
            {createButton}
          </Empty>
        }
      />
    </Page>
  )
}
