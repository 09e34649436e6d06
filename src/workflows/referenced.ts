/** Finds the channels and templates of a workspace that a definition references. */
import type { Ctx } from '../core/context.ts'
import { findTemplates } from '../messaging/templates/index.ts'
import { findChannels } from './sql.ts'
import type { Reference } from './steps/index.ts'
import type { ReferencedRecords } from './validate.ts'

export const findReferencedRecords = async (
  { sql, caller }: Pick<Ctx, 'sql' | 'caller'>,
  references: Reference[],
): Promise<ReferencedRecords> => {
  const idsOf = (wantedKind: Reference['kind']) =>
    references.flatMap(({ kind, id }) => (kind === wantedKind ? [id] : []))
  const [channelIds, templateIds] = [idsOf('channel'), idsOf('template')]
  const channels = channelIds.length === 0 ? [] : await findChannels(sql, caller.workspaceId, channelIds)
  const templates = templateIds.length === 0 ? [] : await findTemplates(sql, caller.workspaceId, templateIds)
  return { channelIds: channels.map(({ id }) => id), templates }
}
