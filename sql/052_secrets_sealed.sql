-- Webhook secrets are sealed as the credentials of channels are. Those in clear are taken over once every process that
-- lives can open what is sealed: processes of older releases, which do not say what they open, go on signing meanwhile.

alter table webhooks
  -- Null where it is sealed. Where an older release has put it beside a sealed one, that one is the secret before it.
  alter column secret drop not null,
  add column sealed_secret bytea,
  add column sealed_previous_secret bytea,
  -- SHA-256 of the sealed secret, and of the one that was replaced last: who asks why a signature does not hold is told
  -- that theirs was replaced, long after that is gone.
  add column secret_hash bytea,
  add column replaced_hash bytea;

-- The ids of the keys by which a process opens what is sealed, the one it seals under first; null of older releases.
alter table processes add column opens text[];
alter table http_processes add column opens text[];
