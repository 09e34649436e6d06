export { type MailDeps, MailNotAccepted, sendMail } from './send.ts'
