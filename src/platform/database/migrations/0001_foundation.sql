-- People, addresses, projects, appointments and their history.
create extension if not exists btree_gist;
create extension if not exists unaccent;
create collation if not exists es (provider = icu, locale = 'es-MX');

create table settings (
  key text primary key,
  value jsonb not null,
  updated_by uuid,
  updated_at timestamptz not null default now()
);
comment on table settings is 'Business numbers the manager edits; a missing key means the default of domain/settings.ts';

create table agencies (
  id uuid primary key default uuidv7(),
  name text not null constraint agencies_name_unique unique,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1
);

create table users (
  id uuid primary key default uuidv7(),
  email text not null constraint users_email_unique unique,
  email_verified boolean not null default false,
  name text,
  lastname text,
  phone text,
  image text,
  role text not null default 'customer',
  kind text,
  agency_id uuid constraint users_agency references agencies,
  active boolean not null default true,
  terms_version text,
  terms_accepted_at timestamptz,
  signed_up_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint users_email_lower check (email = lower(email)),
  constraint users_role_known check (role in ('customer', 'staff')),
  constraint users_kind_matches_role check (
    (role = 'customer' and kind is null)
    or (role = 'staff' and kind is not null and kind in ('manager', 'analyst', 'tecnician', 'gester', 'alliate'))
  ),
  constraint users_agency_only_for_allies check (agency_id is null or kind is not distinct from 'alliate'),
  constraint users_phone_ten_digits check (phone ~ '^[2-9][0-9]{9}$')
);
create index users_by_kind on users (kind) where role = 'staff';

create table sessions (
  id uuid primary key default uuidv7(),
  token text not null constraint sessions_token_unique unique,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id);

create table accounts (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint accounts_one_per_provider unique (provider_id, account_id)
);
create index accounts_by_user on accounts (user_id);

create table verifications (
  id uuid primary key default uuidv7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_by_identifier on verifications (identifier);

create table rate_limits (
  id uuid primary key default uuidv7(),
  key text not null constraint rate_limits_key_unique unique,
  count int not null,
  last_request bigint not null
);

-- Who works when and where.
create table shifts (
  id uuid primary key default uuidv7(),
  person_id uuid not null references users on delete cascade,
  weekday smallint not null,
  starts smallint not null,
  ends smallint not null,
  constraint shifts_weekday_known check (weekday between 0 and 6),
  constraint shifts_within_day check (0 <= starts and starts < ends and ends <= 1440),
  constraint shifts_apart exclude using gist (person_id with =, weekday with =, int4range(starts, ends) with &&)
);
comment on column shifts.weekday is '0 is Monday, as in domain/calendar.ts';
comment on column shifts.starts is 'Minutes after local midnight';

create table person_zones (
  person_id uuid not null references users on delete cascade,
  municipality text not null,
  primary key (person_id, municipality)
);
comment on table person_zones is 'Municipalities a person serves; a person with no row serves all';

create table time_off (
  id uuid primary key default uuidv7(),
  person_id uuid not null references users on delete cascade,
  during tstzrange not null,
  reason text,
  approved_at timestamptz,
  approved_by uuid references users,
  created_at timestamptz not null default now(),
  constraint time_off_not_empty check (not isempty(during))
);
create index time_off_by_person on time_off using gist (person_id, during);

create table travel_minutes (
  from_municipality text not null,
  to_municipality text not null,
  minutes smallint not null,
  primary key (from_municipality, to_municipality),
  constraint travel_minutes_sensible check (minutes between 0 and 600)
);
comment on table travel_minutes is 'What the manager changed of the computed matrix; a missing pair means the default';

-- One number that grows whenever anything the roster is made of changes, so that a process may keep the roster in memory.
create table roster_version (only_row boolean primary key default true check (only_row), version bigint not null);
insert into roster_version (version) values (1);
-- The exclusive lock waits for bookings under way, which hold it shared: none is checked against a roster that changes meanwhile.
create function bump_roster_version() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(726002);
  update roster_version set version = version + 1;
  return null;
end $$;
create trigger shifts_bump after insert or update or delete or truncate on shifts for each statement execute function bump_roster_version();
create trigger person_zones_bump after insert or update or delete or truncate on person_zones for each statement execute function bump_roster_version();
create trigger time_off_bump after insert or update or delete or truncate on time_off for each statement execute function bump_roster_version();
create trigger travel_minutes_bump after insert or update or delete or truncate on travel_minutes for each statement execute function bump_roster_version();
create trigger settings_bump after insert or update or delete or truncate on settings for each statement execute function bump_roster_version();
create trigger users_bump after update of role, kind, active, name, lastname on users for each row
  when (old.role = 'staff' or new.role = 'staff') execute function bump_roster_version();
create trigger users_bump_new after insert on users for each row when (new.role = 'staff') execute function bump_roster_version();
create trigger users_bump_gone after delete on users for each row when (old.role = 'staff') execute function bump_roster_version();

create table projects (
  id uuid primary key default uuidv7(),
  customer_id uuid not null references users,
  agency_id uuid references agencies,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1
);
create unique index projects_one_open on projects (customer_id) where closed_at is null;
create index projects_by_agency on projects (agency_id) where agency_id is not null;

create table addresses (
  id uuid primary key default uuidv7(),
  project_id uuid not null references projects,
  postal_code text not null,
  region_group text,
  municipality text not null,
  state text not null,
  area text not null,
  colonia text not null,
  street text not null,
  outer_number text not null,
  inner_number text,
  between_streets text,
  "references" text,
  receiver_name text,
  receiver_phone text,
  dwelling text not null,
  parking text not null,
  gate_notes text,
  cfe_service_number text,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint addresses_area_known check (area in ('served', 'outside', 'to_verify')),
  constraint addresses_postal_code_five_digits check (postal_code ~ '^[0-9]{5}$')
);
create unique index addresses_one_current on addresses (project_id) where archived_at is null;

-- Generated columns need an immutable expression, which "timestamptz + interval" is not; minutes never cross a change of calendar.
create function visit_range(timestamptz, int) returns tstzrange language sql immutable parallel safe
  return tstzrange($1, $1 + make_interval(mins => $2), '[)');

create table appointments (
  id uuid primary key default uuidv7(),
  folio text not null constraint appointments_folio_unique unique,
  service text not null,
  state text not null default 'requested',
  customer_id uuid not null references users,
  project_id uuid not null references projects,
  assignee_id uuid references users,
  confirmed_at timestamptz,
  starts_at timestamptz not null,
  minutes int not null,
  during tstzrange not null generated always as (visit_range(starts_at, minutes)) stored,
  municipality text,
  address jsonb,
  notes text,
  outcome text,
  closing_note text,
  override_reason text,
  set_out_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  request_key uuid not null,
  request_digest text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint appointments_service_known check (service in ('technical_visit', 'installation', 'videocall')),
  constraint appointments_state_known check (state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused', 'done', 'cancelled', 'no_show')),
  constraint appointments_minutes_sensible check (minutes between 5 and 1440),
  constraint appointments_assigned_has_person check (state not in ('assigned', 'en_route', 'in_progress', 'paused') or assignee_id is not null),
  constraint appointments_request_once unique (customer_id, request_key),
  constraint appointments_one_at_a_time exclude using gist (assignee_id with =, during with &&)
    where (state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused')),
  constraint appointments_customer_one_at_a_time exclude using gist (customer_id with =, during with &&)
    where (state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused'))
);
comment on column appointments.confirmed_at is 'Null while the person is provisional: chosen at booking, not yet confirmed, and not shown to that person';
comment on column appointments.address is 'The address as it was when booked';
comment on column appointments.request_key is 'Made by the form: the same key sent twice is one appointment';
create unique index appointments_one_active_per_service on appointments (project_id, service)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_active_by_person on appointments (assignee_id, starts_at)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_pending_by_start on appointments (starts_at, id)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_done_by_start on appointments (starts_at desc, id desc) where state in ('done', 'cancelled', 'no_show');
create index appointments_by_person on appointments (assignee_id, starts_at);
create index appointments_by_project on appointments (project_id, starts_at);
create index appointments_waiting on appointments (starts_at, id) where state = 'requested';

create table events (
  id bigint generated always as identity primary key,
  entity text not null,
  entity_id uuid not null,
  actor_id uuid,
  name text not null,
  from_state text,
  to_state text,
  reason text,
  data jsonb,
  at timestamptz not null default now()
);
comment on table events is 'Append-only history; actor_id null is the system';
create index events_by_entity on events (entity, entity_id, id);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = 'events_append_only';
end $$;
create trigger events_append_only before update or delete or truncate on events for each statement execute function refuse_change();

create table tasks (
  id uuid primary key default uuidv7(),
  subject text not null,
  reason text not null,
  person_id uuid references users,
  project_id uuid references projects,
  phone text,
  due_at timestamptz not null default now(),
  taken_by uuid references users,
  result text,
  done_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1
);
create index tasks_open on tasks (due_at) where done_at is null;

-- VT-2026-00012: one counter per kind and year. A sequence, so that two bookings never wait for each other; gaps are allowed.
create function next_folio(prefix text, year int) returns text language plpgsql as $$
declare
  counter text := format('folio_%s_%s', lower(prefix), year);
  number text;
begin
  if to_regclass(counter) is null then
    perform pg_advisory_xact_lock(hashtext(counter));
    execute format('create sequence if not exists %I', counter);
  end if;
  number := nextval(counter)::text;
  return format('%s-%s-%s', prefix, year, lpad(number, greatest(5, length(number)), '0'));
end $$;
