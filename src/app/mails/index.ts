export { type MailDeps, sendMail } from './send.ts'
