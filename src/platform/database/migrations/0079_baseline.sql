-- The schema as the migrations up to 0079 left it: what an empty database begins with (CONTRIBUTING.md). Checks that are
-- `not valid` were never tried on the rows of older folders.

-- Text that is searched and sorted.
create extension if not exists btree_gist;
create extension if not exists unaccent;
create extension if not exists pg_trgm;
create collation if not exists es (provider = icu, locale = 'es-MX');

-- "Autos Ávila" and "autos avila" are one to whoever looks for them.
create function plain_text(text) returns text language sql immutable parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, $1));

-- Words, and not their trigrams: of a million rows the longest list of a word is read in 2 ms, those of trigrams in 60.
-- Written as the text of a tsvector, by two regular expressions and not a row for each word: a booking waits for it.
create function with_parts(words text) returns text language sql immutable parallel safe
  return words || ' ' || regexp_replace(words, '[^[:alnum:]]+', ' ', 'g');

create function weighted(words text, weight text) returns text language sql immutable parallel safe
  return regexp_replace(translate(plain_text(left(words, 500)), '''\', ''), '\S+', '''\&'':1' || weight, 'g');

-- What begins with each word somebody typed, as the pattern of a tsquery: format(pattern, '', weights) looks in words,
-- format(pattern, week || ' ', '') in the words of a week. A word of which nothing is left begins none.
create function beginning_with(typed text[]) returns text language sql immutable parallel safe
  return (
    select string_agg('''%1$s' || replace(coalesce(nullif(translate(plain_text(word), '''\', ''), ''), ' '), '%', '%%') || ''':*%2$s', ' & ')
    from unnest(typed) as word
  );

-- One search over everything. By the beginnings of words, as the appointments': of half a million people those of a common
-- name are read in a few milliseconds, where the parts of words (users_by_text) take tens.
create function person_words(name text, lastname text, email text, phone text) returns tsvector
  language sql immutable parallel safe cost 100
  return weighted(concat_ws(' ', with_parts(name), with_parts(lastname), email, split_part(email, '@', 2), phone, right(phone, 8), right(phone, 4)),
    'A')::tsvector;

create function address_words(street text, outer_number text, colonia text, postal_code text) returns tsvector
  language sql immutable parallel safe cost 100
  return weighted(with_parts(concat_ws(' ', street, outer_number, colonia, postal_code)), 'A')::tsvector;

-- What several tables use.

-- VT-2026-00012: one counter per kind and year. A sequence, so that two bookings never wait for each other; gaps are
-- allowed.
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

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = 'events_append_only';
end $$;

-- What both tables hold is evidence: it is written once and goes when nobody can ask for it any more.
create function refuse_change_of_evidence() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '5 years' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = 'evidence_append_only';
end $$;

-- A command that began before the merge writes nothing to the ended customer: it waits for the merge, as its foreign key
-- would, and is refused as one that was overtaken.
create function refuse_merged_customer() returns trigger language plpgsql as $$
declare
  stands uuid;
begin
  select merged_into_id into stands from users where id = new.customer_id for key share;
  if stands is not null then
    raise exception 'customer % was merged', new.customer_id
      using errcode = 'serialization_failure', constraint = 'customer_merged';
  end if;
  return new;
end $$;

create function refuse_merged_person() returns trigger language plpgsql as $$
declare
  stands uuid;
begin
  select merged_into_id into stands from users where id = new.person_id for key share;
  if stands is not null then
    raise exception 'customer % was merged', new.person_id
      using errcode = 'serialization_failure', constraint = 'customer_merged';
  end if;
  return new;
end $$;

create function stage_check_of_customer() returns trigger language plpgsql as $$
begin
  insert into stage_checks (customer_id) values (new.customer_id);
  return null;
end $$;

create function stage_check_of_project() returns trigger language plpgsql as $$
begin
  insert into stage_checks (customer_id) select projects.customer_id from projects where projects.id = new.project_id;
  return null;
end $$;

create function stage_check_of_appointment() returns trigger language plpgsql as $$
begin
  insert into stage_checks (customer_id) select appointments.customer_id from appointments where appointments.id = new.appointment_id;
  return null;
end $$;

-- Settings, and what the roster is made of.

-- Grows whenever anything the roster is made of changes, so that a process may keep the roster in memory.
create table roster_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);

-- The exclusive lock waits for bookings under way, which hold it shared: none is checked against a roster that changes
-- meanwhile.
create function bump_roster_version() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(726002);
  update roster_version set version = version + 1;
  return null;
end $$;
insert into roster_version (version) values (1);

create table settings (
  key text primary key,
  value jsonb not null,
  updated_by uuid,
  updated_at timestamptz not null default now(),
  version int not null default 1
);
comment on table settings is 'Business numbers the manager edits; a missing key means the default of domain/settings.ts';
create trigger settings_bump after insert or update or delete or truncate on settings
  for each statement execute function bump_roster_version();

-- People and their accounts.

create table agencies (
  id uuid primary key default uuidv7(),
  name text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  brand text,
  contact text,
  phone text,
  email text,
  address text,
  municipality text,
  commission_kind text not null default 'percent',
  commission_value int not null default 0,
  benefit_kind text not null default 'none',
  benefit_value int not null default 0,
  notes text,
  constraint agencies_phone_ten_digits check (phone ~ '^[2-9][0-9]{9}$'),
  constraint agencies_commission_known check (commission_kind in ('percent', 'amount')),
  constraint agencies_commission_sensible check (commission_value >= 0 and (commission_kind <> 'percent' or commission_value <= 10000)),
  constraint agencies_benefit_known check (benefit_kind in ('none', 'percent', 'amount', 'free_visit')),
  constraint agencies_benefit_sensible check (benefit_value >= 0 and (benefit_kind <> 'percent' or benefit_value <= 3000))
);
create unique index agencies_name_unique on agencies (plain_text(name));
comment on column agencies.commission_value is 'Hundredths of a percent, or centavos';
comment on column agencies.benefit_value is 'Hundredths of a percent, or centavos; the most an ally''s code may give';

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
  two_factor_enabled boolean not null default false,
  whatsapp_opt_in_at timestamptz,
  news_opt_in_at timestamptz,
  deletion_requested_at timestamptz,
  deleted_at timestamptz,
  searchable text generated always as (plain_text(coalesce(name, '') || ' ' || coalesce(lastname, '') || ' ' || email || ' ' || coalesce(phone, ''))) stored,
  -- Virtual: read from name and lastname as they stand.
  full_name text generated always as (coalesce(name || ' ' || lastname, name, lastname, '')) virtual,
  merged_into_id uuid constraint users_merged_into references users,
  -- The kinds of news that the person does not want on any device.
  unwanted_news text[] not null default '{}',
  -- Until then the account may not book, move, invite or change its e-mail.
  braked_until timestamptz,
  -- A code of the second step goes only to a phone that the account has had for some days.
  phone_changed_at timestamptz not null default now(),
  constraint users_email_lower check (email = lower(email)),
  constraint users_role_known check (role in ('customer', 'staff')),
  constraint users_kind_matches_role check (
    (role = 'customer' and kind is null)
    or (role = 'staff' and kind is not null and kind in ('manager', 'analyst', 'tecnician', 'gester', 'alliate'))
  ),
  constraint users_agency_only_for_allies check (agency_id is null or kind is not distinct from 'alliate'),
  constraint users_phone_ten_digits check (phone ~ '^[2-9][0-9]{9}$'),
  constraint users_merged_ended check (merged_into_id is null or (not active and merged_into_id <> id))
);
create index users_by_kind on users (kind) where role = 'staff';
create index users_by_name on users ((name is null), (coalesce(name, '') collate es), (coalesce(lastname, '') collate es), id);
create index users_by_text on users using gin (searchable gin_trgm_ops);
create index users_by_agency on users (agency_id) where agency_id is not null;
-- Staff other than the manager do not see what stays of deleted customers for the tax office.
create index users_deleted on users (deleted_at) where deleted_at is not null;
create index users_inactive on users ((name is null), (coalesce(name, '') collate es), (coalesce(lastname, '') collate es), id)
  where not active;
-- The short list of what was written last is read whole by each search.
create index users_by_word on users using gin (person_words(name, lastname, email, phone)) with (gin_pending_list_limit = 64);
-- Who has a phone already, when a caller is registered with it.
create index users_by_phone on users (phone) where phone is not null;
create index users_merged on users (merged_into_id) where merged_into_id is not null;
create index users_by_creation on users (created_at, id);
-- Every search looks for staff too: among some hundreds, not among all who bear a name.
create index users_staff_by_word on users using gin (person_words(name, lastname, email, phone)) where role = 'staff';
create index users_braked on users (braked_until) where braked_until is not null;
comment on column users.deletion_requested_at is 'The person asked to be forgotten; carried out five days later unless taken back';
comment on column users.deleted_at is 'The row stays for the history, without anything that says who it was';
comment on column users.searchable is 'What a search looks in: name, last name, e-mail and phone in lower case without accents';
comment on column users.full_name is 'Name and last name; empty, never null, until the person has given one';
comment on column users.merged_into_id is 'The customer that stands for this one: its rows are there, and it signs in no more';

create function note_phone_change() returns trigger language plpgsql as $$
begin
  new.phone_changed_at := now();
  return new;
end $$;

create function users_refill() returns trigger language plpgsql as $$
begin
  update appointments set words = words_of(folio, new) where customer_id = new.id;
  return null;
end $$;
create trigger users_bump after update of role, kind, active, name, lastname on users for each row
  when (old.role = 'staff' or new.role = 'staff') execute function bump_roster_version();
create trigger users_bump_new after insert on users for each row when (new.role = 'staff') execute function bump_roster_version();
create trigger users_bump_gone after delete on users for each row when (old.role = 'staff') execute function bump_roster_version();
create trigger users_refilled after update of name, lastname, email, phone on users for each row
  when ((old.name, old.lastname, old.email, old.phone) is distinct from (new.name, new.lastname, new.email, new.phone))
  execute function users_refill();
create trigger users_phone_noted before update of phone on users
  for each row when (old.phone is distinct from new.phone) execute function note_phone_change();

create table sessions (
  id uuid primary key default uuidv7(),
  token text not null constraint sessions_token_unique unique,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Moved on at most every few minutes; updated_at is the library's, for the session's end.
  last_used_at timestamptz not null default now(),
  -- When a session that the manager closed would have ended; it may be given back for some minutes.
  former_expires_at timestamptz
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

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

-- An account's e-mail is changed by a letter to the new mailbox; the old one is told, and may object.
create table email_changes (
  id uuid primary key default uuidv7(),
  user_id uuid not null constraint email_changes_user references users on delete cascade,
  old_email text not null,
  new_email text not null,
  asked_by uuid not null constraint email_changes_asked_by references users,
  asked_at timestamptz not null default now(),
  applied_at timestamptz,
  ended_at timestamptz,
  constraint email_changes_lower check (old_email = lower(old_email) and new_email = lower(new_email))
);
create unique index email_changes_one_waiting on email_changes (user_id) where applied_at is null and ended_at is null;
create index email_changes_by_user on email_changes (user_id);
comment on column email_changes.applied_at is 'The new mailbox was proved, and is the account''s from then on';
comment on column email_changes.ended_at is 'It was taken back, another took its place, or the old mailbox objected';

-- Codes of letters. Only their hash is kept; a code serves once.
create table letter_codes (
  id uuid primary key default uuidv7(),
  purpose text not null,
  user_id uuid not null references users on delete cascade,
  code_hash text not null constraint letter_codes_hash_unique unique,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  email_change_id uuid constraint letter_codes_email_change references email_changes on delete cascade,
  -- A link to an account that the office opened may be handed over otherwise than by its mailbox.
  proves_mailbox boolean not null default true,
  constraint letter_codes_purpose_known check (purpose in ('reset_password', 'verify_email', 'change_email', 'object_email')),
  constraint letter_codes_change_told check ((email_change_id is not null) = (purpose in ('change_email', 'object_email')))
);
create index letter_codes_by_user on letter_codes (user_id, purpose);
create index letter_codes_by_email_change on letter_codes (email_change_id) where email_change_id is not null;
comment on column letter_codes.code_hash is 'SHA-256 in hexadecimal of what the letter carries';
comment on column letter_codes.proves_mailbox is 'Whether only the mailbox received it; false for a link that the office copied';

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
  by_passkey boolean not null default false,
  constraint two_factors_one_each unique (user_id)
);
comment on column two_factors.secret is 'Encrypted, as are backup_codes, which are hashed besides';
comment on column two_factors.verified is 'False until a first code proved that the authenticator has the secret';
comment on column two_factors.session_id is 'The session that began it: until it is verified, no other one is shown the secret';
comment on column two_factors.by_passkey is 'Turned on without an authenticator: a passkey answers, and nobody was shown the secret';

-- A code of the authenticator serves once, although its thirty seconds go on.
create table used_totp_codes (
  user_id uuid not null references users on delete cascade,
  code text not null,
  used_at timestamptz not null default now(),
  primary key (user_id, code)
);

-- Passkeys (WebAuthn): public keys of devices by which a person signs in without a password.
create table passkeys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  public_key text not null,
  credential_id text not null constraint passkeys_credential_unique unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);

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

-- What networks tried in vain, or began, by the hour; kept for 30 days. Beyond a number of networks an hour, the others
-- share the row whose network is empty.
create table network_counts (
  hour timestamptz not null,
  kind text not null,
  network text not null,
  count integer not null,
  primary key (hour, kind, network)
);

-- Where visitors may not sign in, sign up or recover for a while.
create table closed_networks (
  network text primary key,
  until timestamptz not null,
  closed_by uuid not null references users
);

-- Who came from another system, so that a second run of the import makes nobody twice, nor brings back who had their account
-- deleted here.
create table imported_users (
  source text not null,
  source_id text not null,
  user_id uuid not null constraint imported_users_user references users on delete cascade,
  imported_at timestamptz not null default now(),
  constraint imported_users_once primary key (source, source_id)
);
comment on table imported_users is 'Accounts brought from another system, by the id they had there.';

-- The filters and the order of a list that a person of staff keeps under a name. The words looked for are not among them:
-- often they are a customer's name, which erasing that customer would not find here.
create table saved_views (
  id uuid primary key default uuidv7(),
  owner_id uuid not null constraint saved_views_owner references users on delete cascade,
  list text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  constraint saved_views_list_short check (char_length(list) <= 20),
  constraint saved_views_name_length check (char_length(name) between 1 and 40),
  constraint saved_views_query_length check (char_length(query) between 1 and 500)
);
create unique index saved_views_one_name on saved_views (owner_id, list, plain_text(name));

-- What a form that was accepted was answered: sealed with the form's own key, which is not kept, and found by its hash.
create table form_answers (
  place text constraint form_answers_pkey primary key,
  answer text not null,
  created_at timestamptz not null default now()
);
create index form_answers_created_at_idx on form_answers (created_at);

-- Data protection.

-- One row each time somebody agrees or takes it back, never changed: the newest of a kind is what stands.
create table consents (
  id bigint generated always as identity primary key,
  user_id uuid not null constraint consents_user references users,
  kind text not null,
  given boolean not null,
  version text not null,
  source text not null,
  at timestamptz not null default now(),
  constraint consents_kind_known check (kind in ('terms', 'whatsapp', 'news')),
  constraint consents_version_length check (char_length(version) between 1 and 60),
  constraint consents_source_known check (source in ('signup', 'provider', 'recovery', 'completion', 'home', 'account', 'whatsapp', 'deletion', 'take_over', 'before'))
);
create index consents_of_user on consents (user_id, kind, id desc);
comment on table consents is 'Append-only; deleted five years after, by the round that looks after what is too old';
comment on column consents.version is 'Of the terms and the privacy notice as they stood at that moment';
comment on column consents.source is 'Where it was said; ''before'' is what the columns of users told when this table was made';
create trigger consents_append_only before update or delete on consents for each row execute function refuse_change_of_evidence();

-- Every look of the staff at fiscal data, and at an account that is blocked.
create table data_reads (
  id bigint generated always as identity primary key,
  reader_id uuid not null constraint data_reads_reader references users,
  customer_id uuid not null constraint data_reads_customer references users,
  what text not null,
  subject_id uuid not null,
  reason text,
  span timestamptz not null default date_bin('10 minutes', now(), timestamptz '2025-01-01 00:00:00+00'),
  at timestamptz not null default now(),
  constraint data_reads_what_known check (what in ('fiscal', 'constancia', 'invoices', 'invoice_file', 'invoice_request', 'blocked')),
  constraint data_reads_reason_told check (what <> 'blocked' or char_length(reason) >= 10),
  constraint data_reads_once unique (reader_id, customer_id, what, subject_id, span)
);
create index data_reads_of_customer on data_reads (customer_id, id desc);
comment on table data_reads is 'Append-only; deleted five years after, by the round that looks after what is too old';
comment on column data_reads.subject_id is 'The document, invoice or project that was read; the customer where it was all of theirs';
comment on column data_reads.span is 'Ten minutes: a screen that refreshes by itself is one read of them, not one each time';
create trigger data_reads_append_only before update or delete on data_reads for each row execute function refuse_change_of_evidence();

-- What was held of somebody whose account is blocked, sealed: no screen, letter or list reads it, and nothing else tells who
-- it was.
create table blocked_accounts (
  customer_id uuid primary key constraint blocked_accounts_customer references users,
  sealed text,
  files jsonb not null default '[]',
  blocked_at timestamptz not null,
  suppress_at timestamptz not null,
  suppressed_at timestamptz,
  constraint blocked_accounts_suppressed_whole check ((suppressed_at is null) = (sealed is not null)),
  constraint blocked_accounts_nothing_left check (suppressed_at is null or files = '[]'),
  constraint blocked_accounts_order check (suppress_at >= blocked_at)
);
create index blocked_accounts_due on blocked_accounts (suppress_at) where suppressed_at is null;
comment on column blocked_accounts.sealed is 'Everything that was held, as its owner could read it, sealed with AUTH_SECRET; null once suppressed';
comment on column blocked_accounts.files is 'Of their pictures and papers: key on the drive, name, type';

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
create trigger shifts_bump after insert or update or delete or truncate on shifts
  for each statement execute function bump_roster_version();

create table person_zones (
  person_id uuid not null references users on delete cascade,
  municipality text not null,
  primary key (person_id, municipality)
);
comment on table person_zones is 'Municipalities a person serves; a person with no row serves all';
create trigger person_zones_bump after insert or update or delete or truncate on person_zones
  for each statement execute function bump_roster_version();

create table time_off (
  id uuid primary key default uuidv7(),
  person_id uuid not null references users on delete cascade,
  during tstzrange not null,
  reason text,
  approved_at timestamptz,
  approved_by uuid references users,
  created_at timestamptz not null default now(),
  refused_at timestamptz,
  refused_by uuid references users,
  refused_reason text,
  withdrawn_at timestamptz,
  constraint time_off_not_empty check (not isempty(during))
);
create index time_off_by_person on time_off using gist (person_id, during);
create index time_off_asked on time_off (created_at) where approved_at is null and refused_at is null and withdrawn_at is null;
create trigger time_off_bump after insert or update or delete or truncate on time_off
  for each statement execute function bump_roster_version();

create table travel_minutes (
  from_municipality text not null,
  to_municipality text not null,
  minutes smallint not null,
  primary key (from_municipality, to_municipality),
  constraint travel_minutes_sensible check (minutes between 0 and 600)
);
comment on table travel_minutes is 'What the manager changed of the computed matrix; a missing pair means the default';
create trigger travel_minutes_bump after insert or update or delete or truncate on travel_minutes
  for each statement execute function bump_roster_version();

-- The municipality that a technician leaves from in the morning. It goes with the account, and with the rights that it was
-- for.
create table day_starts (
  person_id uuid primary key constraint day_starts_person references users on delete cascade,
  municipality text not null
);
create trigger day_starts_bump after insert or update or delete or truncate on day_starts
  for each statement execute function bump_roster_version();

-- By what a customer knows who comes: a small portrait, made anew from what was uploaded, and the vehicle. It goes with the
-- account, and with the rights that it was for.
create table visit_cards (
  user_id uuid primary key constraint visit_cards_user references users on delete cascade,
  vehicle text constraint visit_cards_vehicle check (char_length(vehicle) between 1 and 60),
  colour text constraint visit_cards_colour check (char_length(colour) between 1 and 30),
  plates text constraint visit_cards_plates check (char_length(plates) between 1 and 10),
  photo bytea constraint visit_cards_photo check (octet_length(photo) <= 262144),
  photo_tag text,
  updated_at timestamptz not null default now(),
  -- What a technician may show of their trade, as the manager wrote it.
  credential text,
  constraint visit_cards_tagged check ((photo is null) = (photo_tag is null))
);
alter table visit_cards add constraint visit_cards_credential check (char_length(credential) between 1 and 80) not valid;

-- A plan for a day, worked out in the background; applied whole or not at all.
create table day_plans (
  id uuid primary key default uuidv7(),
  date date not null,
  zones text[] not null default '{}',
  state text not null default 'running',
  made_by uuid not null references users,
  progress jsonb,
  plan jsonb,
  beat_at timestamptz not null default now(),
  applied_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint day_plans_state_known check (state in ('running', 'ready', 'stopped', 'failed', 'applied'))
);
create index day_plans_by_date on day_plans (date, created_at desc);
create unique index day_plans_one_running on day_plans (date) where state = 'running';
comment on column day_plans.beat_at is 'Whoever works it out writes this twice a second: an old one is of a process that ended';
comment on column day_plans.zones is 'Municipalities it is about; empty is all of them';

-- A calendar that calendar programs subscribe to. Only the hash of its secret is kept.
create table calendar_feeds (
  user_id uuid primary key references users on delete cascade,
  secret_hash text not null constraint calendar_feeds_secret_unique unique,
  last_read_at timestamptz,
  created_at timestamptz not null default now()
);

-- Projects and their homes.

-- The postal service's official list, when the operator has loaded it (npm run postal). Empty, ranges in the program decide.
create table postal_codes (
  postal_code text not null,
  colonia text not null,
  municipality text not null,
  state text not null,
  primary key (postal_code, colonia),
  constraint postal_codes_five_digits check (postal_code ~ '^[0-9]{5}$')
);

create table projects (
  id uuid primary key default uuidv7(),
  customer_id uuid not null references users,
  agency_id uuid references agencies,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  -- What a project needs before an installation can be booked; quotes and payments write it.
  vehicle jsonb,
  charger jsonb,
  quote_accepted_at timestamptz,
  deposit_paid_at timestamptz,
  permit_needed boolean not null default false,
  permit_received_at timestamptz,
  -- Why a closed project came to nothing; one that was installed has no reason.
  lost_reason text,
  lost_note text,
  -- A customer may have several projects under way, each in a place of its own: at most five, and two that are opened at
  -- once never in the same one.
  place smallint not null default 1,
  chosen_at timestamptz,
  -- The condominium's permit counts once the office or a gester has looked at it.
  permit_valid_at timestamptz,
  permit_returned text,
  constraint projects_lost_is_closed check (lost_reason is null or closed_at is not null),
  constraint projects_lost_reason_known check (lost_reason in
    ('precio', 'no_viable', 'otro_proveedor', 'sin_respuesta', 'ya_no_requiere', 'fuera_de_zona', 'duplicado')),
  constraint projects_place_known check (place between 1 and 5)
);
create index projects_by_agency on projects (agency_id) where agency_id is not null;
create index projects_by_customer on projects (customer_id);
create index projects_by_age on projects (created_at, id);
create index projects_lost on projects (closed_at) where lost_reason is not null;
create unique index projects_open_place on projects (customer_id, place) where closed_at is null;

-- Every project has a standing from its beginning: a list of those at the first stage needs no look at those without one.
create function project_stands() returns trigger language plpgsql as $$
begin
  insert into project_standings (project_id, customer_id) values (new.id, new.customer_id) on conflict do nothing;
  return null;
end $$;

-- A project belongs to the agency that brought its customer.
create function projects_attribute() returns trigger language plpgsql as $$
begin
  -- Who is being tied to an agency right now is waited for (server/clients/hold.ts).
  perform pg_advisory_xact_lock_shared(hashtextextended(new.customer_id::text, 726005));
  new.agency_id := coalesce(
    (select clients.agency_id from clients where clients.customer_id = new.customer_id and clients.ended_at is null),
    new.agency_id);
  return new;
end $$;

create function projects_refill() returns trigger language plpgsql as $$
begin
  update appointments set agency_id = new.agency_id where project_id = new.id;
  return null;
end $$;

create function projects_refill_quotes() returns trigger language plpgsql as $$
begin
  update quotes set agency_id = new.agency_id where project_id = new.id;
  return null;
end $$;
create trigger projects_refilled after update of agency_id on projects for each row
  when (old.agency_id is distinct from new.agency_id) execute function projects_refill();
create trigger projects_refilled_quotes after update of agency_id on projects for each row
  when (old.agency_id is distinct from new.agency_id) execute function projects_refill_quotes();
create trigger projects_attributed before insert on projects for each row execute function projects_attribute();
create trigger projects_staged after insert or update on projects for each row execute function stage_check_of_customer();
create trigger project_stands after insert on projects for each row execute function project_stands();
create trigger projects_not_merged before insert on projects for each row execute function refuse_merged_customer();

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
  wants_notice_at timestamptz,
  approved_at timestamptz,
  -- When the office answered whether we reach a home whose postal code does not say so. The answer stands as long as its
  -- code and its municipality stay.
  area_verified_at timestamptz,
  -- Where a home stands on a map, if its customer or the office said so. Not part of what an appointment or a quote copies
  -- of an address.
  latitude double precision,
  longitude double precision,
  constraint addresses_area_known check (area in ('served', 'outside', 'to_verify')),
  constraint addresses_postal_code_five_digits check (postal_code ~ '^[0-9]{5}$'),
  constraint addresses_pin_whole check ((latitude is null) = (longitude is null)),
  constraint addresses_pin_in_mexico check (latitude between 14 and 33 and longitude between -119 and -86)
);
create unique index addresses_one_current on addresses (project_id) where archived_at is null;
create index addresses_by_word on addresses using gin (address_words(street, outer_number, colonia, postal_code))
  with (gin_pending_list_limit = 64) where archived_at is null;
-- Which callers read out; few homes name who receives.
create index addresses_by_receiver on addresses (receiver_phone) where receiver_phone is not null and archived_at is null;
comment on column addresses.wants_notice_at is 'When the customer asked to hear of the day we reach a place outside our area';
comment on column addresses.approved_at is 'When the manager approved it for a project in the place of the home that was quoted; quotes that were sent before are for it, too';
comment on column addresses.latitude is 'Of the pin, in degrees; null with longitude';
create trigger addresses_staged after insert or update on addresses for each row execute function stage_check_of_project();

create table project_standings (
  project_id uuid primary key references projects,
  customer_id uuid not null references users,
  stage text not null default 'intake',
  waiting_on text not null default 'none',
  since timestamptz,
  updated_at timestamptz not null default now(),
  constraint project_standings_stage_known check (stage in
    ('intake', 'advisory', 'visit', 'quoting', 'deposit', 'installing', 'cfe', 'closed', 'lost')),
  constraint project_standings_waiting_known check (waiting_on in
    ('customer', 'technician', 'analyst', 'manager', 'gester', 'cfe', 'none'))
);
create index project_standings_by_stage on project_standings (stage, project_id);
create index project_standings_by_turn on project_standings (waiting_on, project_id);
create index project_standings_by_customer on project_standings (customer_id);
-- A stage says much about whose turn it is: what is narrowed by both is counted and found by both.
create index project_standings_by_both on project_standings (stage, waiting_on, project_id);
create index project_standings_by_wait on project_standings
  ((waiting_on = 'none'), (coalesce(since, 'infinity'::timestamptz)), project_id);
create index project_standings_by_move on project_standings ((coalesce(since, '-infinity'::timestamptz)), project_id);
comment on table project_standings is 'How far each project is and whose turn it is, as last worked out (stage_checks): what lists are narrowed by. The project''s parts are the truth';
create statistics project_standings_kinds (mcv) on stage, waiting_on from project_standings;

create table stage_checks (
  id bigint generated always as identity primary key,
  customer_id uuid not null
);
create index stage_checks_of_customer on stage_checks (customer_id);
comment on table stage_checks is 'Customers whose stage may have changed. Only ever added to and taken from, so that nobody waits for it';

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
create index events_by_entity on events (entity, entity_id, id);
create index events_with_words on events (at) where reason is not null;
create index events_of_confirmations on events (at)
  where entity = 'appointment' and name in ('autoConfirm', 'without_person');
-- What the system ended by itself since the last evening.
create index events_of_endings on events (at) where actor_id is null and name in ('letGo', 'expire', 'expired');
create index events_of_bookings on events (at)
  where entity = 'appointment' and name in ('book', 'cancel', 'reschedule', 'rescheduleAnew', 'rescheduleTo');
create index events_of_security on events (id)
  where entity = 'user' and name in ('brake', 'release_brake', 'close_network', 'open_network', 'end_sessions', 'restore_sessions');
comment on table events is 'Append-only history; actor_id null is the system';

-- The history stays, and so does what it is about; free words in it go when nobody needs them any more, and so do the bank
-- and the key of a transfer.
create function events_freeze() returns trigger language plpgsql as $$
begin
  if (new.id, new.entity, new.entity_id, new.actor_id, new.name, new.from_state, new.to_state, new.at)
      is distinct from (old.id, old.entity, old.entity_id, old.actor_id, old.name, old.from_state, old.to_state, old.at)
      or (new.data is distinct from old.data and new.data is distinct from old.data - array['bank', 'trackingKey'])
      or new.reason is not null or current_setting('carga.forgetting', true) is distinct from 'on' then
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = 'events_append_only';
  end if;
  return new;
end $$;
create trigger events_append_only before delete or truncate on events for each statement execute function refuse_change();
create trigger events_frozen before update on events for each row execute function events_freeze();

-- Appointments.

-- Generated columns need an immutable expression, which "timestamptz + interval" is not; minutes never cross a change of
-- calendar.
create function visit_range(timestamptz, int) returns tstzrange language sql immutable parallel safe
  return tstzrange($1, $1 + make_interval(mins => $2), '[)');

create function words_of(folio text, customer users) returns tsvector language sql immutable parallel safe
  return (
    weighted(concat_ws(' ', folio, substr(folio, 4), substr(folio, 9), ltrim(substr(folio, 9), '0'), with_parts(($2).name)), 'A')
    || ' ' || weighted(concat_ws(' ', ($2).email, split_part(($2).email, '@', 2), ($2).phone, right(($2).phone, 8), right(($2).phone, 4),
      with_parts(($2).lastname)), 'B')
  )::tsvector;

create function week_of(at timestamptz) returns int language sql immutable parallel safe
  return floor(extract(epoch from at - timestamptz '2000-01-03 00:00Z') / 604800)::int;

-- The cost keeps the planner from working it out row by row where the index knows it.
create function words_of_week(words tsvector, starts_at timestamptz) returns tsvector language sql immutable parallel safe cost 100
  return array_to_tsvector(array(select (select week_of($2) || ' ') || lexeme from unnest($1)));

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
  interest text,
  booked_by uuid references users,
  sequence int not null default 0,
  moved_by_customer int not null default 0,
  moved_by_us int not null default 0,
  closing_reason text,
  late boolean not null default false,
  paused_at timestamptz,
  customer_waiting_since timestamptz,
  nobody_came_at timestamptz,
  time_set_at timestamptz not null default now(),
  reminded_24h_at timestamptz,
  reminded_2h_at timestamptz,
  -- What a list is narrowed and searched by stands in the row itself, kept by triggers, so that a page never joins a million
  -- customers or projects.
  agency_id uuid references agencies,
  words tsvector not null default '',
  customer_came_at timestamptz,
  call_back_asked_at timestamptz,
  taken_over_at timestamptz,
  -- What the office answered to a customer who reported that nobody came; null again with a new report.
  nobody_came_answer text,
  nobody_came_answered_at timestamptz,
  -- By how much an assignee said that they are late, and when they said it. Of another time since, it counts no more.
  running_late_minutes integer,
  running_late_at timestamptz,
  constraint appointments_service_known check (service in ('technical_visit', 'installation', 'videocall')),
  constraint appointments_state_known check (state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused', 'done', 'cancelled', 'no_show')),
  constraint appointments_minutes_sensible check (minutes between 5 and 1440),
  constraint appointments_assigned_has_person check (state not in ('assigned', 'en_route', 'in_progress', 'paused') or assignee_id is not null),
  constraint appointments_request_once unique (customer_id, request_key),
  constraint appointments_one_at_a_time exclude using gist (assignee_id with =, during with &&)
    where (state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused')),
  constraint appointments_customer_one_at_a_time exclude using gist (customer_id with =, during with &&)
    where (state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused')),
  constraint appointments_interest_known check (interest in ('01', '02', '03')),
  constraint appointments_interest_of_calls check (interest is null or service = 'videocall'),
  constraint appointments_outcome_known check (outcome in ('completed', 'partial', 'not_possible')),
  constraint appointments_closing_reason_known check (closing_reason in (
    'cliente_no_disponible', 'cliente_se_arrepiente', 'clima', 'falta_material', 'tecnico_no_disponible',
    'analista_no_disponible', 'sin_acceso', 'instalacion_insegura', 'pago_pendiente', 'permiso_condominio', 'duplicada', 'otro'
  )),
  constraint appointments_nobody_came_answer check (
    nobody_came_answer in ('calling', 'coming', 'was_there') and nobody_came_at is not null
      and nobody_came_answered_at is not null
    or nobody_came_answer is null and nobody_came_answered_at is null
  ),
  constraint appointments_running_late check (
    running_late_minutes in (15, 30, 60) and running_late_at is not null
    or running_late_minutes is null and running_late_at is null
  )
);
create unique index appointments_one_active_per_service on appointments (project_id, service)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_active_by_person on appointments (assignee_id, starts_at)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_pending_by_start on appointments (starts_at, id)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_done_by_start on appointments (starts_at desc, id desc) where state in ('done', 'cancelled', 'no_show');
create index appointments_by_project on appointments (project_id, starts_at);
create index appointments_to_remind on appointments (starts_at)
  where state in ('requested', 'assigned') and (reminded_24h_at is null or reminded_2h_at is null);
-- Each combination of equal values is one stretch of one of these, in the order of the list: however rare what is looked
-- for, a page is the head of a few stretches.
create index appointments_listed on appointments (state, service, starts_at, id);
create index appointments_listed_by_zone on appointments (municipality, state, service, starts_at, id);
create index appointments_listed_by_person on appointments (assignee_id, state, service, starts_at, id);
create index appointments_listed_by_agency on appointments (agency_id, state, service, starts_at, id) where agency_id is not null;
-- A word's entries stand week by week: a search goes through the weeks in the order of its list, and stops at a page. One
-- index for each list: bookings write that of the pending ones only. They leave their words on a short list that the index
-- takes in now and then; a search reads that list whole, once for each of the few weeks ahead.
create index appointments_pending_by_word on appointments using gin (words_of_week(words, starts_at)) with (gin_pending_list_limit = 64)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_done_by_word on appointments using gin (words_of_week(words, starts_at)) with (fastupdate = off)
  where state in ('done', 'cancelled', 'no_show');
create index appointments_waiting_in_room on appointments (customer_waiting_since)
  where service = 'videocall' and customer_waiting_since is not null;
-- What the days ahead hold of each service, and what waits for the manager, counted in an index.
create index appointments_ahead on appointments (service, starts_at)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_requested on appointments (service, municipality, assignee_id) where state = 'requested';
-- What the office has to do first, read at the head of an index.
create index appointments_without_person on appointments (starts_at, id) where state = 'requested' and assignee_id is null;
-- "Cifras" follows every project from its first visit to its installation: read from the index alone, in the order of
-- projects.
create index appointments_of_journeys on appointments (project_id) include (service, state, outcome, created_at, starts_at, finished_at)
  where service in ('technical_visit', 'installation');
comment on column appointments.confirmed_at is 'Null while the person is provisional: chosen at booking, not yet confirmed, and not shown to that person';
comment on column appointments.address is 'The address as it was when booked';
comment on column appointments.request_key is 'Made by the form: the same key sent twice is one appointment';
comment on column appointments.booked_by is 'The member of staff who booked it for a caller; null when its customer did';
comment on column appointments.sequence is 'SEQUENCE of its calendar entry: grows with every change that calendars show';
comment on column appointments.moved_by_customer is 'How often its customer moved it; what we cause does not count';
comment on column appointments.moved_by_us is 'How often we moved it; an earlier time its customer waited for counts as nobody''s move';
comment on column appointments.late is 'Cancelled by its customer after the cut-off';
comment on column appointments.customer_waiting_since is 'Since when the customer of a call is in its room without an analyst; null while nobody waits';
comment on column appointments.time_set_at is 'When its start was chosen: at booking, or with the last move';
comment on column appointments.reminded_24h_at is 'Null again when the appointment is moved: it has another start to be reminded of';
comment on column appointments.agency_id is 'That of its project: whose allies see it';
comment on column appointments.words is 'What a search finds it by, lower case and without accents: folio and first name (A, which allies may see), last name, e-mail and phone (B)';
comment on column appointments.customer_came_at is 'When the customer of a call first entered its room: who was there is never a no-show';
comment on column appointments.call_back_asked_at is 'When the customer of a call asked to be phoned instead';
comment on column appointments.taken_over_at is 'When somebody else took a call whose customer waited: nobody takes it from them at once';

-- "For share" waits for a change of the customer or the project under way, which then finds this row, or is found by it.
create function appointments_fill() returns trigger language plpgsql as $$
begin
  select words_of(new.folio, customer) into new.words from users customer where customer.id = new.customer_id for share;
  select projects.agency_id into new.agency_id from projects where projects.id = new.project_id for share;
  return new;
end $$;
create trigger appointments_filled before insert or update of folio, customer_id, project_id on appointments
  for each row execute function appointments_fill();
create trigger appointments_staged after insert or update of state, outcome, starts_at, project_id on appointments
  for each row execute function stage_check_of_customer();
create trigger appointments_not_merged before insert on appointments for each row execute function refuse_merged_customer();

-- From which network (hashed) an appointment was booked by somebody whose mailbox nobody proved, so that those still active
-- are counted by it. Rows go within a day: by then the mailbox is proved, or the appointment was let go.
create table unproved_bookings (
  appointment_id uuid constraint unproved_bookings_pkey primary key
    constraint unproved_bookings_appointment_fkey references appointments (id) on delete cascade,
  network text not null
);
create index unproved_bookings_by_network on unproved_bookings (network);

-- The link by which a customer shows their family who comes: one for an appointment, for the day that it was made for. Only
-- the hash of its secret is kept.
create table shared_visits (
  appointment_id uuid primary key constraint shared_visits_appointment references appointments on delete cascade,
  secret_hash text not null constraint shared_visits_secret_unique unique,
  day date not null,
  created_at timestamptz not null default now()
);

-- Somebody who would come earlier. One open wish per service and project.
create table slot_wishes (
  id uuid primary key default uuidv7(),
  customer_id uuid not null references users,
  project_id uuid not null references projects,
  service text not null,
  appointment_id uuid references appointments,
  before timestamptz,
  ended_at timestamptz,
  ended_because text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint slot_wishes_service_known check (service in ('technical_visit', 'installation', 'videocall')),
  constraint slot_wishes_end_known check (ended_because in ('claimed', 'withdrawn', 'appointment_over', 'passed'))
);
create unique index slot_wishes_one_open on slot_wishes (project_id, service) where ended_at is null;
create index slot_wishes_waiting on slot_wishes (service, created_at) where ended_at is null;
create index slot_wishes_of_customer on slot_wishes (customer_id);
comment on column slot_wishes.appointment_id is 'The appointment that would be moved; null when nothing is booked yet';
comment on column slot_wishes.before is 'Only what starts earlier is of use; null for anything';
create trigger slot_wishes_not_merged before insert on slot_wishes for each row execute function refuse_merged_customer();

-- A freed slot held out to somebody for a while. Holding it out reserves nothing: the first claim wins.
create table slot_offers (
  id uuid primary key default uuidv7(),
  wish_id uuid not null references slot_wishes on delete cascade,
  starts_at timestamptz not null,
  expires_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint slot_offers_answer_known check (answer in ('claimed', 'declined', 'gone')),
  constraint slot_offers_once unique (wish_id, starts_at)
);
create index slot_offers_open on slot_offers (expires_at) where answer is null;

-- What was open at the last look for whoever waits: only what was not is news to them.
create table open_slots (
  service text not null,
  zone smallint not null,
  starts int[] not null,
  primary key (service, zone)
);
comment on column open_slots.starts is 'Epoch minutes';
comment on column open_slots.zone is 'Index of the municipality; -1 for what happens nowhere';

create table move_offers (
  id uuid primary key default uuidv7(),
  appointment_id uuid not null references appointments,
  absent_id uuid not null references users,
  assignee_id uuid not null references users,
  from_starts_at timestamptz not null,
  to_starts_at timestamptz not null,
  harm int not null,
  made_by uuid not null references users,
  expires_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint move_offers_answer_known check (answer in ('accepted', 'declined', 'expired', 'withdrawn', 'gone'))
);
create unique index move_offers_one_open on move_offers (appointment_id) where answer is null;
create index move_offers_by_absent on move_offers (absent_id, from_starts_at);
create index move_offers_of_appointment on move_offers (appointment_id);
create trigger move_offers_staged after insert or update of answer on move_offers
  for each row execute function stage_check_of_appointment();

-- Calls: who is in the room of one, what they say to each other, and what comes of it.

create table calls (
  appointment_id uuid primary key references appointments,
  met_at timestamptz,
  keeps_waiting_at timestamptz,
  notes text not null default '',
  notes_version int not null default 0,
  summary text,
  next_steps text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1
);
comment on table calls is 'What only a call has, beside its appointment';
comment on column calls.met_at is 'When both sides were first in the room together';
comment on column calls.keeps_waiting_at is 'When its customer last chose to go on waiting for an analyst who does not come';
comment on column calls.notes is 'The analyst''s own, kept as they are typed; never shown to the customer';
comment on column calls.notes_version is 'Rises with the notes alone: two who write at once each hear of the other';
comment on column calls.summary is 'What was talked about, for the customer';

-- A stay in the room: one page of one person. It outlives a lost connection for a while.
create table call_sittings (
  id uuid primary key default uuidv7(),
  appointment_id uuid not null references appointments,
  side text not null,
  user_id uuid not null references users,
  session_id uuid not null,
  page_id uuid not null,
  connection_id uuid,
  media jsonb not null,
  joined_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  lost_at timestamptz,
  left_at timestamptz,
  left_because text,
  constraint call_sittings_side_known check (side in ('customer', 'analyst')),
  constraint call_sittings_end_known check (left_because in ('left', 'replaced', 'lost', 'ended', 'signed_out', 'taken_over')),
  constraint call_sittings_end_told check ((left_at is null) = (left_because is null))
);
create unique index call_sittings_one_per_side on call_sittings (appointment_id, side) where left_at is null;
create index call_sittings_open_of_person on call_sittings (user_id) where left_at is null;
create index call_sittings_of_call on call_sittings (appointment_id, joined_at);
comment on column call_sittings.page_id is 'Drawn by the page: the same page that comes back sits down where it sat, another one takes its place';
comment on column call_sittings.connection_id is 'The socket that holds it; null while the connection is lost';
comment on column call_sittings.seen_at is 'Written every few seconds by the process that holds its socket: an old one is of a process that ended';

-- What is on its way between two pages. Whoever delivers it deletes it; after a crash the pages begin again by themselves.
create unlogged table call_signals (
  id bigint generated always as identity primary key,
  to_sitting uuid not null,
  from_sitting uuid not null,
  body jsonb not null,
  at timestamptz not null default now()
);
create index call_signals_to on call_signals (to_sitting, id);

create table call_messages (
  id uuid primary key,
  appointment_id uuid not null references appointments,
  author_id uuid not null references users,
  side text not null,
  text text not null,
  at timestamptz not null default clock_timestamp(),
  constraint call_messages_side_known check (side in ('customer', 'analyst')),
  constraint call_messages_length check (char_length(text) between 1 and 2000)
);
create index call_messages_of_call on call_messages (appointment_id, at, id);
comment on column call_messages.id is 'Made by the page that wrote it: sent twice, it is one message';

-- Who has a screen open right now; worth nothing after a restart.
create unlogged table presence (
  user_id uuid primary key references users on delete cascade,
  seen_at timestamptz not null default now()
);

-- Reports: what is filled in on site, with photos and signatures, and the faults that a customer reports during the warranty.

create table sheets (
  appointment_id uuid primary key references appointments,
  kind text not null,
  state text not null default 'draft',
  submitted_at timestamptz,
  submitted_by uuid references users,
  captured_at timestamptz,
  reviewed_at timestamptz,
  reviewed_by uuid references users,
  return_reason text,
  redo jsonb not null default '{}',
  charger_brand text,
  charger_serial text,
  warranty_until date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  -- A sheet whole and handed in after its appointment was taken from its author: the manager's to decide.
  claimed_at timestamptz,
  claimed_by uuid references users,
  claim_answered_at timestamptz,
  claim_refusal text,
  constraint sheets_kind_known check (kind in ('visit', 'installation')),
  constraint sheets_state_known check (state in ('draft', 'submitted', 'approved', 'returned')),
  constraint sheets_reviewed_known check (state not in ('approved', 'returned') or (reviewed_at is not null and reviewed_by is not null)),
  constraint sheets_return_told check (state <> 'returned' or return_reason is not null),
  constraint sheets_claim_whole check ((claimed_at is null) = (claimed_by is null)),
  constraint sheets_claim_answered check (claim_answered_at is null or claimed_at is not null),
  constraint sheets_claim_refusal_answers check (claim_refusal is null or claim_answered_at is not null)
);
alter table sheets add constraint sheets_submitted_known
    check (state in ('draft', 'returned') or (submitted_at is not null and submitted_by is not null)) not valid;
create unique index sheets_serial_once on sheets (lower(charger_brand), upper(charger_serial)) where charger_serial is not null;
create index sheets_in_review on sheets (submitted_at) where state = 'submitted';
create index sheets_returned on sheets (submitted_by) where state = 'returned';
comment on table sheets is 'What a technician fills in on site: a visit report or an installation record, one per appointment';
comment on column sheets.captured_at is 'When it was sent on the phone; submitted_at is when it arrived';
comment on column sheets.redo is 'The answers and slots that whoever returned it asks for again, each with the revision or the file it had then';
comment on column sheets.warranty_until is 'Last day of the warranty of an installation, in Mexico City';
comment on column sheets.claimed_at is 'When it was handed in on the phone';
comment on column sheets.claim_refusal is 'Why the manager did not reopen the appointment, for whoever carried it out';
create trigger sheets_staged after insert or update of state on sheets for each row execute function stage_check_of_appointment();

-- Every value that an answer of a report has had: a failed measurement stays, and a later change invalidates a signature
-- also where the answer was changed back. Of texts, which may identify a person, only the change is noted.
create table sheet_answer_history (
  id bigint generated always as identity constraint sheet_answer_history_key primary key,
  appointment_id uuid not null constraint sheet_answer_history_appointment references appointments,
  name text not null,
  value jsonb,
  changed_at timestamptz not null,
  arrived_at timestamptz not null,
  changed_by uuid not null constraint sheet_answer_history_changed_by references users
);
create index sheet_answer_history_of on sheet_answer_history (appointment_id, id);
create trigger sheet_answer_history_append_only before update or delete on sheet_answer_history
  for each statement execute function refuse_change();

create table sheet_answers (
  appointment_id uuid not null references appointments,
  name text not null,
  value jsonb,
  revision int not null default 1,
  changed_at timestamptz not null,
  arrived_at timestamptz not null default now(),
  changed_by uuid not null references users,
  constraint sheet_answers_key primary key (appointment_id, name),
  constraint sheet_answers_length check (pg_column_size(value) < 20000)
);
-- Visits whose report asks for paperwork, which is what gesters read and cases are opened for: few rows of many.
create index sheet_answers_need_paperwork on sheet_answers (appointment_id)
  where (name = 'meterChoice' and value = '"second"') or (name in ('loadIncrease', 'needsUvie') and value = 'true');
comment on column sheet_answers.revision is 'Of this answer alone: a change says on which one it was made, so that nothing is overwritten unseen';
comment on column sheet_answers.changed_at is 'When it was typed, by the clock of the phone; arrived_at is when we heard of it';

-- By the database itself, so that nobody who writes an answer leaves it out.
create function note_answer() returns trigger language plpgsql as $$
begin
  insert into sheet_answer_history (appointment_id, name, value, changed_at, arrived_at, changed_by)
  values (new.appointment_id, new.name, case when jsonb_typeof(new.value) in ('number', 'boolean') then new.value end,
    new.changed_at, new.arrived_at, new.changed_by);
  return null;
end $$;
-- Whether an installation is possible may be put right after its report was sent.
create trigger sheet_answers_staged after insert or update on sheet_answers for each row
  when (new.name in ('feasibility', 'feasibilityReason')) execute function stage_check_of_appointment();
create trigger sheet_answers_noted after insert or update of revision on sheet_answers
  for each row execute function note_answer();

create table faults (
  id uuid primary key,
  appointment_id uuid not null references appointments,
  customer_id uuid not null references users,
  description text not null,
  visit_id uuid references appointments,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint faults_description_length check (char_length(description) between 1 and 2000)
);
create unique index faults_one_open on faults (appointment_id) where closed_at is null;
create index faults_of_visit on faults (visit_id) where visit_id is not null;
create index faults_of_customer on faults (customer_id);
comment on table faults is 'What a customer reports about an installation during its warranty; visit_id is the visit that answers it';
create trigger faults_staged after insert or update on faults for each row execute function stage_check_of_appointment();
create trigger faults_not_merged before insert on faults for each row execute function refuse_merged_customer();

create table files (
  id uuid primary key,
  appointment_id uuid not null references appointments,
  slot text not null,
  fault_id uuid references faults,
  sent_sha256 text not null,
  sha256 text not null,
  type text not null,
  bytes int not null,
  width int not null,
  height int not null,
  captured_at timestamptz not null,
  arrived_at timestamptz not null default now(),
  kept_because text,
  uploaded_by uuid not null references users,
  replaced_at timestamptz,
  constraint files_hashes check (sent_sha256 ~ '^[0-9a-f]{64}$' and sha256 ~ '^[0-9a-f]{64}$'),
  constraint files_type_known check (type in ('image/jpeg', 'image/png'))
);
create unique index files_one_per_slot on files (appointment_id, slot) where replaced_at is null and fault_id is null;
create unique index files_one_per_fault_slot on files (fault_id, slot) where replaced_at is null and fault_id is not null;
create index files_of_appointment on files (appointment_id);
comment on table files is 'Photos and signatures; the pictures themselves lie in the store of files under appointment, id and what was sent';
comment on column files.id is 'Made where it was taken, so that sending it twice stores it once';
comment on column files.sent_sha256 is 'Of what was sent; sha256 is of the full picture as we keep and hand it out';
comment on column files.captured_at is 'When it was taken, by the clock of the phone; arrived_at is when we got it';
comment on column files.kept_because is 'Why a picture that the phone warned about was kept';
comment on column files.replaced_at is 'When a later one took its slot, or it was taken out';

-- The secret of the page that says whether a hand-over's document is ours; made when the document first is.
create table handover_proofs (
  appointment_id uuid primary key
    constraint handover_proofs_sheet references sheets (appointment_id) on delete cascade,
  secret uuid not null default gen_random_uuid() constraint handover_proofs_secret unique,
  -- What it was when the document was made.
  credential text
);

-- Documents.

create table documents (
  id uuid primary key default uuidv7(),
  customer_id uuid references users,
  project_id uuid references projects,
  purpose text not null,
  name text not null,
  type text not null,
  bytes int not null,
  sha256 text not null,
  uploaded_by uuid not null references users,
  created_at timestamptz not null default now(),
  replaced_at timestamptz,
  agency_id uuid references agencies,
  constraint documents_type_known check (type in ('application/pdf', 'image/jpeg', 'image/png', 'application/xml')),
  constraint documents_hash check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint documents_name_length check (char_length(name) between 1 and 200),
  constraint documents_of_one check (num_nonnulls(customer_id, agency_id) = 1),
  constraint documents_of_agencies check ((agency_id is not null) = (purpose = 'commission_proof'))
);
alter table documents add constraint documents_purpose_known
    check (purpose in ('payment_proof', 'refund_proof', 'constancia', 'invoice_xml',
      'invoice_pdf', 'condominium_permit', 'commission_proof', 'cfe_paper')) not valid;
create index documents_of_customer on documents (customer_id, purpose);
create index documents_of_project on documents (project_id, purpose) where project_id is not null;
create index documents_of_agency on documents (agency_id) where agency_id is not null;
comment on table documents is 'Papers that people hand in; their bytes lie in the store of files under documents and id';
create trigger documents_not_merged before insert on documents for each row
  when (new.customer_id is not null) execute function refuse_merged_customer();

-- Quotes. Amounts are whole centavos here and below; unit prices ten-thousandths of a peso without IVA.

create table catalogue_items (
  id uuid primary key default uuidv7(),
  code text not null constraint catalogue_items_code_unique unique,
  description text not null,
  kind text not null,
  unit text not null,
  unit_price bigint not null,
  iva smallint not null default 16,
  sat_product text not null,
  sat_unit text not null,
  active boolean not null default true,
  position int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  unit_cost bigint constraint catalogue_items_cost_range check (unit_cost between 0 and 9999999999),
  constraint catalogue_items_kind_known check (kind in ('material', 'labor', 'equipment', 'paperwork', 'permit', 'travel')),
  constraint catalogue_items_price_range check (unit_price between 0 and 9999999999),
  constraint catalogue_items_iva_known check (iva in (0, 16)),
  constraint catalogue_items_sat_product_shape check (sat_product ~ '^[0-9]{8}$'),
  constraint catalogue_items_sat_unit_shape check (sat_unit ~ '^[A-Z0-9]{2,3}$')
);
comment on table catalogue_items is 'What quotes are made of; a draft copies its prices, so that a change changes only new drafts';
comment on column catalogue_items.code is 'By which the rules propose it';
comment on column catalogue_items.unit_cost is 'What one unit costs the house, in ten-thousandths of a peso without IVA; null where nobody wrote it';
insert into catalogue_items (code, description, kind, unit, unit_price, sat_product, sat_unit, position) values
  ('CAR-7', 'Cargador de hasta 7.7 kW, con garantía del fabricante', 'equipment', 'pieza', 94827600, '26111704', 'H87', 1),
  ('CAR-11', 'Cargador de hasta 11.5 kW, con garantía del fabricante', 'equipment', 'pieza', 128000000, '26111704', 'H87', 2),
  ('CAR-22', 'Cargador de hasta 22 kW, con garantía del fabricante', 'equipment', 'pieza', 172000000, '26111704', 'H87', 3),
  ('CAB-12', 'Cable de cobre THW calibre 12 AWG', 'material', 'm', 140000, '26121600', 'MTR', 4),
  ('CAB-10', 'Cable de cobre THW calibre 10 AWG', 'material', 'm', 220000, '26121600', 'MTR', 5),
  ('CAB-8', 'Cable de cobre THW calibre 8 AWG', 'material', 'm', 360000, '26121600', 'MTR', 6),
  ('CAB-6', 'Cable de cobre THW calibre 6 AWG', 'material', 'm', 560000, '26121600', 'MTR', 7),
  ('CAB-4', 'Cable de cobre THW calibre 4 AWG', 'material', 'm', 880000, '26121600', 'MTR', 8),
  ('CAB-3', 'Cable de cobre THW calibre 3 AWG', 'material', 'm', 1100000, '26121600', 'MTR', 9),
  ('CAB-2', 'Cable de cobre THW calibre 2 AWG', 'material', 'm', 1400000, '26121600', 'MTR', 10),
  ('CAB-1', 'Cable de cobre THW calibre 1 AWG', 'material', 'm', 1780000, '26121600', 'MTR', 11),
  ('TUB-VIS', 'Tubería visible con abrazaderas', 'material', 'm', 950000, '39131700', 'MTR', 12),
  ('TUB-EMP', 'Tubería empotrada, con ranura y resane', 'material', 'm', 2200000, '39131700', 'MTR', 13),
  ('TUB-SUB', 'Tubería subterránea, con zanja y relleno', 'material', 'm', 2600000, '39131700', 'MTR', 14),
  ('INT-1P-30', 'Interruptor termomagnético de 1 polo, de 15 a 30 A', 'material', 'pieza', 1800000, '39121600', 'H87', 15),
  ('INT-1P-60', 'Interruptor termomagnético de 1 polo, de 40 a 60 A', 'material', 'pieza', 2600000, '39121600', 'H87', 16),
  ('INT-1P-100', 'Interruptor termomagnético de 1 polo, de 70 a 100 A', 'material', 'pieza', 4800000, '39121600', 'H87', 17),
  ('INT-2P-30', 'Interruptor termomagnético de 2 polos, de 15 a 30 A', 'material', 'pieza', 3400000, '39121600', 'H87', 18),
  ('INT-2P-60', 'Interruptor termomagnético de 2 polos, de 40 a 60 A', 'material', 'pieza', 4200000, '39121600', 'H87', 19),
  ('INT-2P-100', 'Interruptor termomagnético de 2 polos, de 70 a 100 A', 'material', 'pieza', 9800000, '39121600', 'H87', 20),
  ('INT-3P-30', 'Interruptor termomagnético de 3 polos, de 15 a 30 A', 'material', 'pieza', 6200000, '39121600', 'H87', 21),
  ('INT-3P-60', 'Interruptor termomagnético de 3 polos, de 40 a 60 A', 'material', 'pieza', 7900000, '39121600', 'H87', 22),
  ('INT-3P-100', 'Interruptor termomagnético de 3 polos, de 70 a 100 A', 'material', 'pieza', 14800000, '39121600', 'H87', 23),
  ('CEN-8', 'Centro de carga de 8 espacios', 'material', 'pieza', 14500000, '39121000', 'H87', 24),
  ('TIE-VAR', 'Varilla de tierra física con registro', 'material', 'pieza', 13500000, '39121600', 'H87', 25),
  ('PRO-SOB', 'Supresor de picos para la línea del cargador', 'equipment', 'pieza', 14500000, '39121600', 'H87', 26),
  ('DES-60', 'Desconectador junto al cargador', 'equipment', 'pieza', 9800000, '39121600', 'H87', 27),
  ('SOP-CAB', 'Soporte para el cable del cargador', 'material', 'pieza', 2800000, '39131700', 'H87', 28),
  ('PED-1', 'Pedestal para el cargador, con su base', 'equipment', 'pieza', 32000000, '39121000', 'H87', 29),
  ('MO-BASE', 'Instalación y conexión del cargador', 'labor', 'servicio', 64000000, '72151500', 'E48', 30),
  ('MO-MET', 'Tendido de tubería y cable', 'labor', 'm', 950000, '72151500', 'MTR', 31),
  ('MO-HORA', 'Hora adicional de la cuadrilla', 'labor', 'hora', 3800000, '72151500', 'HUR', 32),
  ('MED-2', 'Obra para un segundo medidor', 'labor', 'servicio', 38793100, '72151500', 'E48', 33),
  ('PRU-1', 'Pruebas, puesta en marcha y capacitación', 'labor', 'servicio', 6500000, '72151500', 'E48', 34),
  ('MAN-1', 'Mantenimiento preventivo al año', 'labor', 'servicio', 12000000, '72151500', 'E48', 35),
  ('TRA-MED', 'Trámite de segundo medidor ante CFE', 'paperwork', 'trámite', 15000000, '80161500', 'E48', 36),
  ('TRA-CAR', 'Trámite de aumento de carga ante CFE', 'paperwork', 'trámite', 12000000, '80161500', 'E48', 37),
  ('TRA-FAC', 'Solicitud de factibilidad ante CFE', 'paperwork', 'trámite', 9000000, '80161500', 'E48', 38),
  ('UVIE-1', 'Dictamen de una unidad de inspección (UVIE)', 'permit', 'dictamen', 35000000, '80161500', 'E48', 39),
  ('PER-CON', 'Gestión del permiso del condominio', 'permit', 'trámite', 6000000, '80161500', 'E48', 40),
  ('VIA-1', 'Traslado de la cuadrilla', 'travel', 'servicio', 3500000, '72151500', 'E48', 41);

create table quotes (
  id uuid primary key default uuidv7(),
  folio text not null,
  revision int not null default 1,
  kind text not null default 'installation',
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  agency_id uuid references agencies,
  appointment_id uuid not null references appointments,
  replaces_id uuid references quotes,
  state text not null default 'draft',
  content jsonb not null,
  addressee text,
  address jsonb,
  digest text,
  lowest_total bigint not null default 0,
  highest_total bigint not null default 0,
  discount_share int not null default 0,
  made_by uuid not null references users,
  sent_at timestamptz,
  sent_by uuid references users,
  viewed_at timestamptz,
  valid_until timestamptz,
  answered_at timestamptz,
  reason text,
  accepted_option text,
  accepted_add_ons text[] not null default '{}',
  accepted_total bigint,
  deposit_amount bigint,
  accepted_name text,
  accepted_ip text,
  accepted_digest text,
  accepted_at timestamptz,
  ended_at timestamptz,
  reminded_3d_at timestamptz,
  reminded_1d_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  below_list int not null default 0,
  below_cost boolean not null default false,
  constraint quotes_revision_unique unique (folio, revision),
  constraint quotes_kind_known check (kind in ('installation', 'extra_work')),
  constraint quotes_state_known check (state in ('draft', 'sent', 'viewed', 'accepted', 'rejected', 'changes_requested',
    'expired', 'withdrawn', 'superseded', 'cancelled', 'lapsed')),
  constraint quotes_sent_whole check (state in ('draft', 'withdrawn')
    or (digest is not null and sent_at is not null and valid_until is not null)),
  constraint quotes_accepted_whole check (state not in ('accepted', 'cancelled', 'lapsed')
    or (accepted_option is not null and accepted_total is not null and deposit_amount between 0 and accepted_total
      and accepted_name is not null and accepted_at is not null and accepted_digest = digest))
);
create unique index quotes_one_draft on quotes (project_id, kind) where state = 'draft';
create unique index quotes_one_open on quotes (project_id, kind) where state in ('sent', 'viewed');
create unique index quotes_one_accepted on quotes (project_id) where state = 'accepted' and kind = 'installation';
create index quotes_of_project on quotes (project_id, revision);
create index quotes_of_appointment on quotes (appointment_id);
create index quotes_of_customer on quotes (customer_id);
create index quotes_listed on quotes (state, created_at, id);
create index quotes_listed_by_agency on quotes (agency_id, state, created_at, id) where agency_id is not null;
create index quotes_to_end on quotes (valid_until) where state in ('sent', 'viewed', 'accepted');
create index quotes_by_age on quotes (created_at, id);
create index quotes_sent on quotes (sent_at) include (project_id, accepted_at) where kind = 'installation' and sent_at is not null;
create index quotes_by_sent on quotes ((coalesce(sent_at, '-infinity'::timestamptz)), id);
create index quotes_by_worth on quotes ((coalesce(accepted_total, lowest_total)), id);
create index quotes_by_end on quotes ((coalesce(valid_until, 'infinity'::timestamptz)), id);
comment on table quotes is 'One row for each version of a quote; versions share the folio';
comment on column quotes.appointment_id is 'The visit it follows from; of extra work the installation it is made for';
comment on column quotes.agency_id is 'That of its project, kept by a trigger: whose allies see it';
comment on column quotes.addressee is 'Whose name, and address, was the one when it was sent: what the digest is of, and what its paper says';
comment on column quotes.digest is 'SHA-256 of the canonical JSON of what was sent: folio, revision, addressee, address, content';
comment on column quotes.lowest_total is 'Of its options, IVA included; draft, sent or not';
comment on column quotes.discount_share is 'The largest discount of its options, in hundredths of a percent of what the lines come to';
comment on column quotes.below_list is 'How far it was below the catalogue and its report''s proposal when it was last saved or sent, in hundredths of a percent; 0 before that was measured';
comment on column quotes.below_cost is 'Whether an option came to less than its items cost, by the catalogue of that moment';

create function quotes_fill() returns trigger language plpgsql as $$
begin
  select projects.agency_id into new.agency_id from projects where projects.id = new.project_id for share;
  return new;
end $$;

-- What a customer was sent, or has agreed to, is never written again. But a quote that was sent and not yet seen may be
-- taken back, and a name under an acceptance goes after five years, when no law asks for it.
create function quotes_freeze() returns trigger language plpgsql as $$
begin
  if old.state = 'sent' and new.state = 'draft' and old.viewed_at is null
      and (new.digest, new.sent_at, new.valid_until) is not distinct from (null, null, null)
      and (new.content, new.folio, new.revision, new.project_id)
        is not distinct from (old.content, old.folio, old.revision, old.project_id) then
    return new;
  end if;
  if old.state <> 'draft' and (new.content, new.digest, new.folio, new.revision, new.sent_at, new.valid_until, new.project_id)
      is distinct from (old.content, old.digest, old.folio, old.revision, old.sent_at, old.valid_until, old.project_id) then
    raise exception 'a quote that was sent is frozen' using errcode = 'restrict_violation', constraint = 'quotes_frozen';
  end if;
  if old.accepted_at is not null and (new.accepted_option, new.accepted_add_ons, new.accepted_total, new.deposit_amount,
      new.accepted_digest, new.accepted_at) is distinct from (old.accepted_option, old.accepted_add_ons,
      old.accepted_total, old.deposit_amount, old.accepted_digest, old.accepted_at) then
    raise exception 'an acceptance is frozen' using errcode = 'restrict_violation', constraint = 'quotes_frozen';
  end if;
  if old.accepted_at is not null and new.accepted_name is distinct from old.accepted_name
      and not (new.accepted_name = '–' and old.accepted_at < now() - interval '5 years') then
    raise exception 'an acceptance is frozen' using errcode = 'restrict_violation', constraint = 'quotes_frozen';
  end if;
  return new;
end $$;
create trigger quotes_filled before insert or update of project_id on quotes for each row execute function quotes_fill();
create trigger quotes_frozen before update on quotes for each row execute function quotes_freeze();
create trigger quotes_staged after insert or update of state, answered_at on quotes
  for each row execute function stage_check_of_customer();
create trigger quotes_not_merged before insert on quotes for each row execute function refuse_merged_customer();

-- What an author of a quote asks the manager before sending it, with the answer. `quote_version` is the draft that was
-- answered: once it changes, the answer no longer holds.
create table quote_approvals (
  id uuid primary key default uuidv7(),
  quote_id uuid not null constraint quote_approvals_quote references quotes on delete cascade,
  reason text not null,
  asked_by uuid not null constraint quote_approvals_asker references users,
  asked_at timestamptz not null default now(),
  answer text,
  words text,
  answered_by uuid constraint quote_approvals_answerer references users,
  answered_at timestamptz,
  quote_version int,
  constraint quote_approvals_answer_known check (answer in ('approved', 'returned')),
  constraint quote_approvals_answered_whole check ((answer is null) = (answered_at is null)
    and (answer is null) = (answered_by is null) and (answer is null) = (quote_version is null)),
  constraint quote_approvals_returned_why check (answer is distinct from 'returned' or words is not null)
);
create unique index quote_approvals_one_open on quote_approvals (quote_id) where answer is null;
create index quote_approvals_waiting on quote_approvals (asked_at, id) where answer is null;
create index quote_approvals_of_quote on quote_approvals (quote_id, asked_at);
create index quote_approvals_of_asker on quote_approvals (asked_by, answered_at) where answer is not null;

-- Payments and the movements of the bank.

create table refunds (
  id uuid primary key default uuidv7(),
  folio text not null constraint refunds_folio_unique unique,
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  quote_id uuid references quotes,
  state text not null default 'requested',
  amount bigint not null,
  materials bigint not null default 0,
  reason text not null,
  requested_by uuid references users,
  method text,
  source_id uuid,
  clabe text,
  beneficiary text,
  decided_by uuid references users,
  decided_at timestamptz,
  refused_reason text,
  proof_id uuid references documents,
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  -- Since when a refund goes to the account it names; null of those told before.
  account_at timestamptz,
  constraint refunds_state_known check (state in ('requested', 'approved', 'paid', 'refused')),
  constraint refunds_amount_positive check (amount > 0),
  constraint refunds_method_known check (method in ('spei', 'card', 'cash', 'terminal')),
  constraint refunds_clabe_shape check (clabe ~ '^[0-9]{18}$'),
  constraint refunds_materials check (materials >= 0),
  constraint refunds_decided check ((state = 'requested') = (decided_at is null)
    and (state in ('requested', 'refused') or decided_by is not null or method = 'card')),
  constraint refunds_refusal_told check (state <> 'refused' or refused_reason is not null)
);
create unique index refunds_one_open on refunds (project_id) where state in ('requested', 'approved');
create index refunds_of_project on refunds (project_id);
comment on table refunds is 'Money to be given back; once paid, a negative row of payments says so';
comment on column refunds.requested_by is 'Null when the product proposed it';
comment on column refunds.decided_by is 'Null when somebody gave a card payment back at Stripe''s own pages, or nothing was left to give back';
comment on column refunds.materials is 'What was bought for a quote that was cancelled, and is kept';
comment on column refunds.source_id is 'The card payment that goes back the way it came';
create trigger refunds_not_merged before insert on refunds for each row execute function refuse_merged_customer();

create table payments (
  id uuid primary key default uuidv7(),
  folio text not null constraint payments_folio_unique unique,
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  quote_id uuid references quotes,
  appointment_id uuid references appointments,
  refund_id uuid references refunds,
  concept text not null,
  method text,
  state text not null default 'pending',
  amount bigint not null,
  due_at timestamptz,
  expires_at timestamptz,
  bank text,
  tracking_key text,
  proof_id uuid references documents,
  proof_sent_at timestamptz,
  rejected_reason text,
  reviewed_by uuid references users,
  reviewed_at timestamptz,
  paid_at timestamptz,
  recorded_by uuid references users,
  note text,
  card_reference text constraint payments_card_reference_unique unique,
  card_funding text,
  voucher_expires_at timestamptz,
  follows_id uuid references payments,
  fee_outcome text,
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  reverses_id uuid references payments,
  reversed_at timestamptz,
  -- A tracking key is one transfer's: one that came with a rejected proof is known when it comes again.
  rejected_keys text[] not null default '{}',
  -- A correction counts in a month that is open, whatever the day it is about.
  counts_at timestamptz,
  constraint payments_concept_known check (concept in ('visit_fee', 'deposit', 'balance', 'cfe_paperwork', 'extra_work', 'refund')),
  constraint payments_method_known check (method in ('spei', 'card', 'cash', 'terminal', 'oxxo')),
  constraint payments_state_known check (state in ('pending', 'in_review', 'paid', 'expired', 'cancelled')),
  constraint payments_fee_outcome check (fee_outcome is null
    or (concept = 'visit_fee' and fee_outcome in ('credited', 'kept', 'returned'))),
  constraint payments_paid_whole check ((state = 'paid') = (paid_at is not null) and (state <> 'paid' or method is not null)),
  constraint payments_reviewed_whole check (state <> 'in_review' or (method = 'spei' and tracking_key is not null and proof_id is not null)),
  constraint payments_sign check (case
  when concept = 'refund' then amount < 0 and state = 'paid' and refund_id is not null and reverses_id is null
  when reverses_id is not null then amount < 0 and state = 'paid'
  else amount > 0 end)
);
create unique index payments_one_refund on payments (refund_id) where refund_id is not null;
create unique index payments_one_demand on payments (quote_id, concept) where state in ('pending', 'in_review') and quote_id is not null;
create unique index payments_one_fee on payments (appointment_id) where concept = 'visit_fee' and state in ('pending', 'in_review');
create index payments_of_project on payments (project_id, created_at);
create index payments_of_customer on payments (customer_id, created_at);
create index payments_in_review on payments (proof_sent_at) where state = 'in_review';
create index payments_to_end on payments (expires_at) where state = 'pending' and expires_at is not null;
create index payments_paid on payments (paid_at) where state = 'paid';
-- The ledger's order; payments_by_counted_day is that of its months.
create index payments_by_day on payments ((coalesce(paid_at, created_at)), id);
-- A payment is taken back once.
create unique index payments_one_reversal on payments (reverses_id) where reverses_id is not null;
-- A transfer that was booked wrongly is booked anew under its key.
create unique index payments_tracking_key_once on payments (lower(bank), upper(tracking_key))
  where tracking_key is not null and state in ('in_review', 'paid') and reversed_at is null and reverses_id is null;
-- The number that a bank gives, which callers read out.
create index payments_by_tracking_key on payments (upper(tracking_key)) where tracking_key is not null;
-- Who owes what, the longest overdue first.
create index payments_receivable on payments ((coalesce(due_at, created_at)), id) where state = 'pending';
create index payments_by_amount on payments (amount, id);
create index payments_by_rejected_key on payments using gin (rejected_keys) where rejected_keys <> '{}';
create index payments_by_counted_day on payments ((coalesce(counts_at, paid_at, created_at)), id);
comment on table payments is 'What is asked for, and what came in; a refund is a negative row. The sum of what is paid is what we hold';
comment on column payments.card_reference is 'The payment intent of Stripe, or its refund: each is recorded once';
comment on column payments.card_funding is 'credit, debit, prepaid or unknown, as the card''s bank says';
comment on column payments.fee_outcome is 'What became of a visit''s fee: part of the quote''s price, kept, or to be given back';
comment on column payments.follows_id is 'The payment whose rest this one asks for';
comment on column payments.reverses_id is 'The payment that was booked by mistake, which this negative row takes back';
comment on column payments.reversed_at is 'When another row took it back; nothing else of it ever changes';
comment on column payments.rejected_keys is 'The tracking keys of its proofs that were rejected, in capitals; erased with the account';
comment on column payments.counts_at is 'The moment by which figures and the ledger''s months count a row that corrects one of a month that is over; null where that is paid_at';

-- A row that was paid is history, and what was taken back stays so.
create function payments_freeze() returns trigger language plpgsql as $$
begin
  if old.state = 'paid' and (new.state, new.amount, new.paid_at, new.counts_at, new.method, new.concept, new.project_id, new.reverses_id)
      is distinct from (old.state, old.amount, old.paid_at, old.counts_at, old.method, old.concept, old.project_id, old.reverses_id)
      or (old.reversed_at is not null and new.reversed_at is distinct from old.reversed_at) then
    raise exception 'a payment that was paid is frozen' using errcode = 'restrict_violation', constraint = 'payments_frozen';
  end if;
  return new;
end $$;

create function payments_keep() returns trigger language plpgsql as $$
begin
  raise exception 'a payment is never deleted' using errcode = 'restrict_violation', constraint = 'payments_frozen';
end $$;
create trigger payments_frozen before update on payments for each row execute function payments_freeze();
create trigger payments_kept before delete on payments for each row execute function payments_keep();
create trigger payments_staged after insert or update of state, amount on payments
  for each row execute function stage_check_of_customer();
create trigger payments_not_merged before insert on payments for each row execute function refuse_merged_customer();
alter table refunds add constraint refunds_source foreign key (source_id) references payments;

create table checkouts (
  id uuid primary key default uuidv7(),
  payment_id uuid not null references payments,
  session text constraint checkouts_session_unique unique,
  state text not null default 'opening',
  amount bigint not null,
  url text,
  intent text,
  expires_at timestamptz not null,
  looked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint checkouts_state_known check (state in ('opening', 'open', 'waiting', 'paid', 'failed', 'expired')),
  constraint checkouts_opened_whole check (state not in ('open', 'waiting', 'paid') or session is not null),
  constraint checkouts_amount_positive check (amount > 0)
);
create unique index checkouts_one_open on checkouts (payment_id) where state in ('opening', 'open');
create index checkouts_of_payment on checkouts (payment_id, created_at);
create index checkouts_to_look_at on checkouts (created_at) where state in ('opening', 'open', 'waiting');
comment on table checkouts is 'Pages of Stripe on which a payment is being made';
comment on column checkouts.session is 'Stripe''s name of it; null until Stripe answered: the row is written first, so that no page is lost sight of';
comment on column checkouts.state is 'waiting: finished on the page, and the money comes later, as with a voucher of OXXO';
comment on column checkouts.url is 'Where it is paid; of a voucher, where it is seen';

create table stripe_events (
  id text primary key,
  type text not null,
  outcome text not null,
  received_at timestamptz not null default now()
);
comment on table stripe_events is 'What Stripe told us, each once; outcome says what became of it';

create table bank_statements (
  id uuid primary key default uuidv7(),
  name text not null,
  sha256 text not null,
  content text,
  head int not null,
  head_words text not null,
  columns jsonb not null,
  uploaded_by uuid not null references users,
  read_at timestamptz,
  lines_new int not null default 0,
  lines_known int not null default 0,
  debits int not null default 0,
  unread int[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  -- Which days a bank's file tells of, so that a payment which the bank does not have can be told from one of another month.
  covers_from date,
  covers_to date,
  -- How a bank file is read: its account, and the direction of words that no bank is known to use. A movement's identity is
  -- its account, day, amount and tracking key or text, compared when a file is read; the hash only says of which row it is.
  account text not null default '' constraint bank_statements_account_length check (char_length(account) <= 60),
  answers jsonb not null default '{}',
  constraint bank_statements_name_length check (char_length(name) between 1 and 200),
  constraint bank_statements_kept_until_read check ((content is null) = (read_at is not null))
);
create index bank_statements_read on bank_statements (read_at, id) where read_at is not null;
comment on table bank_statements is 'A file of the bank''s movements that somebody handed in';
comment on column bank_statements.content is 'Its text until its columns are confirmed; then its lines say what is needed, and nothing else of it is kept';
comment on column bank_statements.head is 'The row of the headings, from 0; -1 is none';
comment on column bank_statements.head_words is 'The headings: the next file with the same ones is read by the same columns';
comment on column bank_statements.unread is 'Rows of the file that were no movement, from 1; the first ones';
comment on constraint bank_statements_kept_until_read on bank_statements is 'What is in it of others is kept no longer than it takes to read it';
comment on column bank_statements.covers_from is 'The first day of its movements, debits too; null before it is read';
comment on column bank_statements.covers_to is 'The last one';
comment on column bank_statements.account is 'The account as the office wrote it; empty for files read before it was asked';
comment on column bank_statements.answers is 'Of each word of a sign column that was asked about: in, out or skip';

create table bank_lines (
  id uuid primary key default uuidv7(),
  statement_id uuid not null references bank_statements,
  hash text not null constraint bank_lines_once unique,
  row_number int not null,
  booked_on date not null,
  amount bigint not null,
  description text not null,
  reference text not null,
  tracking_key text,
  state text not null default 'open',
  payment_id uuid references payments constraint bank_lines_one_of_payment unique,
  reason text,
  decided_by uuid references users,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint bank_lines_amount_positive check (amount > 0),
  constraint bank_lines_state_known check (state in ('open', 'settled', 'recorded', 'ignored')),
  constraint bank_lines_paired check ((state in ('settled', 'recorded')) = (payment_id is not null)),
  constraint bank_lines_ignored_why check ((state = 'ignored') = (reason is not null)),
  constraint bank_lines_decided check ((state = 'open') = (decided_by is null) and (decided_by is null) = (decided_at is null))
);
create unique index bank_lines_key_once on bank_lines (tracking_key, amount, booked_on) where tracking_key is not null;
create index bank_lines_open on bank_lines (booked_on, id) where state = 'open';
create index bank_lines_decided_last on bank_lines (decided_at) where decided_at is not null;
create index bank_lines_of_statement on bank_lines (statement_id);
create index bank_lines_open_by_key on bank_lines (upper(tracking_key)) where state = 'open' and tracking_key is not null;
create index bank_lines_alike on bank_lines (amount, booked_on);
comment on table bank_lines is 'Money that came into the account, as the bank tells it; each belongs to at most one payment, and each payment to at most one';
comment on column bank_lines.hash is 'Of its file and its row: a file is read once';
comment on constraint bank_lines_one_of_payment on bank_lines is 'A payment is one movement of the bank';
comment on index bank_lines_key_once is 'The same transfer in a file of another shape';

-- A movement that settled a payment, or is one, is history as the payment is. What the bank wrote of it may go, as it names
-- who paid; and it goes free when its payment was taken back.
create function bank_lines_freeze() returns trigger language plpgsql as $$
begin
  if current_setting('carga.forgetting', true) = 'on'
      and (new.description, new.reference, coalesce(new.reason, '–')) = ('', '', '–') and new.tracking_key is null
      and (new.id, new.statement_id, new.hash, new.row_number, new.booked_on, new.amount, new.state, new.payment_id, new.decided_by, new.decided_at)
        is not distinct from (old.id, old.statement_id, old.hash, old.row_number, old.booked_on, old.amount, old.state, old.payment_id, old.decided_by, old.decided_at) then
    return new;
  end if;
  if new.state = 'open' and (new.amount, new.booked_on, new.hash) is not distinct from (old.amount, old.booked_on, old.hash)
      and exists (select 1 from payments where payments.id = old.payment_id and payments.reversed_at is not null) then
    return new;
  end if;
  if old.state in ('settled', 'recorded') or (new.amount, new.booked_on, new.hash) is distinct from (old.amount, old.booked_on, old.hash) then
    raise exception 'a movement of the bank is frozen' using errcode = 'restrict_violation', constraint = 'bank_lines_frozen';
  end if;
  return new;
end $$;
create trigger bank_lines_frozen before update on bank_lines for each row execute function bank_lines_freeze();

-- Invoices.

create table fiscal_data (
  customer_id uuid primary key references users,
  state text not null default 'draft',
  rfc text not null,
  legal_name text not null,
  regime text not null,
  cfdi_use text not null,
  postal_code text not null,
  email text not null,
  constancia_id uuid references documents,
  rejected_reason text,
  submitted_at timestamptz,
  reviewed_by uuid references users,
  reviewed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint fiscal_data_state_known check (state in ('draft', 'submitted', 'verified', 'rejected')),
  constraint fiscal_data_rfc_shape check (rfc ~ '^[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{3}$'),
  constraint fiscal_data_rejection_told check (state <> 'rejected' or rejected_reason is not null)
);
create index fiscal_data_to_verify on fiscal_data (submitted_at) where state = 'submitted';
create trigger fiscal_data_not_merged before insert on fiscal_data for each row execute function refuse_merged_customer();

create table invoices (
  id uuid primary key default uuidv7(),
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  quote_id uuid references quotes,
  payment_id uuid references payments,
  relates_to_id uuid references invoices,
  kind text not null,
  state text not null default 'requested',
  request jsonb not null,
  total bigint not null,
  uuid text,
  xml_id uuid references documents,
  pdf_id uuid references documents,
  provider_id text,
  provider_error text,
  requested_by uuid references users,
  issued_at timestamptz,
  issued_by uuid references users,
  cancelled_at timestamptz,
  cancelled_by uuid references users,
  cancel_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint invoices_kind_known check (kind in ('income', 'payment', 'credit_note')),
  constraint invoices_state_known check (state in ('requested', 'issued', 'cancelled')),
  constraint invoices_issued_whole check (state <> 'issued' or (uuid is not null and xml_id is not null and issued_at is not null)),
  constraint invoices_cancel_told check (state <> 'cancelled' or cancel_reason is not null)
);
create unique index invoices_uuid_once on invoices (lower(uuid)) where uuid is not null;
create unique index invoices_one_of_quote on invoices (quote_id) where kind = 'income' and state <> 'cancelled' and quote_id is not null;
create unique index invoices_one_of_payment on invoices (payment_id, kind) where state <> 'cancelled' and payment_id is not null;
create index invoices_of_project on invoices (project_id, created_at);
create index invoices_requested on invoices (created_at) where state = 'requested';
comment on table invoices is 'What the SAT calls CFDI: asked for here, stamped elsewhere, its XML and PDF kept';
comment on column invoices.request is 'What docs/cfdi.schema.json describes, as it was asked for';
comment on column invoices.uuid is 'Folio fiscal, as the stamped XML says';
create trigger invoices_not_merged before insert on invoices for each row execute function refuse_merged_customer();

-- Dealerships: codes, the clients that they bring, commissions. Percentages are hundredths of a percent.

create table codes (
  id uuid primary key default uuidv7(),
  code text not null constraint codes_code_unique unique,
  agency_id uuid not null references agencies,
  owner_id uuid not null references users,
  label text,
  benefit_kind text not null default 'none',
  benefit_value int not null default 0,
  starts_on date not null,
  ends_on date,
  max_uses int not null,
  uses int not null default 0,
  state text not null default 'draft',
  asked_at timestamptz,
  approved_at timestamptz,
  approved_by uuid references users,
  refused_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint codes_shape check (code ~ '^[A-HJ-NP-Z2-9]{6,12}$'),
  constraint codes_benefit_known check (benefit_kind in ('none', 'percent', 'amount', 'free_visit')),
  constraint codes_benefit_sensible check (case benefit_kind
    when 'percent' then benefit_value between 1 and 3000
    when 'amount' then benefit_value between 1 and 100000000
    else benefit_value = 0 end),
  constraint codes_days check (ends_on is null or ends_on >= starts_on),
  constraint codes_max_uses check (max_uses between 1 and 10000),
  constraint codes_uses check (uses between 0 and max_uses),
  constraint codes_state_known check (state in ('draft', 'active', 'paused', 'exhausted', 'expired', 'revoked')),
  constraint codes_exhausted check (state <> 'active' or uses < max_uses),
  constraint codes_label_length check (char_length(label) <= 80)
);
create index codes_of_agency on codes (agency_id, created_at, id);
create index codes_of_owner on codes (owner_id, created_at, id);
create index codes_to_end on codes (ends_on) where state in ('active', 'paused') and ends_on is not null;
create index codes_to_approve on codes (asked_at) where state = 'draft' and asked_at is not null;
comment on table codes is 'What an ally gives to people: it ties them to the ally, and may bring them a benefit';
comment on column codes.benefit_value is 'Hundredths of a percent, or centavos before IVA';
comment on column codes.ends_on is 'The last day on which it counts, in Mexico City; null is no end';
comment on column codes.asked_at is 'Since when a benefit beyond the agency''s limit waits for the manager';

create table clients (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  ally_id uuid references users,
  code_id uuid references codes,
  source text not null,
  customer_id uuid references users,
  name text,
  lastname text,
  phone text,
  email text,
  vehicle jsonb,
  consent_at timestamptz,
  consent_version text,
  registered_by uuid references users,
  invite_hash text constraint clients_invite_unique unique,
  invite_expires_at timestamptz,
  joined_at timestamptz,
  reason text,
  benefit_project_id uuid references projects,
  stage text not null default 'invited',
  waiting_on text not null default 'none',
  standing_since timestamptz,
  ended_at timestamptz,
  ended_reason text,
  request_key uuid constraint clients_request_key_unique unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  -- What the agency's own system calls its client. Erased with the other data that it gave of them.
  reference text constraint clients_reference_length check (char_length(reference) between 1 and 64),
  constraint clients_source_known check (source in ('link', 'code', 'manager', 'counter', 'api')),
  constraint clients_joined_whole check ((customer_id is null) = (joined_at is null)),
  constraint clients_stage_known check (stage in
    ('invited', 'intake', 'advisory', 'visit', 'quoting', 'deposit', 'installing', 'cfe', 'closed', 'lost')),
  constraint clients_waiting_known check (waiting_on in
    ('customer', 'technician', 'analyst', 'manager', 'gester', 'cfe', 'none')),
  constraint clients_manager_says_why check (source <> 'manager' or reason is not null),
  constraint clients_end_told check ((ended_at is null) = (ended_reason is null)),
  -- What the ally typed is kept only as long as there is no account that says it.
  constraint clients_joined_bare check (customer_id is null or (phone is null and email is null and lastname is null and vehicle is null))
);
create unique index clients_one_living on clients (customer_id) where ended_at is null and customer_id is not null;
create index clients_of_customer on clients (customer_id, created_at) where customer_id is not null;
create index clients_listed on clients (agency_id, stage, created_at, id) where ended_at is null;
create index clients_of_ally on clients (ally_id) where ended_at is null;
create index clients_of_code on clients (code_id) where code_id is not null;
create index clients_to_forget on clients (invite_expires_at) where customer_id is null and ended_at is null;
create index clients_by_phone on clients (phone) where phone is not null and ended_at is null;
comment on table clients is 'Whom an agency brought: invited, or, with a customer, attributed to it. One living row for each customer; ended ones are history';
comment on column clients.ally_id is 'Who of the agency brought them; null where nobody is said';
comment on column clients.stage is 'That of the customer''s project, as last worked out (stage_checks); invited until there is an account';
comment on column clients.benefit_project_id is 'The project whose accepted quote took the code''s benefit';
create trigger clients_staged after insert or update of customer_id on clients for each row
  when (new.customer_id is not null) execute function stage_check_of_customer();
-- An invitation names no customer until it is accepted.
create trigger clients_not_merged before insert or update of customer_id on clients for each row
  when (new.customer_id is not null) execute function refuse_merged_customer();

create table commission_payouts (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  amount bigint not null,
  paid_on date not null,
  reference text not null,
  proof_id uuid not null references documents,
  paid_by uuid not null references users,
  request_key uuid not null constraint commission_payouts_request_key_unique unique,
  created_at timestamptz not null default now(),
  constraint commission_payouts_amount_positive check (amount > 0),
  constraint commission_payouts_reference_length check (char_length(reference) between 1 and 60)
);
create index commission_payouts_of_agency on commission_payouts (agency_id, paid_on, id);
create index commission_payouts_by_reference on commission_payouts (upper(reference));
comment on table commission_payouts is 'A transfer to an agency; its commissions and adjustments name it';

create function commission_payouts_freeze() returns trigger language plpgsql as $$
begin
  raise exception 'a payout is frozen' using errcode = 'restrict_violation', constraint = 'commission_payouts_frozen';
end $$;

-- At the commit a payout is what its rows come to, to the centavo, all of them its own agency's.
create function commission_payouts_match() returns trigger language plpgsql as $$
declare payout commission_payouts;
begin
  select * into payout from commission_payouts
    where id = (case when tg_table_name = 'commission_payouts' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'payout_id' end)::uuid;
  if payout.amount is distinct from (select sum(amount) from commissions where payout_id = payout.id)
    or exists (select from commissions where payout_id = payout.id and agency_id <> payout.agency_id) then
    raise exception 'a payout is not the sum of its rows' using errcode = 'restrict_violation', constraint = 'commission_payouts_matched';
  end if;
  return null;
end $$;
create trigger commission_payouts_frozen before update or delete on commission_payouts
  for each row execute function commission_payouts_freeze();
create constraint trigger commission_payouts_matched after insert on commission_payouts
  deferrable initially deferred for each row execute function commission_payouts_match();

create table commissions (
  id uuid primary key default uuidv7(),
  kind text not null,
  state text not null default 'pending',
  agency_id uuid not null references agencies,
  ally_id uuid references users,
  project_id uuid not null references projects,
  quote_id uuid not null references quotes,
  appointment_id uuid not null references appointments,
  adjusts_id uuid references commissions,
  basis bigint not null default 0,
  terms_kind text not null,
  terms_value int not null,
  amount bigint not null,
  reason text,
  earned_at timestamptz not null,
  approved_at timestamptz,
  payout_id uuid references commission_payouts,
  made_by uuid references users,
  request_key uuid constraint commissions_request_key_unique unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint commissions_kind_known check (kind in ('commission', 'adjustment')),
  constraint commissions_state_known check (state in ('pending', 'approved', 'paid')),
  constraint commissions_terms_known check (terms_kind in ('percent', 'amount')),
  constraint commissions_sign check (case kind when 'commission' then amount >= 0 and adjusts_id is null
    else amount < 0 and adjusts_id is not null and reason is not null and made_by is not null end),
  constraint commissions_paid_whole check ((state = 'paid') = (payout_id is not null)),
  constraint commissions_approved_whole check (state = 'pending' or approved_at is not null)
);
create unique index commissions_one_of_installation on commissions (appointment_id) where kind = 'commission';
create unique index commissions_one_of_quote on commissions (quote_id) where kind = 'commission';
create index commissions_of_agency on commissions (agency_id, earned_at, id);
create index commissions_to_approve on commissions (earned_at) where state = 'pending';
create index commissions_of_payout on commissions (payout_id) where payout_id is not null;
create index commissions_adjusting on commissions (adjusts_id) where adjusts_id is not null;
comment on table commissions is 'What an agency earned by a finished installation; an adjustment is a negative row';
comment on column commissions.basis is 'The accepted price without IVA that a percentage is of';
comment on column commissions.quote_id is 'The accepted quote it is of: a second installation of the same quote earns nothing more';
comment on column commissions.earned_at is 'When the installation was finished; of an adjustment, when it was made';
comment on column commissions.request_key is 'Of an adjustment''s form: sent twice, it is one adjustment';

-- A row that was paid is history, and none is ever deleted.
create function commissions_freeze() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state = 'paid'
    or (new.amount, new.basis, new.terms_kind, new.terms_value, new.agency_id, new.quote_id, new.appointment_id, new.kind,
        new.adjusts_id, new.earned_at)
      is distinct from (old.amount, old.basis, old.terms_kind, old.terms_value, old.agency_id, old.quote_id,
        old.appointment_id, old.kind, old.adjusts_id, old.earned_at) then
    raise exception 'a commission is frozen' using errcode = 'restrict_violation', constraint = 'commissions_frozen';
  end if;
  return new;
end $$;

-- Adjustments never take more than their commission came to, whoever writes them.
create function commissions_cover() returns trigger language plpgsql as $$
declare adjusted commissions;
begin
  select * into adjusted from commissions where id = new.adjusts_id for update;
  if adjusted.kind <> 'commission' or adjusted.agency_id <> new.agency_id
    or adjusted.amount + new.amount
      + coalesce((select sum(amount) from commissions where adjusts_id = new.adjusts_id), 0) < 0 then
    raise exception 'an adjustment takes more than stands' using errcode = 'restrict_violation', constraint = 'commissions_covered';
  end if;
  return new;
end $$;
create trigger commissions_frozen before update or delete on commissions for each row execute function commissions_freeze();
create trigger commissions_covered before insert on commissions for each row when (new.adjusts_id is not null)
  execute function commissions_cover();
create constraint trigger commissions_matched after insert or update on commissions
  deferrable initially deferred for each row when (new.payout_id is not null) execute function commission_payouts_match();

-- Two records of one person become one: the rows of one move to the other, which stands, and its account ends. This is what
-- each merge moved, so that it can be undone: exactly these rows.
create table customer_merges (
  id uuid primary key default uuidv7(),
  kept_id uuid not null constraint customer_merges_kept references users,
  ended_id uuid not null constraint customer_merges_ended references users,
  merged_by uuid not null constraint customer_merges_merged_by references users,
  merged_at timestamptz not null default now(),
  moved jsonb not null,
  profile jsonb not null,
  ended_project_id uuid constraint customer_merges_project references projects,
  ended_client_id uuid constraint customer_merges_client references clients,
  undone_at timestamptz,
  undone_by uuid constraint customer_merges_undone_by references users,
  constraint customer_merges_of_two check (kept_id <> ended_id),
  constraint customer_merges_undone_whole check ((undone_at is null) = (undone_by is null))
);
create unique index customer_merges_one_stands on customer_merges (ended_id) where undone_at is null;
create index customer_merges_of_kept on customer_merges (kept_id, merged_at);
comment on column customer_merges.moved is 'The keys of the rows that moved, by table and column';
comment on column customer_merges.profile is 'Name and phone of the one that stands, before and after';
comment on column customer_merges.ended_project_id is 'The empty open project that was closed: a customer has one open project';
comment on column customer_merges.ended_client_id is 'The attribution that was ended: both had one, to the same dealership';

-- What dealerships' own systems use.

create table api_keys (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  name text not null,
  prefix text not null,
  key_hash text not null constraint api_keys_hash_unique unique,
  scopes text[] not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  made_by uuid not null references users,
  revoked_at timestamptz,
  revoked_by uuid references users,
  created_at timestamptz not null default now(),
  sandbox boolean not null default false,
  constraint api_keys_name_length check (char_length(name) between 1 and 80),
  constraint api_keys_hash_shape check (key_hash ~ '^[0-9a-f]{64}$'),
  constraint api_keys_scopes_known check (scopes <@ array['clients:read', 'clients:write', 'codes:read', 'events:read', 'events:replay']
    and cardinality(scopes) > 0),
  constraint api_keys_revoked_whole check ((revoked_at is null) = (revoked_by is null))
);
create index api_keys_of_agency on api_keys (agency_id, created_at);
comment on table api_keys is 'By which a dealership''s own system signs in; the key itself is shown once and kept nowhere';
comment on column api_keys.sandbox is 'Answered with examples; reads and writes nothing of the agency';

create table api_requests (
  api_key_id uuid not null references api_keys,
  idempotency_key text not null,
  digest text not null,
  status int not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (api_key_id, idempotency_key)
);
create index api_requests_to_forget on api_requests (created_at);
comment on table api_requests is 'What was answered to a request that may be sent again; forgotten after a day';

create table webhook_endpoints (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  url text not null,
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  active boolean not null default true,
  made_by uuid not null references users,
  failing_since timestamptz,
  stopped_at timestamptz,
  stopped_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint webhook_endpoints_url_unique unique (agency_id, url),
  constraint webhook_endpoints_url_length check (char_length(url) <= 500),
  constraint webhook_endpoints_previous_whole check ((previous_secret is null) = (previous_until is null)),
  constraint webhook_endpoints_stop_told check (active = (stopped_at is null) and active = (stopped_reason is null)),
  constraint webhook_endpoints_stop_known check (stopped_reason in ('manager', 'failing', 'gone'))
);
create index webhook_endpoints_of_agency on webhook_endpoints (agency_id, created_at);
comment on column webhook_endpoints.secret is 'Sealed under the key of the application';
comment on column webhook_endpoints.previous_secret is 'The one before, sealed, that messages are signed with too until previous_until';
comment on column webhook_endpoints.failing_since is 'The first try since when none was taken';

create table webhook_events (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  client_id uuid references clients,
  type text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  constraint webhook_events_type_known check (type in ('client.stage_changed', 'webhook.test'))
);
create index webhook_events_of_agency on webhook_events (agency_id, id);
create index webhook_events_to_forget on webhook_events (created_at);
comment on table webhook_events is 'What agencies'' own systems are told of, forgotten after 90 days';

create table webhook_deliveries (
  id uuid primary key default uuidv7(),
  endpoint_id uuid not null references webhook_endpoints,
  event_id uuid not null references webhook_events,
  state text not null default 'pending',
  tries int not null default 0,
  next_try_at timestamptz,
  last_status int,
  last_error text,
  delivered_at timestamptz,
  replayed_by uuid references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint webhook_deliveries_state_known check (state in ('pending', 'delivered', 'dead')),
  constraint webhook_deliveries_next_told check ((state = 'pending') = (next_try_at is not null)),
  constraint webhook_deliveries_delivered_told check ((state = 'delivered') = (delivered_at is not null))
);
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, created_at);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_waiting on webhook_deliveries (next_try_at) where state = 'pending';
comment on table webhook_deliveries is 'An event on its way to one endpoint; sent again by hand, it is another';

-- Cases with CFE: what is asked for, whose turn it is, and the papers.

create table cfe_cases (
  id uuid primary key default uuidv7(),
  folio text not null constraint cfe_cases_folio_unique unique,
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  kind text not null,
  state text not null default 'gathering',
  held_from text,
  gester_id uuid references users,
  quote_id uuid references quotes,
  opened_by uuid references users,
  holder_name text,
  service_number text,
  meter_number text,
  pole_metres numeric(4, 1),
  charger_kilowatts numeric(4, 1),
  is_three_phase boolean not null default false,
  needs_permit boolean not null default false,
  needs_uvie boolean not null default false,
  request_number text,
  filed_at timestamptz,
  corrected_by text,
  reason text,
  hold_reason text,
  waiting_on text not null default 'none',
  waiting_since timestamptz not null default now(),
  due_on date,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  -- The load that a letter to CFE asks to change, and the tariff: taken over from the report, put right by the gester.
  contracted_kilowatts numeric(4, 1),
  requested_kilowatts numeric(4, 1),
  tariff text,
  approved_kilowatts numeric(4, 1) constraint cfe_cases_approved check (approved_kilowatts > 0),
  -- The day on which the last step of a case was made, what proves its contract and its meter, and what that step replaced.
  stepped_on date,
  contract_number text constraint cfe_cases_contract_length check (char_length(contract_number) <= 40),
  new_meter_number text constraint cfe_cases_new_meter_length check (char_length(new_meter_number) <= 20),
  undo jsonb,
  constraint cfe_cases_kind_known check (kind in ('second_meter', 'load_increase', 'new_service', 'name_change')),
  constraint cfe_cases_state_known check (state in ('gathering', 'ready_to_file', 'filed', 'inspection', 'observed',
    'corrected', 'approved', 'contract_signed', 'meter_installed', 'closed', 'on_hold', 'rejected', 'cancelled')),
  constraint cfe_cases_held check ((held_from is not null) = (state = 'on_hold')),
  constraint cfe_cases_waiting_known check (waiting_on in ('customer', 'gester', 'cfe', 'none')),
  constraint cfe_cases_over check ((closed_at is not null) = (state in ('closed', 'rejected', 'cancelled'))),
  constraint cfe_cases_corrected_by_known check (corrected_by in ('customer', 'gester')),
  constraint cfe_cases_pole_range check (pole_metres between 0 and 300)
);
alter table cfe_cases
  add constraint cfe_cases_load_range
    check (contracted_kilowatts between 0 and 300 and requested_kilowatts between 0 and 300) not valid,
  add constraint cfe_cases_tariff_length check (char_length(tariff) between 1 and 10) not valid;
create unique index cfe_cases_one_open on cfe_cases (project_id, kind) where closed_at is null;
create index cfe_cases_of_project on cfe_cases (project_id);
create index cfe_cases_by_turn on cfe_cases (waiting_on, due_on) where closed_at is null;
create index cfe_cases_of_gester on cfe_cases (gester_id) where closed_at is null;
-- The numbers that CFE gives, which callers read out.
create index cfe_cases_by_request on cfe_cases (upper(request_number)) where request_number is not null;
create index cfe_cases_by_service on cfe_cases (service_number) where service_number is not null;
-- What is due first comes first; those that are over are another, rarely read list.
create index cfe_cases_by_due on cfe_cases ((coalesce(due_on, date '9999-12-31')), id) where closed_at is null;
-- The cases that are open, by how long somebody has had the turn.
create index cfe_cases_by_wait on cfe_cases (waiting_since, id) where closed_at is null;
comment on table cfe_cases is 'Paperwork with CFE for a project; one open case of a kind at a time';
comment on column cfe_cases.quote_id is 'The accepted quote by which the rule opened it; null when somebody did by hand';
comment on column cfe_cases.holder_name is 'Whose name the service is in, where that is not the customer';
comment on column cfe_cases.waiting_on is 'Whose turn it is (domain/cfe-case.ts), kept so that lists can be narrowed and sorted by it';
comment on column cfe_cases.due_on is 'The last local date on which this turn is not overdue';
-- A stage may follow from a case.
create trigger cfe_cases_staged after insert or update of state, waiting_on on cfe_cases
  for each row execute function stage_check_of_customer();
create trigger cfe_cases_not_merged before insert on cfe_cases for each row execute function refuse_merged_customer();

create table cfe_papers (
  case_id uuid not null references cfe_cases,
  name text not null,
  state text not null default 'pending',
  document_id uuid references documents,
  reason text,
  received_at timestamptz,
  reviewed_by uuid references users,
  reviewed_at timestamptz,
  -- Papers that CFE asks for beside those a case always needs: one of the known ones, or up to three others with a name of
  -- their own. asked_from says who provides it; null for the papers that the case needs by itself.
  label text,
  asked_from text,
  constraint cfe_papers_pk primary key (case_id, name),
  constraint cfe_papers_state_known check (state in ('pending', 'received', 'validated', 'rejected')),
  constraint cfe_papers_received check (state = 'pending' or document_id is not null),
  constraint cfe_papers_reason check ((reason is not null) = (state = 'rejected'))
);
alter table cfe_papers
  add constraint cfe_papers_label_length check (char_length(label) between 1 and 80) not valid,
  add constraint cfe_papers_asked_from_known check (asked_from in ('customer', 'gester')) not valid,
  add constraint cfe_papers_name_known
    check (name in ('official_id', 'bill', 'constancia', 'property', 'power', 'condominium_permit',
      'sketch', 'charger_sheet', 'uvie_report', 'feasibility', 'other_1', 'other_2', 'other_3',
      'meter_photo')) not valid,
  add constraint cfe_papers_other_named
    check ((name in ('other_1', 'other_2', 'other_3', 'meter_photo')) = (label is not null)) not valid;
create index cfe_papers_by_document on cfe_papers (document_id) where document_id is not null;
comment on table cfe_papers is 'What CFE wants of a case, handed in or not; the file is a row of documents';

-- What an approved visit found that must be met before its charger is used. The condominium's permit stands in the project.
create table conditions (
  project_id uuid not null constraint conditions_project references projects on delete cascade,
  kind text not null constraint conditions_kind check (kind in ('load_increase', 'second_meter', 'works', 'uvie')),
  visit_id uuid not null constraint conditions_visit references appointments,
  -- The current that the house bears meanwhile; null where it bears none.
  limit_amps smallint constraint conditions_limit check (limit_amps >= 6),
  -- The current to which its charger was set and approved while the condition was open.
  held_amps smallint constraint conditions_held check (held_amps <= limit_amps),
  created_at timestamptz not null default now(),
  met_at timestamptz,
  met_by uuid constraint conditions_met_by references users,
  blocks_booking boolean not null generated always as
    (met_at is null and limit_amps is null and kind in ('load_increase', 'second_meter')) stored,
  constraint conditions_key primary key (project_id, kind)
);

-- Whether the installation of a project may be booked: what its customer's page calls ready.
create function is_ready(projects) returns boolean language sql stable as $$
  select $1.closed_at is null and $1.quote_accepted_at is not null and $1.deposit_paid_at is not null
    and (not $1.permit_needed or $1.permit_valid_at is not null)
    and not exists (select from conditions join cfe_cases using (project_id)
      where conditions.project_id = $1.id and conditions.blocks_booking and cfe_cases.kind <> 'name_change')
$$;

-- Notifications.

-- A browser that shows news, with what it is encrypted for. It ends with the session that turned it on.
create table push_subscriptions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  session_id uuid not null constraint push_subscriptions_session_unique unique references sessions on delete cascade,
  endpoint text not null constraint push_subscriptions_endpoint_unique unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  -- When its service last took a message.
  answered_at timestamptz
);
create index push_subscriptions_by_user on push_subscriptions (user_id);

-- Messages by WhatsApp: what was sent to whom, and how far it got. Never what it said.
create table whatsapp_messages (
  id uuid primary key default uuidv7(),
  -- The letter's job that asked for it: whichever of its tries, one message.
  letter_id uuid not null constraint whatsapp_messages_one_per_letter unique,
  user_id uuid not null constraint whatsapp_messages_user references users,
  template text not null,
  state text not null default 'queued',
  wamid text constraint whatsapp_messages_wamid_unique unique,
  fault text,
  created_at timestamptz not null default now(),
  state_at timestamptz not null default now(),
  constraint whatsapp_messages_state_known check (state in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'dropped'))
);
create index whatsapp_messages_of_user on whatsapp_messages (user_id, id desc);
create index whatsapp_messages_old on whatsapp_messages (created_at);
comment on column whatsapp_messages.wamid is 'WhatsApp''s own name of it, by which its webhook tells how far it got';
comment on column whatsapp_messages.fault is 'Why it failed: a code of WhatsApp''s, or ''unknown'' where nobody can tell whether it was taken';

-- Numbers, hashed, that were asked by WhatsApp whether they want messages.
create table whatsapp_numbers (
  hash text primary key,
  asked_at timestamptz not null default now(),
  agreed_at timestamptz
);

-- What customers' acts write to mailboxes and phones, for two days: counted by receiver, and held back beyond a budget.
create table outward (
  id text primary key,
  receiver text not null,
  reader_id uuid not null references users on delete cascade,
  caused_by uuid not null references users on delete cascade,
  kind text not null,
  -- For how long what was held back with it is gathered; null where it was sent.
  gather_minutes integer,
  at timestamptz not null default now()
);
create index outward_of_receiver on outward (receiver, at);
create index outward_of_reader on outward (reader_id, at) where gather_minutes is not null;
create index outward_of_causer on outward (caused_by, at);
create index outward_at on outward (at);

-- Tasks.

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
  version int not null default 1,
  appointment_id uuid references appointments,
  urgent boolean not null default false,
  quote_id uuid references quotes,
  code_id uuid references codes
);
create index tasks_to_do on tasks (urgent desc, due_at, id) where done_at is null;
-- The calls noted with a customer, for their page.
create index tasks_of_person on tasks (person_id) where person_id is not null;
-- The last call about a quote, which the office's home looks for.
create index calls_of_quote on tasks (quote_id, done_at desc, id desc) where reason = 'quote_call';
create trigger tasks_not_merged before insert on tasks for each row
  when (new.person_id is not null) execute function refuse_merged_person();

-- The work that runs by itself.

-- What runs by itself again and again, by queue: when it was last asked for, and when it last succeeded. By the database's
-- clock alone: a moment in the future says that this clock was ahead, and counts as past.
create table rounds (
  name text constraint rounds_pkey primary key,
  minutes integer not null constraint rounds_minutes_positive check (minutes > 0),
  asked_at timestamptz not null default '-infinity',
  done_at timestamptz not null default now()
);
comment on column rounds.minutes is 'From one round to the next';
comment on column rounds.done_at is 'The last success; until there is one, when the round was first known';

-- One row that every process writes now and then, to notice when nothing can be written.
create table write_probe (
  id boolean constraint write_probe_pkey primary key default true constraint write_probe_one check (id),
  at timestamptz not null
);

-- Every process looks through the jobs in hand at each beat. Without the moment of their last beat, which each beat changes.
create index jobs_in_hand on pgboss.job (name) where state = 'active';
