import type { Sql } from '../../db/client.ts'
import { emailHash } from '../audit/index.ts'
import { audited } from '../audited.ts'
import type { Ctx } from '../context.ts'
import { requireRoom } from '../entitlements/index.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { lockWorkspace } from '../locks.ts'
import { releaseConversations } from '../messages/index.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { admitInvitation } from '../rate-limits/index.ts'
import type { PageQuery } from '../schema.ts'
import { findUser, isMistakable, mistakable } from '../users/index.ts'
import { verb } from '../verb.ts'
import { type InvitationLinks, invite } from './invite.ts'
import type { ChangeMember, InvitedMember, InviteMember, Member } from './schema.ts'
import {
  countOwners,
  deleteMember,
  findMember,
  findMemberByEmail,
  type MemberRow,
  selectMembers,
  updateRole,
} from './sql.ts'

/**
 * Invites a person, who takes a seat immediately. The link is mailed to the person only. Without SMTP, the link is in
 * this response and cannot be read again. An address that is already in the team is a conflict, unless its invitation
 * has expired; then the new invitation replaces it.
 */
export const inviteMember = verb(
  { by: 'owner' },
  (ctx, { email, name, role }: InviteMember, { byMail, linkTo, perDay }: InvitationLinks): Promise<InvitedMember> => {
    if (isMistakable(email)) throw invalidRequest({ email: mistakable })
    const inviteThem = async ({ sql, caller: { workspaceId, id } }: Ctx) => {
      await lockWorkspace(sql, workspaceId)
      const present = await findMemberByEmail(sql, workspaceId, email)
      if (present && !present.expired) throw inTeamAlready(present)
      if (present) await deleteMember(sql, workspaceId, present.id)
      else await requireRoom(sql, workspaceId, 'teamSeats')
      // Runs after the checks that reject the invitation, so that a rejected invitation does not count against the
      // limit.
      if (byMail) await admitInvitation(sql, { workspaceId, email, perWorkspace: perDay })
      const invitedBy = byMail ? (await findUser(sql, id))!.name : null
      const { row, token } = await invite(sql, { workspaceId, email, name: name ?? null, role }, { byMail, invitedBy })
      const expiresAt = row.expiresAt.toISOString()
      return { ...shape(row), invitation: { url: token && linkTo(token), token, mailed: byMail, expiresAt } }
    }
    return audited(ctx, inviteThem, invited => ({
      action: 'inviteMember',
      target: { type: 'member', id: invited.id },
      detail: { role, emailHash: emailHash(email) },
    }))
  },
)

/** Lists the team, newest member first, including pending invitations. */
export const listMembers = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Member>> => {
    const page = pageRequest(query)
    return pageOf(await selectMembers(sql, caller.workspaceId, page), page.limit, shape)
  },
)

/** Changes the role of a member or an invitation. The last owner must stay owner. */
export const changeMember = verb({ by: 'owner' }, async (ctx, id: string, { role }: ChangeMember): Promise<Member> => {
  const change = async ({ sql, caller: { workspaceId } }: Ctx) => {
    const row = await lockedMember(sql, workspaceId, id)
    if (role !== 'owner') await requireAnotherOwner(sql, workspaceId, row, 'be made an agent')
    await updateRole(sql, workspaceId, id, role)
    return row
  }
  const before = await audited(ctx, change, ({ email, role: from }) =>
    from === role
      ? null
      : {
          action: 'changeMember',
          target: { type: 'member', id },
          detail: { from, to: role, emailHash: emailHash(email) },
        },
  )
  return shape({ ...before, role })
})

/** Removes a member or revokes an invitation, and unassigns their conversations. The last owner cannot be removed. */
export const removeMember = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  const remove = async ({ sql, caller: { workspaceId } }: Ctx) => {
    const row = await lockedMember(sql, workspaceId, id)
    await requireAnotherOwner(sql, workspaceId, row, 'leave')
    await deleteMember(sql, workspaceId, id)
    if (row.userId !== null) await releaseConversations(sql, { workspaceId, userId: row.userId })
    return row
  }
  await audited(ctx, remove, row => ({
    action: 'removeMember',
    target: { type: 'member', id },
    detail: { role: row.role, status: shape(row).status, emailHash: emailHash(row.email) },
  }))
})

/** Locks the workspace first, so that two owners who demote each other concurrently run one after the other. */
const lockedMember = async (tx: Sql, workspaceId: string, id: string): Promise<MemberRow> => {
  await lockWorkspace(tx, workspaceId)
  const row = isId(id) ? await findMember(tx, workspaceId, id) : null
  if (!row) throw notFound('member')
  return row
}

const requireAnotherOwner = async (tx: Sql, workspaceId: string, row: MemberRow, what: string): Promise<void> => {
  if (row.role !== 'owner' || row.joinedAt === null || (await countOwners(tx, workspaceId)) > 1) return
  throw new DomainError(
    'unprocessable',
    `The last owner of a workspace cannot ${what}. Make another member an owner first.`,
  )
}

const inTeamAlready = ({ joinedAt }: MemberRow): DomainError => {
  const reason = joinedAt
    ? 'Is the address of a member of this team.'
    : 'Is invited already. To make a new link, remove the invitation first.'
  return new DomainError('conflict', `email: ${reason}`, { email: reason })
}

const shape = ({ id, userId, email, name, role, invitedAt, joinedAt }: MemberRow): Member => ({
  id,
  userId,
  email,
  name,
  role,
  status: joinedAt ? 'active' : 'invited',
  invitedAt: invitedAt?.toISOString() ?? null,
  joinedAt: joinedAt?.toISOString() ?? null,
})
