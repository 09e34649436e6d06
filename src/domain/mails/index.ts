export { MailNotTaken, type Post, sendMail } from './send.ts'
