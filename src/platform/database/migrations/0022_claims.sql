-- A sheet whole and handed in after its appointment was taken from its author: the manager's to decide.
alter table sheets
  add column claimed_at timestamptz,
  add column claimed_by uuid references users,
  add column claim_answered_at timestamptz,
  add column claim_refusal text,
  add constraint sheets_claim_whole check ((claimed_at is null) = (claimed_by is null)),
  add constraint sheets_claim_answered check (claim_answered_at is null or claimed_at is not null),
  add constraint sheets_claim_refusal_answers check (claim_refusal is null or claim_answered_at is not null);
comment on column sheets.claimed_at is 'When it was handed in on the phone';
comment on column sheets.claim_refusal is 'Why the manager did not reopen the appointment, for whoever carried it out';
