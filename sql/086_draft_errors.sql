-- Drafts of workflows can be saved before they are complete. Their faults are stored with them, so that lists show them
-- without judging every draft again. Drafts from before are complete: an incomplete one was refused.
alter table workflows
  -- [{path, message}], at most 20; empty if the draft is complete.
  add column draft_errors jsonb not null default '[]';
