-- What goes besides free words: the bank and the key of a transfer, which the history used to repeat from its payment, and
-- what the bank wrote of a movement.

create or replace function events_freeze() returns trigger language plpgsql as $$
begin
  if (new.id, new.entity, new.entity_id, new.actor_id, new.name, new.from_state, new.to_state, new.at)
      is distinct from (old.id, old.entity, old.entity_id, old.actor_id, old.name, old.from_state, old.to_state, old.at)
      or (new.data is distinct from old.data and new.data is distinct from old.data - array['bank', 'trackingKey'])
      or new.reason is not null or current_setting('carga.forgetting', true) is distinct from 'on' then
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = 'events_append_only';
  end if;
  return new;
end $$;

select set_config('carga.forgetting', 'on', true);
-- Of those who are deleted already. Few rows, each found by an index, and nobody writes them any more.
update events set reason = null, data = data - array['bank', 'trackingKey']
  where entity = 'payment' and data ?| array['bank', 'trackingKey'] and entity_id in (
    select payments.id from payments join users on users.id = payments.customer_id where users.deleted_at is not null);
select set_config('carga.forgetting', '', true);

-- As before, but what the bank wrote of a movement may go, and nothing else of it: it names who paid.
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
