-- What goes besides free words: the bank and the key of a transfer, which the history used to repeat from its payment.

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
