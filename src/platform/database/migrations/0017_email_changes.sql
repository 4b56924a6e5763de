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

-- Codes of letters live for some days: there are few.
alter table letter_codes
  add column email_change_id uuid constraint letter_codes_email_change references email_changes on delete cascade,
  drop constraint letter_codes_purpose_known,
  add constraint letter_codes_purpose_known check (purpose in ('reset_password', 'verify_email', 'change_email', 'object_email')),
  add constraint letter_codes_change_told check ((email_change_id is not null) = (purpose in ('change_email', 'object_email')));
-- Few rows: a moment.
create index letter_codes_by_email_change on letter_codes (email_change_id) where email_change_id is not null;

-- Whose account was opened by a stranger with their mailbox agreed to nothing yet.
alter table consents
  drop constraint consents_source_known,
  add constraint consents_source_known check (source in ('signup', 'provider', 'recovery', 'completion', 'home', 'account', 'whatsapp', 'deletion', 'take_over', 'before'));
