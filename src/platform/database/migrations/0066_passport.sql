-- Each load gets the kind that the calculation gave it by its name until now, and those that it missed; from here on the
-- technician chooses it.
update sheet_answers set value = (
  select coalesce(jsonb_agg(load || jsonb_build_object('kind', case
      when load ->> 'name' ~* 'freidora|compresor' then 'other'
      when load ->> 'name' ~* '\yaires?\y|clima|split|\ya\.?\s*/?\s*c\y|hvac|bomba de calor|enfriador' then 'cooling'
      when load ->> 'name' ~* 'calefac' then 'heating'
      else 'other' end) order by nth), '[]')
  from jsonb_array_elements(value) with ordinality as loads (load, nth))
where name = 'loads' and jsonb_typeof(value) = 'array';

-- What was begun before the feeder and the charger's plate were asked is not held up for them.
insert into sheet_answers (appointment_id, name, value, changed_at, arrived_at, changed_by)
select appointment_id, case sheets.kind when 'visit' then 'asksFeeder' else 'asksPlate' end, 'false', made.changed_at,
  made.arrived_at, made.changed_by
from sheet_answers made
join sheets using (appointment_id)
where made.name = case sheets.kind when 'visit' then 'mainBreaker' else 'breaker' end and made.value <> 'null'
  and sheets.submitted_at is null
on conflict do nothing;
