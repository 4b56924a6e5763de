-- Chargers that the company bought, by their serial. Which one is installed follows from the installation records.

create table chargers (
  id uuid primary key default uuidv7(),
  brand text not null,
  model text not null,
  serial text not null,
  cost bigint not null,
  received_on date not null,
  holder_id uuid constraint chargers_holder references users,
  returned_on date,
  created_at timestamptz not null default now(),
  constraint chargers_words_length check (greatest(char_length(brand), char_length(serial)) <= 40 and char_length(model) <= 60),
  constraint chargers_cost_sensible check (cost between 0 and 100000000),
  constraint chargers_in_one_place check (holder_id is null or returned_on is null)
);
comment on column chargers.cost is 'Centavos, without IVA';
comment on column chargers.holder_id is 'The technician who carries it';
create unique index chargers_serial_once on chargers (lower(brand), upper(serial));
