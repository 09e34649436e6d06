/** All files of sql/ in order, imported as text so that the compiled binary contains them. */
import extensions from '../../../sql/001_extensions.sql' with { type: 'text' }
import accounts from '../../../sql/002_accounts.sql' with { type: 'text' }
import customers from '../../../sql/003_customers.sql' with { type: 'text' }
import events from '../../../sql/004_events.sql' with { type: 'text' }
import workflows from '../../../sql/005_workflows.sql' with { type: 'text' }
import messaging from '../../../sql/006_messaging.sql' with { type: 'text' }
import webhooks from '../../../sql/007_webhooks.sql' with { type: 'text' }
import service from '../../../sql/008_service.sql' with { type: 'text' }

export interface Migration {
  name: string
  sql: string
}

/** List of migrations, forward only. A released migration is never changed; a later one corrects it. */
export const migrations: readonly Migration[] = [
  { name: '001_extensions', sql: extensions },
  { name: '002_accounts', sql: accounts },
  { name: '003_customers', sql: customers },
  { name: '004_events', sql: events },
  { name: '005_workflows', sql: workflows },
  { name: '006_messaging', sql: messaging },
  { name: '007_webhooks', sql: webhooks },
  { name: '008_service', sql: service },
]
