-- Who published a version is a note: which account it was, whether or not there is such an account (any more, or in this
-- database).
alter table workflow_versions drop constraint workflow_versions_published_by_fkey;
