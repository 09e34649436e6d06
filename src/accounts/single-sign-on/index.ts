export { describeLink } from './describe-link.ts'
export {
  confirmIdentity,
  createIdentityLink,
  linkIdentity,
  mailIdentityLink,
  readIdentity,
  revokeIdentityLink,
  unlinkIdentity,
} from './link.ts'
export { endSsoSessions } from './logout.ts'
export {
  ConfirmIdentity,
  LinkIdentity,
  MailIdentityLink,
  OwnIdentity,
  SsoCallback,
  SsoLinkWanted,
  SsoResult,
  SsoStart,
  SsoState,
  UnlinkIdentity,
} from './schema.ts'
export { completeSso, type SsoSettings, ssoMinutes, startSso } from './sign-in.ts'
export { deleteExpiredIdentityLinks, deleteExpiredStates } from './sql.ts'
