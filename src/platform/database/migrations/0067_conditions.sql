-- What an approved visit found that must be met before its charger is used. The condominium's permit stands in the project.
create table conditions (
  project_id uuid not null constraint conditions_project references projects on delete cascade,
  kind text not null constraint conditions_kind check (kind in ('load_increase', 'second_meter', 'works', 'uvie')),
  visit_id uuid not null constraint conditions_visit references appointments,
  -- The current that the house bears meanwhile; null where it bears none.
  limit_amps smallint constraint conditions_limit check (limit_amps >= 6),
  -- The current to which its charger was set and approved while the condition was open.
  held_amps smallint constraint conditions_held check (held_amps <= limit_amps),
  created_at timestamptz not null default now(),
  met_at timestamptz,
  met_by uuid constraint conditions_met_by references users,
  blocks_booking boolean not null generated always as
    (met_at is null and limit_amps is null and kind in ('load_increase', 'second_meter')) stored,
  constraint conditions_key primary key (project_id, kind)
);

-- The condominium's permit counts once the office or a gester has looked at it.
alter table projects add column permit_valid_at timestamptz, add column permit_returned text;
-- One that came in before counts already. Few rows: a moment.
update projects set permit_valid_at = permit_received_at where permit_received_at is not null;

-- Whether the installation of a project may be booked: what its customer's page calls ready.
create function is_ready(projects) returns boolean language sql stable as $$
  select $1.closed_at is null and $1.quote_accepted_at is not null and $1.deposit_paid_at is not null
    and (not $1.permit_needed or $1.permit_valid_at is not null)
    and not exists (select from conditions join cfe_cases using (project_id)
      where conditions.project_id = $1.id and conditions.blocks_booking and cfe_cases.kind <> 'name_change')
$$;

alter table cfe_cases add column approved_kilowatts numeric(4, 1) constraint cfe_cases_approved check (approved_kilowatts > 0);

-- Projects whose approved visit asked CFE for more, or for another meter, and that no case here was granted to.
insert into conditions (project_id, kind, visit_id)
select distinct on (visit.project_id) visit.project_id,
  case when meter.value = '"second"' then 'second_meter' else 'load_increase' end, visit.id
from appointments visit
join sheets on sheets.appointment_id = visit.id and sheets.kind = 'visit' and sheets.state = 'approved'
left join sheet_answers meter on meter.appointment_id = visit.id and meter.name = 'meterChoice'
left join sheet_answers more on more.appointment_id = visit.id and more.name = 'loadIncrease'
where (meter.value = '"second"' or more.value = 'true')
  and not exists (select from sheets later join appointments on appointments.id = later.appointment_id
    where appointments.project_id = visit.project_id and later.kind = 'visit' and later.state = 'approved'
      and later.reviewed_at > sheets.reviewed_at)
  and not exists (select from cfe_cases where cfe_cases.project_id = visit.project_id and cfe_cases.kind <> 'name_change'
    and (case when cfe_cases.state = 'on_hold' then cfe_cases.held_from else cfe_cases.state end) in ('meter_installed', 'closed'))
  and not exists (select from sheets done join appointments made on made.id = done.appointment_id
    where made.project_id = visit.project_id and done.kind = 'installation' and done.state = 'approved');
