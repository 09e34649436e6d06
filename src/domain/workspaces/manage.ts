import { zoneNamed } from '../time-zone.ts'
import { verb } from '../verb.ts'
import type { ChangeWorkspace, Workspace } from './schema.ts'
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

const shape = (row: OwnWorkspaceRow): Workspace => ({ ...row, createdAt: row.createdAt.toISOString() })
