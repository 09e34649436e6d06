export { acceptInvitation, joinByInvitation } from './accept.ts'
export { applyRole } from './claimed-role.ts'
export { type InvitationLinks, inviteOwner } from './invite.ts'
export { leaveAllWorkspaces, type ReleaseConversations } from './leave.ts'
export { changeMember, inviteMember, listMembers, removeMember } from './manage.ts'
export { deleteOwnedAccounts } from './owned-accounts.ts'
export { AcceptInvitation, ChangeMember, InvitedMember, InviteMember, Member } from './schema.ts'
export {
  countMembers,
  countMemberships,
  findInvitation,
  findMembersByText,
  findMembership,
  findOwners,
  insertOwner,
  isPersonInTeam,
  lockMembership,
  type MemberKind,
  type MemberRow,
  renewInvitation,
  selectWorkspacesWithMembers,
} from './sql.ts'
export { createMemberToken, listMemberTokens, revokeMemberToken } from './tokens.ts'
