import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useLayoutEffect, useState } from 'react'
import { Failure as ApiFailure, api, hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { useTell } from '../../ui/told.tsx'
import { contentOf, useForm } from './form.ts'
import { Preview } from './Preview.tsx'
import { TemplateFields } from './TemplateFields.tsx'
import styles from './templates.module.css'
import { Use } from './Use.tsx'

type Template = Schemas['Template']

export const NewTemplate = () => <Editor template={null} />

/** Template page: the text, a preview, and the workflows and campaigns that use it. */
export const TemplatePage = () => {
  const say = useTexts()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/templates/{id}', { params: { path: { id } } })
  if (query.data) return <Editor key={id} template={query.data} />
  return (
    <Page title={say('templates.id')}>
      <Body>
        {query.error ? (
          <Failure of={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton height={320} maw={560} />
        )}
      </Body>
    </Page>
  )
}

const Editor = ({ template }: { template: Template | null }) => {
  const say = useTexts()
  const owner = useIsOwner()
  const form = useForm(template)
  const { value: typed, dirty } = form
  const { save, busy, failure } = useSave(template, form)
  const [removing, setRemoving] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const isElsewhere = template !== null && dirty && typed.over !== template.updatedAt
  return (
    <Page
      title={template?.name ?? say('templates.new')}
      text={dirty && template ? say('templates.unsaved') : ''}
      readOnly={!owner}
      actions={
        <>
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/templates" />}>
            {say('templates.back')}
          </Anchor>
          {owner && template && (
            <Button variant="default" onClick={() => setRemoving(true)}>
              {say('templates.remove')}
            </Button>
          )}
        </>
      }
    >
      <Body>
        <div className={styles.columns}>
          <form onSubmit={submit} aria-label={template?.name ?? say('templates.new')}>
            <Stack gap="md">
              <TemplateFields
                form={form}
                readOnly={!owner}
                faults={failure instanceof ApiFailure ? failure.details : {}}
              />
              {isElsewhere && (
                <Alert color="gray" title={say('templates.elsewhere')}>
                  <Stack gap="sm" align="flex-start">
                    <Text size="sm">{say('templates.elsewhereText')}</Text>
                    <Button variant="default" onClick={form.clear}>
                      {say('templates.showTheirs')}
                    </Button>
                  </Stack>
                </Alert>
              )}
              {failure !== null && <Failure of={failure} />}
              {owner && (
                <Group gap="sm">
                  <Button type="submit" loading={busy} disabled={template !== null && !dirty}>
                    {say(template ? 'templates.save' : 'templates.create')}
                  </Button>
                  {dirty && (
                    <Button variant="default" onClick={form.clear}>
                      {say('templates.discard')}
                    </Button>
                  )}
                </Group>
              )}
            </Stack>
          </form>
          <div>
            <Preview template={template} typed={typed} dirty={dirty} />
            {template && <Use id={template.id} />}
          </div>
        </div>
        {template && <Remove template={template} opened={removing} onClose={() => setRemoving(false)} />}
      </Body>
    </Page>
  )
}

const useSave = (template: Template | null, form: ReturnType<typeof useForm>) => {
  const say = useTexts()
  const tell = useTell()
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
      const body = contentOf(form.value)
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
      tell(say(template ? 'templates.saved' : 'templates.created', { name: saved.name }))
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
  const say = useTexts()
  const tell = useTell()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = async () => {
    await api.DELETE('/v1/templates/{id}', { params: { path: { id: template.id } } })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/templates' })
    tell(say('templates.removed', { name: template.name }))
    void navigate({ to: '/templates' })
  }
  return (
    <Confirm
      opened={opened}
      title={say('templates.removeTitle', { name: template.name })}
      action={say('templates.removeAction')}
      onClose={onClose}
      onConfirm={remove}
    >
      {say('templates.removeText')}
    </Confirm>
  )
}
