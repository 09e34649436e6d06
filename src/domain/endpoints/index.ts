export { createResolver, type Resolve } from './address.ts'
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
  type WebhookSettings,
} from './manage.ts'
export { ChangeWebhook, CreateWebhook, Webhook, WebhookWithSecret } from './schema.ts'
export { type EndpointRow, findLivingEndpoint, listSecrets } from './sql.ts'
export { judgeWebhookUrl } from './url.ts'
