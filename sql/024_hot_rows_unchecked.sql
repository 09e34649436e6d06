-- What is written for everybody together is not checked against rows of one workspace any more: each check locks the row
-- that is pointed to, so that whoever held one workspace's row, or one channel's, held up the events, opt-outs, messages
-- and refusals of all others; and it cost the database 5 to 10 us a row. It protected nothing. The workspace of a
-- customer, of an outbound event and of a refusal is that of the credential, or of the row it comes from; a workspace is
-- never deleted, which its owner's row among the members would refuse. The channel of a conversation was read together
-- with the run that writes there, and channels are never deleted. The constraints stay for whoever reads the schema. One
-- at a time, since each takes both of its tables for a moment.
-- online

-- step
alter table customers alter constraint customers_workspace_id_fkey not enforced;

-- step
alter table outbound_events alter constraint outbound_events_workspace_id_fkey not enforced;

-- step
alter table refusals alter constraint refusals_workspace_id_fkey not enforced;

-- step
alter table conversations alter constraint conversations_workspace_id_channel_id_fkey not enforced;
