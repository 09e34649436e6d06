import { invalidRequest } from '../errors.ts'
import { verb } from '../verb.ts'
import { type ChangeWorkspace, type Workspace, zoneWanted } from './schema.ts'
import { findWorkspace, type OwnWorkspaceRow, updateWorkspace } from './sql.ts'

/** The workspace that the caller is in. */
export const readWorkspace = verb(
  { by: 'member' },
  async ({ sql, caller }): Promise<Workspace> => shape(await findWorkspace(sql, caller.workspaceId)),
)

/** Changes what is given. What waits for a time of day already keeps the moment that was found for it. */
export const changeWorkspace = verb(
  { by: 'owner' },
  async ({ sql, caller }, { name, timezone }: ChangeWorkspace): Promise<Workspace> =>
    shape(
      await updateWorkspace(sql, {
        workspaceId: caller.workspaceId,
        name: name ?? null,
        timezone: timezone === undefined ? null : zoneNamed(timezone),
      }),
    ),
)

/** As it is spelt, however it was typed. A runtime may know a zone by another of its names; then the one given stays. */
const zoneNamed = (given: string): string => {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions()
    return timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given
  } catch {
    throw invalidRequest({ timezone: zoneWanted })
  }
}

const shape = (row: OwnWorkspaceRow): Workspace => ({ ...row, createdAt: row.createdAt.toISOString() })
