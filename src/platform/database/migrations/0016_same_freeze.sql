-- Databases that were made with the first text of 0015 kept the older trigger on the bank's movements. This is the one
-- of its second text, word for word: the others have it already.
create or replace function bank_lines_freeze() returns trigger language plpgsql as $$
begin
  if current_setting('carga.forgetting', true) = 'on'
      and (new.description, new.reference, coalesce(new.reason, '–')) = ('', '', '–') and new.tracking_key is null
      and (new.id, new.statement_id, new.hash, new.row_number, new.booked_on, new.amount, new.state, new.payment_id, new.decided_by, new.decided_at)
        is not distinct from (old.id, old.statement_id, old.hash, old.row_number, old.booked_on, old.amount, old.state, old.payment_id, old.decided_by, old.decided_at) then
    return new;
  end if;
  if old.state in ('settled', 'recorded') or (new.amount, new.booked_on, new.hash) is distinct from (old.amount, old.booked_on, old.hash) then
    raise exception 'a movement of the bank is frozen' using errcode = 'restrict_violation', constraint = 'bank_lines_frozen';
  end if;
  return new;
end $$;
