-- Drafts of visits that have their L1 to L2 were measured before L2 to L3 and L1 to L3 were asked: they are not held up for
-- two voltages at a house that may be far away by now. The answer is as old as the measure, so that no signature falls.
insert into sheet_answers (appointment_id, name, value, changed_at, arrived_at, changed_by)
select appointment_id, 'asksPhases', 'false', measured.changed_at, measured.arrived_at, measured.changed_by
from sheet_answers measured
join sheets using (appointment_id)
where measured.name = 'voltsL1L2' and measured.value <> 'null'
  and sheets.kind = 'visit' and sheets.submitted_at is null
on conflict do nothing;
