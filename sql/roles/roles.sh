#!/usr/bin/env bash
# Run once by the image of PostgreSQL, on an empty volume: a role that migrates, and one that runs the service. What they may
# do, rights.sql says next.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  -v migrating="$MIGRATING_PASSWORD" -v running="$RUNNING_PASSWORD" <<'SQL'
create role engagement_migrating login password :'migrating';
create role engagement_running login password :'running';
SQL
