-- A code of the second step goes only to a phone that the account has had for some days (decision 0174). Accounts of
-- before count from now.
alter table users add column phone_changed_at timestamptz not null default now();

create function note_phone_change() returns trigger language plpgsql as $$
begin
  new.phone_changed_at := now();
  return new;
end $$;
create trigger users_phone_noted before update of phone on users
  for each row when (old.phone is distinct from new.phone) execute function note_phone_change();
