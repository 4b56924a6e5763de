-- The office may ask for the report of a visit that ended without one.
alter table sheets drop constraint sheets_submitted_known,
  add constraint sheets_submitted_known check (state in ('draft', 'returned') or (submitted_at is not null and submitted_by is not null)) not valid;
