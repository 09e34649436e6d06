/** All files of sql/ in order, imported as text so that the compiled binary contains them. */
import workspacesUsersSessions from '../../sql/001_workspaces_users_sessions.sql' with { type: 'text' }
import apiKeys from '../../sql/002_api_keys.sql' with { type: 'text' }
import customersEvents from '../../sql/003_customers_events.sql' with { type: 'text' }
import workflowsRuns from '../../sql/004_workflows_runs.sql' with { type: 'text' }
import channelsMessages from '../../sql/005_channels_messages.sql' with { type: 'text' }
import outboundEventsNotify from '../../sql/006_outbound_events_notify.sql' with { type: 'text' }
import webhooksDeliveries from '../../sql/007_webhooks_deliveries.sql' with { type: 'text' }
import actorLeases from '../../sql/008_actor_leases.sql' with { type: 'text' }
import customersWhole from '../../sql/009_customers_whole.sql' with { type: 'text' }
import invitations from '../../sql/010_invitations.sql' with { type: 'text' }
import attemptMarksFanOut from '../../sql/011_attempt_marks_fan_out.sql' with { type: 'text' }
import eventOutcomes from '../../sql/012_event_outcomes.sql' with { type: 'text' }
import refusalsRateLimits from '../../sql/013_refusals_rate_limits.sql' with { type: 'text' }
import eventsByCustomer from '../../sql/014_events_by_customer.sql' with { type: 'text' }
import messagesBegun from '../../sql/015_messages_begun.sql' with { type: 'text' }
import publishers from '../../sql/016_publishers.sql' with { type: 'text' }
import outboundEventsOfPerson from '../../sql/017_outbound_events_of_person.sql' with { type: 'text' }
import outboundEventsUntold from '../../sql/018_outbound_events_untold.sql' with { type: 'text' }
import runClaims from '../../sql/019_run_claims.sql' with { type: 'text' }
import customersSearch from '../../sql/020_customers_search.sql' with { type: 'text' }
import mailboxes from '../../sql/021_mailboxes.sql' with { type: 'text' }
import processesBorn from '../../sql/022_processes_born.sql' with { type: 'text' }
import deliveriesUnchecked from '../../sql/023_deliveries_unchecked.sql' with { type: 'text' }
import hotRowsUnchecked from '../../sql/024_hot_rows_unchecked.sql' with { type: 'text' }
import listsByType from '../../sql/025_lists_by_type.sql' with { type: 'text' }
import outboxNotified from '../../sql/026_outbox_notified.sql' with { type: 'text' }
import conversationsWhole from '../../sql/027_conversations_whole.sql' with { type: 'text' }
import messagesFound from '../../sql/028_messages_found.sql' with { type: 'text' }
import channelsCalledBack from '../../sql/029_channels_called_back.sql' with { type: 'text' }
import optOutWordsNormalised from '../../sql/030_opt_out_words_normalised.sql' with { type: 'text' }
import templatesSales from '../../sql/031_templates_sales.sql' with { type: 'text' }
import campaigns from '../../sql/032_campaigns.sql' with { type: 'text' }
import optOutsDated from '../../sql/033_opt_outs_dated.sql' with { type: 'text' }
import runWaits from '../../sql/035_run_waits.sql' with { type: 'text' }
import runsLiving from '../../sql/036_runs_living.sql' with { type: 'text' }
import runsAnswered from '../../sql/037_runs_answered.sql' with { type: 'text' }
import sessionsListed from '../../sql/038_sessions_listed.sql' with { type: 'text' }
import accountsOfTheirHolders from '../../sql/039_accounts_of_their_holders.sql' with { type: 'text' }
import auditEntries from '../../sql/042_audit_entries.sql' with { type: 'text' }
import apiKeysLiving from '../../sql/045_api_keys_living.sql' with { type: 'text' }
import webhooksLookedAfter from '../../sql/047_webhooks_looked_after.sql' with { type: 'text' }
import deliveriesFound from '../../sql/048_deliveries_found.sql' with { type: 'text' }
import handlesByAddress from '../../sql/049_handles_by_address.sql' with { type: 'text' }
import answersLost from '../../sql/050_answers_lost.sql' with { type: 'text' }
import eventsAwaited from '../../sql/051_events_awaited.sql' with { type: 'text' }
import secretsSealed from '../../sql/052_secrets_sealed.sql' with { type: 'text' }
import secretsFound from '../../sql/053_secrets_found.sql' with { type: 'text' }
import keysOfErased from '../../sql/054_keys_of_erased.sql' with { type: 'text' }
import retention from '../../sql/055_retention.sql' with { type: 'text' }
import bodiesAndSpace from '../../sql/056_bodies_and_space.sql' with { type: 'text' }
import toldOf from '../../sql/057_told_of.sql' with { type: 'text' }
import tallies from '../../sql/060_tallies.sql' with { type: 'text' }
import attentionFound from '../../sql/061_attention_found.sql' with { type: 'text' }
import streams from '../../sql/062_streams.sql' with { type: 'text' }
import noSamplesOfPeople from '../../sql/063_no_samples_of_people.sql' with { type: 'text' }
import signInLinks from '../../sql/064_sign_in_links.sql' with { type: 'text' }
import auditRetention from '../../sql/078_audit_retention.sql' with { type: 'text' }
import eventsOccurred from '../../sql/082_events_occurred.sql' with { type: 'text' }
import customersEmail from '../../sql/083_customers_email.sql' with { type: 'text' }
import draftErrors from '../../sql/086_draft_errors.sql' with { type: 'text' }
import deliveriesAttempted from '../../sql/090_deliveries_attempted.sql' with { type: 'text' }
import webhookConcurrency from '../../sql/098_webhook_concurrency.sql' with { type: 'text' }

export interface Migration {
  name: string
  sql: string
}

/** List of migrations, forward only. A released migration is never changed; a later one corrects it. */
export const migrations: readonly Migration[] = [
  { name: '001_workspaces_users_sessions', sql: workspacesUsersSessions },
  { name: '002_api_keys', sql: apiKeys },
  { name: '003_customers_events', sql: customersEvents },
  { name: '004_workflows_runs', sql: workflowsRuns },
  { name: '005_channels_messages', sql: channelsMessages },
  { name: '006_outbound_events_notify', sql: outboundEventsNotify },
  { name: '007_webhooks_deliveries', sql: webhooksDeliveries },
  { name: '008_actor_leases', sql: actorLeases },
  { name: '009_customers_whole', sql: customersWhole },
  { name: '010_invitations', sql: invitations },
  { name: '011_attempt_marks_fan_out', sql: attemptMarksFanOut },
  { name: '012_event_outcomes', sql: eventOutcomes },
  { name: '013_refusals_rate_limits', sql: refusalsRateLimits },
  { name: '014_events_by_customer', sql: eventsByCustomer },
  { name: '015_messages_begun', sql: messagesBegun },
  { name: '016_publishers', sql: publishers },
  { name: '017_outbound_events_of_person', sql: outboundEventsOfPerson },
  { name: '018_outbound_events_untold', sql: outboundEventsUntold },
  { name: '019_run_claims', sql: runClaims },
  { name: '020_customers_search', sql: customersSearch },
  { name: '021_mailboxes', sql: mailboxes },
  { name: '022_processes_born', sql: processesBorn },
  { name: '023_deliveries_unchecked', sql: deliveriesUnchecked },
  { name: '024_hot_rows_unchecked', sql: hotRowsUnchecked },
  { name: '025_lists_by_type', sql: listsByType },
  { name: '026_outbox_notified', sql: outboxNotified },
  { name: '027_conversations_whole', sql: conversationsWhole },
  { name: '028_messages_found', sql: messagesFound },
  { name: '029_channels_called_back', sql: channelsCalledBack },
  { name: '030_opt_out_words_normalised', sql: optOutWordsNormalised },
  { name: '031_templates_sales', sql: templatesSales },
  { name: '032_campaigns', sql: campaigns },
  { name: '033_opt_outs_dated', sql: optOutsDated },
  { name: '035_run_waits', sql: runWaits },
  { name: '036_runs_living', sql: runsLiving },
  { name: '037_runs_answered', sql: runsAnswered },
  { name: '038_sessions_listed', sql: sessionsListed },
  { name: '039_accounts_of_their_holders', sql: accountsOfTheirHolders },
  { name: '042_audit_entries', sql: auditEntries },
  { name: '045_api_keys_living', sql: apiKeysLiving },
  { name: '047_webhooks_looked_after', sql: webhooksLookedAfter },
  { name: '048_deliveries_found', sql: deliveriesFound },
  { name: '049_handles_by_address', sql: handlesByAddress },
  { name: '050_answers_lost', sql: answersLost },
  { name: '051_events_awaited', sql: eventsAwaited },
  { name: '052_secrets_sealed', sql: secretsSealed },
  { name: '053_secrets_found', sql: secretsFound },
  { name: '054_keys_of_erased', sql: keysOfErased },
  { name: '055_retention', sql: retention },
  { name: '056_bodies_and_space', sql: bodiesAndSpace },
  { name: '057_told_of', sql: toldOf },
  { name: '060_tallies', sql: tallies },
  { name: '061_attention_found', sql: attentionFound },
  { name: '062_streams', sql: streams },
  { name: '063_no_samples_of_people', sql: noSamplesOfPeople },
  { name: '064_sign_in_links', sql: signInLinks },
  { name: '078_audit_retention', sql: auditRetention },
  { name: '082_events_occurred', sql: eventsOccurred },
  { name: '083_customers_email', sql: customersEmail },
  { name: '086_draft_errors', sql: draftErrors },
  { name: '090_deliveries_attempted', sql: deliveriesAttempted },
  { name: '098_webhook_concurrency', sql: webhookConcurrency },
]
