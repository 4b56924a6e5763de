-- The postal service's official list, when the operator has loaded it (npm run postal). Empty, the ranges of domain/postal.ts decide.
create table postal_codes (
  postal_code text not null,
  colonia text not null,
  municipality text not null,
  state text not null,
  primary key (postal_code, colonia),
  constraint postal_codes_five_digits check (postal_code ~ '^[0-9]{5}$')
);

alter table addresses add column wants_notice_at timestamptz;
comment on column addresses.wants_notice_at is 'When the customer asked to hear of the day we reach a place outside our area';
