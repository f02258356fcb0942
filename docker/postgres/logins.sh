#!/bin/sh
# The logins of Willcall. Runs when the database is created. Run it once by hand on a database that an earlier release created
# (docs/install-and-upgrade.md#database-logins).
set -eu
psql --set ON_ERROR_STOP=1 --quiet --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
do \$\$ begin
  if to_regrole('willcall_owner') is null then create role willcall_owner nologin; end if;
  if to_regrole('willcall_app') is null then create role willcall_app nologin; end if;
  if to_regrole('willcall_analyst') is null then create role willcall_analyst nologin; end if;
  if to_regrole('willcall_migrate') is null then create role willcall_migrate login; end if;
  if to_regrole('willcall_service') is null then create role willcall_service login; end if;
end \$\$;
alter role willcall_migrate password '${MIGRATION_DATABASE_PASSWORD}';
alter role willcall_service password '${SERVICE_DATABASE_PASSWORD}';
grant willcall_owner, willcall_app to willcall_migrate;
grant willcall_app to willcall_service;
grant create on database "${POSTGRES_DB}" to willcall_owner;
grant usage, create on schema public to willcall_owner;
revoke create on schema public from public;
SQL
