-- Two records of one person become one: the rows of one move to the other, which stands, and its account ends. The version
-- before serves on: to it an ended account is an inactive one.
alter table users
  add column merged_into_id uuid constraint users_merged_into references users,
  add constraint users_merged_ended check (merged_into_id is null or (not active and merged_into_id <> id));
comment on column users.merged_into_id is 'The customer that stands for this one: its rows are there, and it signs in no more';
-- Not concurrently: a migration is one transaction, and the column is new and empty.
create index users_merged on users (merged_into_id) where merged_into_id is not null;

-- What each merge moved, so that it can be undone: exactly these rows.
create table customer_merges (
  id uuid primary key default uuidv7(),
  kept_id uuid not null constraint customer_merges_kept references users,
  ended_id uuid not null constraint customer_merges_ended references users,
  merged_by uuid not null constraint customer_merges_merged_by references users,
  merged_at timestamptz not null default now(),
  moved jsonb not null,
  profile jsonb not null,
  ended_project_id uuid constraint customer_merges_project references projects,
  ended_client_id uuid constraint customer_merges_client references clients,
  undone_at timestamptz,
  undone_by uuid constraint customer_merges_undone_by references users,
  constraint customer_merges_of_two check (kept_id <> ended_id),
  constraint customer_merges_undone_whole check ((undone_at is null) = (undone_by is null))
);
create unique index customer_merges_one_stands on customer_merges (ended_id) where undone_at is null;
create index customer_merges_of_kept on customer_merges (kept_id, merged_at);
comment on column customer_merges.moved is 'The keys of the rows that moved, by table and column';
comment on column customer_merges.profile is 'Name and phone of the one that stands, before and after';
comment on column customer_merges.ended_project_id is 'The empty open project that was closed: a customer has one open project';
comment on column customer_merges.ended_client_id is 'The attribution that was ended: both had one, to the same dealership';

-- One value more; what the version before writes fits as well.
alter table projects
  drop constraint projects_lost_reason_known,
  add constraint projects_lost_reason_known check (lost_reason in
    ('precio', 'no_viable', 'otro_proveedor', 'sin_respuesta', 'ya_no_requiere', 'fuera_de_zona', 'duplicado'));

-- A command that began before the merge writes nothing to the ended customer: it waits for the merge, as its foreign key
-- would, and is refused as one that was overtaken.
create function refuse_merged_customer() returns trigger language plpgsql as $$
declare
  stands uuid;
begin
  select merged_into_id into stands from users where id = new.customer_id for key share;
  if stands is not null then
    raise exception 'customer % was merged', new.customer_id
      using errcode = 'serialization_failure', constraint = 'customer_merged';
  end if;
  return new;
end $$;
create function refuse_merged_person() returns trigger language plpgsql as $$
declare
  stands uuid;
begin
  select merged_into_id into stands from users where id = new.person_id for key share;
  if stands is not null then
    raise exception 'customer % was merged', new.person_id
      using errcode = 'serialization_failure', constraint = 'customer_merged';
  end if;
  return new;
end $$;
create trigger projects_not_merged before insert on projects for each row execute function refuse_merged_customer();
create trigger appointments_not_merged before insert on appointments for each row execute function refuse_merged_customer();
create trigger slot_wishes_not_merged before insert on slot_wishes for each row execute function refuse_merged_customer();
create trigger faults_not_merged before insert on faults for each row execute function refuse_merged_customer();
create trigger documents_not_merged before insert on documents for each row
  when (new.customer_id is not null) execute function refuse_merged_customer();
create trigger quotes_not_merged before insert on quotes for each row execute function refuse_merged_customer();
create trigger refunds_not_merged before insert on refunds for each row execute function refuse_merged_customer();
create trigger payments_not_merged before insert on payments for each row execute function refuse_merged_customer();
create trigger fiscal_data_not_merged before insert on fiscal_data for each row execute function refuse_merged_customer();
create trigger invoices_not_merged before insert on invoices for each row execute function refuse_merged_customer();
create trigger cfe_cases_not_merged before insert on cfe_cases for each row execute function refuse_merged_customer();
-- An invitation names no customer until it is accepted.
create trigger clients_not_merged before insert or update of customer_id on clients for each row
  when (new.customer_id is not null) execute function refuse_merged_customer();
create trigger tasks_not_merged before insert on tasks for each row
  when (new.person_id is not null) execute function refuse_merged_person();
