import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useLayoutEffect, useState } from 'react'
import { Failure as ApiFailure, api, hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { toRequestBody, useForm } from './form.ts'
import { Preview } from './Preview.tsx'
import { TemplateFields } from './TemplateFields.tsx'
import styles from './templates.module.css'
import { Usage } from './Usage.tsx'

type Template = Schemas['Template']

export const NewTemplate = () => <Editor template={null} />

/** Template page: the text, a preview, and the workflows and campaigns that use it. */
export const TemplatePage = () => {
  const t = useTranslate()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/templates/{id}', { params: { path: { id } } })
  if (query.data) return <Editor key={id} template={query.data} />
  return (
    <Page title={t('templates.id')}>
      <Body>
        {query.error ? (
          <Failure error={query.error} retry={() => void query.refetch()} />
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
  const form = useForm(template)
  const { value: values, dirty } = form
  const { save, busy, failure } = useSave(template, form)
  const [isRemoving, setIsRemoving] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const hasConflict = template !== null && dirty && values.baseUpdatedAt !== template.updatedAt
  return (
    <Page
      title={template?.name ?? t('templates.new')}
      text={dirty && template ? t('templates.unsaved') : ''}
      readOnly={!isOwner}
      actions={
        <>
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/templates" />}>
            {t('templates.back')}
          </Anchor>
          {isOwner && template && (
            <Button variant="default" onClick={() => setIsRemoving(true)}>
              {t('templates.remove')}
            </Button>
          )}
        </>
      }
    >
      <Body>
        <div className={styles.columns}>
          <form onSubmit={submit} aria-label={template?.name ?? t('templates.new')}>
            <Stack gap="md">
              <TemplateFields
                form={form}
                readOnly={!isOwner}
                faults={failure instanceof ApiFailure ? failure.details : {}}
              />
              {hasConflict && (
                <Alert color="gray" title={t('templates.conflict')}>
                  <Stack gap="sm" align="flex-start">
                    <Text size="sm">{t('templates.conflictText')}</Text>
                    <Button variant="default" onClick={form.clear}>
                      {t('templates.discardMine')}
                    </Button>
                  </Stack>
                </Alert>
              )}
              {failure !== null && <Failure error={failure} />}
              {isOwner && (
                <Group gap="sm">
                  <Button type="submit" loading={busy} disabled={template !== null && !dirty}>
                    {t(template ? 'templates.save' : 'templates.create')}
                  </Button>
                  {dirty && (
                    <Button variant="default" onClick={form.clear}>
                      {t('templates.discard')}
                    </Button>
                  )}
                </Group>
              )}
            </Stack>
          </form>
          <div>
            <Preview template={template} typed={values} dirty={dirty} />
            {template && <Usage id={template.id} />}
          </div>
        </div>
        {template && <Remove template={template} opened={isRemoving} onClose={() => setIsRemoving(false)} />}
      </Body>
    </Page>
  )
}

const useSave = (template: Template | null, form: ReturnType<typeof useForm>) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  // Clears the draft only when the saved template is shown. Clearing it earlier would preview the old version.
  const [saved, setSaved] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (saved === null || saved !== template?.updatedAt) return
    setSaved(null)
    form.clear()
  })
  const save = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const body = toRequestBody(form.value)
      const { data } = template
        ? await api.PATCH('/v1/templates/{id}', { params: { path: { id: template.id } }, body })
        : await api.POST('/v1/templates', { body })
      const saved = data!
      const one = hooks.queryOptions('get', '/v1/templates/{id}', { params: { path: { id: saved.id } } })
      queries.setQueryData(one.queryKey, saved)
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/templates/{id}/preview' })
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/templates' })
      if (template) setSaved(saved.updatedAt)
      else form.clear()
      notify(t(template ? 'templates.saved' : 'templates.created', { name: saved.name }))
      if (!template) void navigate({ to: '/templates/$id', params: { id: saved.id }, replace: true })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { save, busy, failure }
}

const Remove = ({ template, opened, onClose }: { template: Template; opened: boolean; onClose: () => void }) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = async () => {
    await api.DELETE('/v1/templates/{id}', { params: { path: { id: template.id } } })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/templates' })
    notify(t('templates.removed', { name: template.name }))
    void navigate({ to: '/templates' })
  }
  return (
    <Confirm
      opened={opened}
      title={t('templates.removeTitle', { name: template.name })}
      action={t('templates.removeAction')}
      onClose={onClose}
      onConfirm={remove}
    >
      {t('templates.removeText')}
    </Confirm>
  )
}
