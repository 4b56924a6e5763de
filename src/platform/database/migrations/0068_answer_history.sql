-- Every value that an answer of a report has had: a failed measurement stays, and a later change invalidates a signature
-- also where the answer was changed back. Of texts, which may identify a person, only the change is noted.
create table sheet_answer_history (
  id bigint generated always as identity constraint sheet_answer_history_key primary key,
  appointment_id uuid not null constraint sheet_answer_history_appointment references appointments,
  name text not null,
  value jsonb,
  changed_at timestamptz not null,
  arrived_at timestamptz not null,
  changed_by uuid not null constraint sheet_answer_history_changed_by references users
);
create index sheet_answer_history_of on sheet_answer_history (appointment_id, id);
create trigger sheet_answer_history_append_only before update or delete on sheet_answer_history
  for each statement execute function refuse_change();

-- By the database itself, so that also the version before, which still serves, leaves nothing out.
create function note_answer() returns trigger language plpgsql as $$
begin
  insert into sheet_answer_history (appointment_id, name, value, changed_at, arrived_at, changed_by)
  values (new.appointment_id, new.name, case when jsonb_typeof(new.value) in ('number', 'boolean') then new.value end,
    new.changed_at, new.arrived_at, new.changed_by);
  return null;
end $$;
create trigger sheet_answers_noted after insert or update of revision on sheet_answers
  for each row execute function note_answer();

insert into sheet_answer_history (appointment_id, name, value, changed_at, arrived_at, changed_by)
select appointment_id, name, case when jsonb_typeof(value) in ('number', 'boolean') then value end,
  changed_at, arrived_at, changed_by
from sheet_answers;

-- A record begun before readings were asked is not held up for them.
insert into sheet_answers (appointment_id, name, value, changed_at, arrived_at, changed_by)
select distinct on (appointment_id) appointment_id, 'asksReadings', 'false'::jsonb, made.changed_at, made.arrived_at, made.changed_by
from sheet_answers made
join sheets using (appointment_id)
where sheets.kind = 'installation' and sheets.submitted_at is null
order by appointment_id, made.changed_at
on conflict do nothing;
