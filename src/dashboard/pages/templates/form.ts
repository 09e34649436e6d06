/** Form of a template, whose unsent input is kept while the tab is open. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { toChanges } from '../../ui/hooks/draft.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { isUnclosed, listInvalidPlaceholders, listVariables, type Variable } from './body.ts'

type Template = Schemas['Template']

export interface TemplateForm extends Record<string, unknown> {
  name: string
  category: Template['category']
  body: string
  /**
   * Samples, including those of variables recently removed from the body, so that a restored placeholder keeps its
   * sample.
   */
  variables: Variable[]
  approved: boolean
  provider: { name: string; language: string }
}

const emptyForm: TemplateForm = {
  name: '',
  category: 'utility',
  body: '',
  variables: [],
  approved: false,
  provider: { name: '', language: 'en' },
}

const toFormValues = (template: Template | null): TemplateForm =>
  template === null
    ? emptyForm
    : {
        name: template.name,
        category: template.category,
        body: template.body,
        variables: template.variables,
        approved: template.provider !== null,
        provider: template.provider ?? emptyForm.provider,
      }

const toRequestBody = ({ name, category, body, variables, approved, provider }: TemplateForm) => ({
  name: name.trim(),
  category,
  body,
  variables: listVariables(body, variables).map(({ name, sample }) => ({ name, sample: sample.trim() })),
  provider: approved ? { name: provider.name.trim(), language: provider.language.trim() } : null,
})

/** Returns an error for each field that is empty or invalid, by the path of the field. */
const findErrors = (values: TemplateForm, t: ReturnType<typeof useTranslate>): Record<string, string> => ({
  ...(values.name.trim() === '' && { name: t('templates.missing.name') }),
  ...(values.body.trim() === '' && { body: t('templates.missing.body') }),
  ...Object.fromEntries(
    listVariables(values.body, values.variables).flatMap(({ sample }, index) =>
      sample.trim() === '' ? [[`variables.${index}.sample`, t('templates.missing.sample')]] : [],
    ),
  ),
  ...(values.approved && {
    ...(values.provider.name.trim() === '' && { 'provider.name': t('templates.missing.name') }),
    ...(values.provider.language.trim() === '' && { 'provider.language': t('templates.missing.language') }),
  }),
  ...findBodyError(values.body, t),
})

/** Returns the error of a placeholder that cannot be a variable. */
export const findBodyError = (body: string, t: ReturnType<typeof useTranslate>): { body?: string } => {
  const invalid = listInvalidPlaceholders(body)[0]
  if (isUnclosed(body)) return { body: t('templates.unclosed') }
  return invalid === undefined ? {} : { body: t('templates.invalidVariable', { name: invalid }) }
}

const readTemplate = async (id: string): Promise<Template> =>
  (await api.GET('/v1/templates/{id}', { params: { path: { id } } })).data!

/** Sends only the changed fields, and only if the template still has the version of the form. */
const saveChanges = async (template: Template, body: Schemas['ChangeTemplate']): Promise<Template> => {
  if (Object.keys(body).length === 0) return template
  const params = { path: { id: template.id }, header: { 'If-Match': `"${template.updatedAt}"` } }
  return (await api.PATCH('/v1/templates/{id}', { params, body })).data!
}

/** Form of an existing template, or of a new one. */
export const useTemplateForm = (template: Template | null) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const initial = useMemo(() => toFormValues(template), [template])
  const updateCache = (saved: Template) => {
    const query = hooks.queryOptions('get', '/v1/templates/{id}', { params: { path: { id: saved.id } } })
    // A read that began before the change would bring back the previous record.
    void queries.cancelQueries({ queryKey: query.queryKey })
    queries.setQueryData(query.queryKey, saved)
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/templates/{id}/preview' })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/templates' })
  }
  return useApiForm<TemplateForm>({
    draft: `templates.${template?.id ?? 'new'}`,
    initial,
    record: template && { version: template.updatedAt, read: async () => updateCache(await readTemplate(template.id)) },
    validate: values => findErrors(values, t),
    onSubmit: async values => {
      const body = toRequestBody(values)
      const saved = template
        ? await saveChanges(template, toChanges(toRequestBody(initial), body))
        : (await api.POST('/v1/templates', { body })).data!
      updateCache(saved)
      notify(t(template ? 'templates.saved' : 'templates.created', { name: saved.name }))
      if (!template) void navigate({ to: '/templates/$id', params: { id: saved.id }, replace: true })
    },
  })
}

export type Form = ReturnType<typeof useTemplateForm>['form']
