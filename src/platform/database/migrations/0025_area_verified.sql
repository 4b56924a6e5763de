-- When the office answered whether we reach a home whose postal code does not say so. The answer stands as long as its code
-- and its municipality stay.
alter table addresses add column area_verified_at timestamptz;

-- Until now such a call could only be noted, and its home stayed closed: each is asked about again.
insert into tasks (subject, reason, person_id, project_id, phone)
select 'Verificar si llegamos al domicilio', 'coverage', users.id, projects.id, users.phone
from addresses
join projects on projects.id = addresses.project_id and projects.closed_at is null
join users on users.id = projects.customer_id and users.active
where addresses.area = 'to_verify' and addresses.archived_at is null
  and not exists (select 1 from tasks where project_id = projects.id and reason = 'coverage' and done_at is null);
