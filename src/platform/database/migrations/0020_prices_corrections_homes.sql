-- What a quote is measured by, what corrects a payment, and which other home the office approved.

alter table catalogue_items add column unit_cost bigint
  constraint catalogue_items_cost_range check (unit_cost between 0 and 9999999999);
comment on column catalogue_items.unit_cost is 'What one unit costs the house, in ten-thousandths of a peso without IVA; null where nobody wrote it';

alter table quotes add column below_list int not null default 0;
alter table quotes add column below_cost boolean not null default false;
comment on column quotes.below_list is 'How far it was below the catalogue and its report''s proposal when it was last saved or sent, in hundredths of a percent; 0 before that was measured';
comment on column quotes.below_cost is 'Whether an option came to less than its items cost, by the catalogue of that moment';

alter table addresses add column approved_at timestamptz;
comment on column addresses.approved_at is 'When the manager approved it for a project in the place of the home that was quoted; quotes that were sent before are for it, too';

alter table payments add column reverses_id uuid references payments;
alter table payments add column reversed_at timestamptz;
comment on column payments.reverses_id is 'The payment that was booked by mistake, which this negative row takes back';
comment on column payments.reversed_at is 'When another row took it back; nothing else of it ever changes';
-- A row of each payment is the least that may take it back. Few rows have a value: it is made in a moment.
create unique index payments_one_reversal on payments (reverses_id) where reverses_id is not null;
-- What the version before writes fits the new one as well; the table is small and read once.
alter table payments drop constraint payments_sign;
alter table payments add constraint payments_sign check (case
  when concept = 'refund' then amount < 0 and state = 'paid' and refund_id is not null and reverses_id is null
  when reverses_id is not null then amount < 0 and state = 'paid'
  else amount > 0 end);
-- A transfer that was booked wrongly is booked anew under its key.
drop index payments_tracking_key_once;
-- Not concurrently: a migration is one transaction, and the rows with a key are few.
create unique index payments_tracking_key_once on payments (lower(bank), upper(tracking_key))
  where tracking_key is not null and state in ('in_review', 'paid') and reversed_at is null and reverses_id is null;

-- As before, but a movement goes free when its payment was taken back.
create or replace function bank_lines_freeze() returns trigger language plpgsql as $$
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

-- As before; and what was taken back stays so.
create or replace function payments_freeze() returns trigger language plpgsql as $$
begin
  if old.state = 'paid' and (new.state, new.amount, new.paid_at, new.method, new.concept, new.project_id, new.reverses_id)
      is distinct from (old.state, old.amount, old.paid_at, old.method, old.concept, old.project_id, old.reverses_id)
      or (old.reversed_at is not null and new.reversed_at is distinct from old.reversed_at) then
    raise exception 'a payment that was paid is frozen' using errcode = 'restrict_violation', constraint = 'payments_frozen';
  end if;
  return new;
end $$;
