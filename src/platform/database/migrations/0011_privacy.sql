-- Data protection: what people agreed to, who read their fiscal data, accounts that are blocked before they are suppressed.

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
  constraint consents_source_known check (source in ('signup', 'provider', 'recovery', 'completion', 'home', 'account', 'whatsapp', 'deletion', 'before'))
);
create index consents_of_user on consents (user_id, kind, id desc);
comment on table consents is 'Append-only; deleted five years after, by the round that looks after what is too old';
comment on column consents.version is 'Of the terms and the privacy notice as they stood at that moment';
comment on column consents.source is 'Where it was said; ''before'' is what the columns of users told when this table was made';

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

-- What both tables hold is evidence: it is written once and goes when nobody can ask for it any more.
create function refuse_change_of_evidence() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '5 years' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = 'evidence_append_only';
end $$;
create trigger consents_append_only before update or delete on consents for each row execute function refuse_change_of_evidence();
create trigger data_reads_append_only before update or delete on data_reads for each row execute function refuse_change_of_evidence();

-- What was held of somebody whose account is blocked, sealed: no screen, letter or list reads it, and nothing else tells who it was.
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

-- Staff other than the manager do not see what stays of deleted customers for the tax office. Empty at first, so made in no time.
create index users_deleted on users (deleted_at) where deleted_at is not null;

-- The history stays, and so does what it is about; only free words in it go when nobody needs them any more.
create function events_freeze() returns trigger language plpgsql as $$
begin
  if (new.id, new.entity, new.entity_id, new.actor_id, new.name, new.from_state, new.to_state, new.data, new.at)
      is distinct from (old.id, old.entity, old.entity_id, old.actor_id, old.name, old.from_state, old.to_state, old.data, old.at)
      or new.reason is not null or current_setting('carga.forgetting', true) is distinct from 'on' then
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = 'events_append_only';
  end if;
  return new;
end $$;
create or replace trigger events_append_only before delete or truncate on events for each statement execute function refuse_change();
create trigger events_frozen before update on events for each row execute function events_freeze();
-- Not concurrently, as a file is one transaction: few events carry words, so it is a second's work on millions.
create index events_with_words on events (at) where reason is not null;

-- As before, but a name under an acceptance may go after five years, when no law asks for it.
create or replace function quotes_freeze() returns trigger language plpgsql as $$
begin
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

-- What was agreed to before there was a table for it.
insert into consents (user_id, kind, given, version, source, at)
  select id, 'terms', true, terms_version, 'before', terms_accepted_at from users
    where terms_version is not null and terms_accepted_at is not null and deleted_at is null
  union all
  select id, 'whatsapp', true, coalesce(terms_version, '–'), 'before', whatsapp_opt_in_at from users where whatsapp_opt_in_at is not null
  union all
  select id, 'news', true, coalesce(terms_version, '–'), 'before', news_opt_in_at from users where news_opt_in_at is not null;
