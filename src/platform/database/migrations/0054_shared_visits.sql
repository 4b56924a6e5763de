-- The link by which a customer shows their family who comes (decision 0139): one for an appointment, for the day that it was
-- made for. Only the hash of its secret is kept. Its indexes are not made concurrently: the table is new.
create table shared_visits (
  appointment_id uuid primary key constraint shared_visits_appointment references appointments on delete cascade,
  secret_hash text not null constraint shared_visits_secret_unique unique,
  day date not null,
  created_at timestamptz not null default now()
);
