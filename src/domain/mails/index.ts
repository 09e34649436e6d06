export { recordConductAndTell } from './notices.ts'
export { MailNotTaken, type Post, sendMail } from './send.ts'
