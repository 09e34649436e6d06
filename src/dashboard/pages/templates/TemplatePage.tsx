import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { OwnersOnly } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { ConflictNotice } from '../../ui/form/ConflictNotice.tsx'
import formStyles from '../../ui/form/form.module.css'
import { shortName } from '../../ui/formats.ts'
import { Body, type Crumb, Page } from '../../ui/Page.tsx'
import { TrashIcon } from '../../ui/page-icons.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { useTemplateForm } from './form.ts'
import { Preview } from './Preview.tsx'
import { TemplateFields } from './TemplateFields.tsx'
import styles from './templates.module.css'
import { Usage } from './Usage.tsx'

type Template = Schemas['Template']

/** Polling interval in milliseconds, because other people may change the template. */
const pollIntervalMs = 15_000

const route = getRouteApi('/signed/templates/$id')

const useCrumbs = (): Crumb[] => {
  const t = useTranslate()
  return [{ label: t('templates.title'), link: { to: '/templates' } }]
}

/** Form of a new template. */
export const NewTemplate = () => {
  const t = useTranslate()
  const crumbs = useCrumbs()
  if (useIsOwner()) return <Editor template={null} />
  return (
    <Page title={t('templates.new')} crumbs={crumbs}>
      <Body>
        <OwnersOnly what={t('templates.title')} list={{ to: '/templates' }} />
      </Body>
    </Page>
  )
}

/** Template page: the text, a preview, and the workflows and campaigns that use it. */
export const TemplatePage = () => {
  const t = useTranslate()
  const { id } = route.useParams()
  const query = hooks.useQuery(
    'get',
    '/v1/templates/{id}',
    { params: { path: { id } } },
    { refetchInterval: pollIntervalMs },
  )
  const crumbs = useCrumbs()
  if (query.data) return <Editor key={id} template={query.data} />
  return (
    <Page title={t('templates.id')} crumbs={crumbs}>
      <Body>
        {query.error ? (
          <Failure error={query.error} retry={() => void query.refetch()} record={t('templates.id')} list={crumbs[0]} />
        ) : (
          <Skeleton height={320} maw={560} />
        )}
      </Body>
    </Page>
  )
}

const Editor = ({ template }: { template: Template | null }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const { form, submit, reset, busy, failure, dirty, conflict } = useTemplateForm(template)
  const [isRemoving, setIsRemoving] = useState(false)
  return (
    <Page
      title={template?.name ?? t('templates.new')}
      crumbs={useCrumbs()}
      text={dirty && template ? t('templates.unsaved') : ''}
      readOnly={!isOwner}
      actions={
        isOwner &&
        template && (
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            leftSection={<TrashIcon width={16} />}
            onClick={() => setIsRemoving(true)}
          >
            {t('templates.remove')}
          </Button>
        )
      }
    >
      <Body>
        <div className={styles.columns}>
          <Card>
            <form noValidate onSubmit={submit} aria-label={template?.name ?? t('templates.new')}>
              <Stack gap="md">
                <TemplateFields form={form} readOnly={!isOwner} />
                {conflict !== undefined && <ConflictNotice key={conflict} onDiscard={reset} />}
                {failure !== null && <Failure error={failure} />}
                {isOwner && (
                  <Group gap="sm" className={formStyles.formActions}>
                    <Button type="submit" loading={busy}>
                      {t(template ? 'templates.save' : 'templates.create')}
                    </Button>
                    {!template && (
                      <Button variant="default" renderRoot={(props: object) => <Link {...props} to="/templates" />}>
                        {t('confirm.cancel')}
                      </Button>
                    )}
                    {dirty && (
                      <Button variant="default" onClick={reset}>
                        {t('templates.discard')}
                      </Button>
                    )}
                  </Group>
                )}
              </Stack>
            </form>
          </Card>
          <Stack gap="md">
            <Preview template={template} typed={form.values} dirty={dirty} />
            {template && <Usage id={template.id} />}
          </Stack>
        </div>
        {template && <Remove template={template} opened={isRemoving} onClose={() => setIsRemoving(false)} />}
      </Body>
    </Page>
  )
}

const Remove = ({ template, opened, onClose }: { template: Template; opened: boolean; onClose: () => void }) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const invalidate = useInvalidate()
  const remove = async () => {
    await api.DELETE('/v1/templates/{id}', { params: { path: { id: template.id } } })
    void invalidate('/v1/templates')
    notify(t('templates.removed', { name: template.name }))
    void navigate({ to: '/templates' })
  }
  return (
    <Confirm
      opened={opened}
      title={t('templates.removeTitle', { name: shortName(template.name) })}
      action={t('templates.removeAction')}
      onClose={onClose}
      onConfirm={remove}
    >
      {t('templates.removeText')}
    </Confirm>
  )
}
