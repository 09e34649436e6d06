/** Creates and publishes a workflow from a starting point, with the template and the channel that it needs. */
import { api, type Schemas } from '../../../api/client.ts'
import type { TextId } from '../../../texts/index.tsx'
import type { Workflow } from '../definition/types.ts'
import type { StartingPoint } from './starting-points.ts'

type Translate = (id: TextId, values?: Record<string, string>) => string

export const createFrom = async (point: StartingPoint, t: Translate): Promise<Workflow | undefined> => {
  await requireChannel(t)
  const definition = point.define(await findOrCreateTemplate(point, t), t)
  const name = await findFreeName(t(`workflows.gallery.${point.key}`))
  const { data: draft } = await api.POST('/v1/workflows', { body: { name, definition } })
  if (!draft) return
  return publish(draft.id)
}

/** Adds a number to the name if a workflow has it. */
const findFreeName = async (name: string): Promise<string> => {
  const { data } = await api.GET('/v1/workflows', { params: { query: { q: name, limit: 100 } } })
  const names = new Set(data?.data.map(workflow => workflow.name))
  let freeName = name
  for (let number = 2; names.has(freeName); number++) freeName = `${name} ${number}`
  return freeName
}

/**
 * The definition is complete, so that the person only turns it on. It stays off until then. Deletes the draft if it is
 * rejected, so that another attempt does not create a second one.
 */
const publish = async (id: string): Promise<Workflow | undefined> => {
  const params = { path: { id } }
  try {
    const { data } = await api.POST('/v1/workflows/{id}/publish', { params, body: {} })
    return data
  } catch (error) {
    // The person sees why publishing failed, whether or not the draft could be deleted.
    await api.DELETE('/v1/workflows/{id}', { params }).catch(() => {})
    throw error
  }
}

/** Connects a sandbox if the workspace has no connected channel. */
const requireChannel = async (t: Translate): Promise<void> => {
  const { data } = await api.GET('/v1/channels', { params: { query: { limit: 100 } } })
  if (data?.data.every(({ status }) => status === 'disconnected'))
    await api.POST('/v1/channels', { body: { kind: 'sandbox', name: t('workflows.gallery.channel') } })
}

/** Uses a template that an earlier workflow from the same starting point created. */
const findOrCreateTemplate = async ({ key, template }: StartingPoint, t: Translate): Promise<string> => {
  const placeholders = Object.fromEntries(template.variables.map(({ name }) => [name, `{{${name}}}`]))
  const body: Schemas['CreateTemplate'] = {
    ...template,
    name: t(`workflows.gallery.${key}.template`),
    body: t(`workflows.gallery.${key}.body`, placeholders),
  }
  const { data: templates } = await api.GET('/v1/templates', { params: { query: { limit: 100 } } })
  const existing = templates?.data.find(one => one.name === body.name && one.body === body.body)
  if (existing) return existing.id
  const { data: created } = await api.POST('/v1/templates', { body })
  return created?.id ?? ''
}
