export { createLink, invalidLink, isLinkLimitReached, rejectLink, revokeLink } from './links.ts'
export { notifyHolder } from './notify.ts'
export {
  type Account,
  AccountError,
  disableAccount,
  enableAccount,
  listAccounts,
  makeResetLink,
  makeSignInLink,
} from './operator-commands.ts'
export { type AdmitAttempt, changePassword, requirePassword } from './password.ts'
export { changeUser, readUser } from './profile.ts'
export { deleteAccount } from './remove.ts'
export { confirmEmail, forgotPassword, resetPassword } from './reset.ts'
export {
  BeginTotp,
  ChangePassword,
  ChangeUser,
  ConfirmEmail,
  ConfirmTotp,
  CurrentPassword,
  DeleteUser,
  DescribeLink,
  ForgotPassword,
  LinkDescription,
  LinkToken,
  NewTotp,
  RecoveryCodes,
  RemoveTotp,
  RenewRecoveryCodes,
  ResetPassword,
  SignInByLink,
  Totp,
} from './schema.ts'
export {
  beginTotp,
  confirmTotp,
  invalidTicket,
  readTotp,
  removeTotp,
  renewRecoveryCodes,
  signInWithCode,
} from './second-factor.ts'
export { signInByLink } from './sign-in.ts'
export { deleteExpiredLinks, findLink } from './sql.ts'
