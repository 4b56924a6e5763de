-- Letter codes, limits, second factor, invitations, what agencies and people need besides.

-- Codes of letters. Only their hash is kept; a code serves once.
create table letter_codes (
  id uuid primary key default uuidv7(),
  purpose text not null,
  user_id uuid not null references users on delete cascade,
  code_hash text not null constraint letter_codes_hash_unique unique,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint letter_codes_purpose_known check (purpose in ('reset_password', 'verify_email'))
);
create index letter_codes_by_user on letter_codes (user_id, purpose);
comment on column letter_codes.code_hash is 'SHA-256 in hexadecimal of what the letter carries';

-- Tries that count: one row for each limit and whoever it counts for. It replaces the library's own limiter, which knows addresses only.
drop table rate_limits;
create table limits (
  key text primary key,
  count int not null,
  window_ends_at timestamptz not null
);
create index limits_by_end on limits (window_ends_at);
comment on column limits.key is 'Name of the limit and the hash of an account or an address';

-- Wrong passwords and codes of one account; each makes the next wait longer.
create table sign_in_failures (
  account_hash text primary key,
  count int not null,
  last_at timestamptz not null,
  waits_until timestamptz not null
);
comment on column sign_in_failures.account_hash is 'SHA-256 of the e-mail, known to us or not; after a space that of a place its owner holds, as a browser of theirs';

create table two_factors (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count int not null default 0,
  locked_until timestamptz,
  started_at timestamptz not null default now(),
  session_id uuid,
  constraint two_factors_one_each unique (user_id)
);
comment on column two_factors.secret is 'Encrypted, as are backup_codes, which are hashed besides';
comment on column two_factors.verified is 'False until a first code proved that the authenticator has the secret';
comment on column two_factors.session_id is 'The session that began it: until it is verified, no other one is shown the secret';
alter table users add column two_factor_enabled boolean not null default false;

-- A code of the authenticator serves once, although its thirty seconds go on.
create table used_totp_codes (
  user_id uuid not null references users on delete cascade,
  code text not null,
  used_at timestamptz not null default now(),
  primary key (user_id, code)
);

create table invitations (
  id uuid primary key default uuidv7(),
  email text not null,
  kind text not null,
  agency_id uuid constraint invitations_agency references agencies,
  code_hash text not null constraint invitations_hash_unique unique,
  invited_by uuid references users,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users,
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint invitations_email_lower check (email = lower(email)),
  constraint invitations_kind_known check (kind in ('manager', 'analyst', 'tecnician', 'gester', 'alliate')),
  constraint invitations_agency_only_for_allies check ((kind = 'alliate') = (agency_id is not null)),
  constraint invitations_end_once check (accepted_at is null or withdrawn_at is null)
);
create unique index invitations_one_open on invitations (email) where accepted_at is null and withdrawn_at is null;
comment on column invitations.invited_by is 'Null for the first manager''s, made by whoever owns the server';

alter table users
  add column whatsapp_opt_in_at timestamptz,
  add column news_opt_in_at timestamptz,
  add column deletion_requested_at timestamptz,
  add column deleted_at timestamptz;
comment on column users.deletion_requested_at is 'The person asked to be forgotten; carried out five days later unless taken back';
comment on column users.deleted_at is 'The row stays for the history, without anything that says who it was';

alter table agencies
  add column brand text,
  add column contact text,
  add column phone text,
  add column email text,
  add column address text,
  add column municipality text,
  add column commission_kind text not null default 'percent',
  add column commission_value int not null default 0,
  add column benefit_kind text not null default 'none',
  add column benefit_value int not null default 0,
  add column notes text,
  add constraint agencies_phone_ten_digits check (phone ~ '^[2-9][0-9]{9}$'),
  add constraint agencies_commission_known check (commission_kind in ('percent', 'amount')),
  add constraint agencies_commission_sensible check (commission_value >= 0 and (commission_kind <> 'percent' or commission_value <= 10000)),
  add constraint agencies_benefit_known check (benefit_kind in ('none', 'percent', 'amount', 'free_visit')),
  add constraint agencies_benefit_sensible check (benefit_value >= 0 and (benefit_kind <> 'percent' or benefit_value <= 3000));
comment on column agencies.commission_value is 'Hundredths of a percent, or centavos';
comment on column agencies.benefit_value is 'Hundredths of a percent, or centavos; the most an ally''s code may give';
-- "Autos Ávila" and "autos avila" are one agency to whoever looks for it.
alter table agencies drop constraint agencies_name_unique;
create function plain_text(text) returns text language sql immutable parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, $1));
create unique index agencies_name_unique on agencies (plain_text(name));

alter table settings add column version int not null default 1;

-- People are listed as a Mexican dictionary orders them, and searched without regard to accents.
create extension if not exists pg_trgm;
create index users_by_name on users ((name is null), (coalesce(name, '') collate es), (coalesce(lastname, '') collate es), id);
alter table users add column searchable text generated always as (
  plain_text(coalesce(name, '') || ' ' || coalesce(lastname, '') || ' ' || email || ' ' || coalesce(phone, ''))
) stored;
create index users_by_text on users using gin (searchable gin_trgm_ops);
comment on column users.searchable is 'What a search looks in: name, last name, e-mail and phone in lower case without accents';
create index users_by_agency on users (agency_id) where agency_id is not null;
create index sessions_by_end on sessions (expires_at);

-- Moved on at most every few minutes; updated_at is the library's, for the session's end.
alter table sessions add column last_used_at timestamptz not null default now();
