-- A tracking key is one transfer's: one that came with a rejected proof is known when it comes again.
alter table payments add column rejected_keys text[] not null default '{}';
comment on column payments.rejected_keys is 'The tracking keys of its proofs that were rejected, in capitals; erased with the account';
-- Not concurrently, as in 0028: no row has any yet.
create index payments_by_rejected_key on payments using gin (rejected_keys) where rejected_keys <> '{}';

-- A correction counts in a month that is open, whatever the day it is about (decision 0120).
alter table payments add column counts_at timestamptz;
comment on column payments.counts_at is 'The moment by which figures and the ledger''s months count a row that corrects one of a month that is over; null where that is paid_at';
-- Not concurrently: the table is small and read once. The version before goes on with payments_by_day.
create index payments_by_counted_day on payments ((coalesce(counts_at, paid_at, created_at)), id);
-- As before; and when it counts stays, too.
create or replace function payments_freeze() returns trigger language plpgsql as $$
begin
  if old.state = 'paid' and (new.state, new.amount, new.paid_at, new.counts_at, new.method, new.concept, new.project_id, new.reverses_id)
      is distinct from (old.state, old.amount, old.paid_at, old.counts_at, old.method, old.concept, old.project_id, old.reverses_id)
      or (old.reversed_at is not null and new.reversed_at is distinct from old.reversed_at) then
    raise exception 'a payment that was paid is frozen' using errcode = 'restrict_violation', constraint = 'payments_frozen';
  end if;
  return new;
end $$;
