-- The secret of the page that says whether a hand-over's document is ours; made when the document first is.
create table handover_proofs (
  appointment_id uuid primary key
    constraint handover_proofs_sheet references sheets (appointment_id) on delete cascade,
  secret uuid not null default gen_random_uuid() constraint handover_proofs_secret unique
);
