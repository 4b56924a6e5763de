-- As before, but a quote that was sent and not yet seen may be taken back: a draft again, with the same content.
create or replace function quotes_freeze() returns trigger language plpgsql as $$
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
