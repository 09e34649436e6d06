/** English texts, one file per page. Each id begins with the name of its page. Messages use the ICU format. */

import { account } from './account.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { bulk } from './bulk.ts'
import { campaigns } from './campaigns.ts'
import { channels } from './channels.ts'
import { condition } from './condition.ts'
import { customers, sales } from './customers.ts'
import { endpoints } from './endpoints.ts'
import { eventBody } from './event-body.ts'
import { events } from './events.ts'
import { inbox } from './inbox.ts'
import { messages } from './messages.ts'
import { outbound } from './outbound.ts'
import { phone } from './phone.ts'
import { plan } from './plan.ts'
import { notAccepted } from './rejected-events.ts'
import { settings } from './settings.ts'
import { search } from './shell.ts'
import { team } from './team.ts'
import { templates } from './templates.ts'
import { trace } from './trace.ts'
import { webhooks } from './webhooks.ts'
import { workflowEditor } from './workflow-editor.ts'
import { workflowGallery } from './workflow-gallery.ts'
import { workflowRuns } from './workflow-runs.ts'
import { workflows } from './workflows.ts'

export const later = {
  ...events,
  ...eventBody,
  ...notAccepted,
  ...messages,
  ...sales,
  ...outbound,
  ...webhooks,
  ...endpoints,
  ...bulk,
  ...apiKeys,
  ...condition,
  ...customers,
  ...inbox,
  ...workflows,
  ...workflowEditor,
  ...workflowRuns,
  ...workflowGallery,
  ...templates,
  ...campaigns,
  ...channels,
  ...settings,
  ...team,
  ...plan,
  ...audit,
  ...account,
  ...phone,
  ...trace,
  ...search,
} as const
