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
