-- What a technician may show of their trade, as the manager wrote it; and what it was when a hand-over's document was made.
alter table visit_cards add column credential text;
alter table visit_cards add constraint visit_cards_credential
  check (char_length(credential) between 1 and 80) not valid;
alter table handover_proofs add column credential text;
