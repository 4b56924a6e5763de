-- What the agency's own system calls its client. Erased with the other data that it gave of them.
alter table clients add column reference text
  constraint clients_reference_length check (char_length(reference) between 1 and 64);
