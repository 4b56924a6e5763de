-- The office's modules: the bank's movements compared with the payments, and how far each project is. Both are new tables
-- of their own, which the version before this one neither reads nor writes. Amounts are whole centavos.

create table bank_statements (
  id uuid primary key default uuidv7(),
  name text not null,
  sha256 text not null,
  content text,
  head int not null,
  head_words text not null,
  columns jsonb not null,
  uploaded_by uuid not null references users,
  read_at timestamptz,
  lines_new int not null default 0,
  lines_known int not null default 0,
  debits int not null default 0,
  unread int[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint bank_statements_name_length check (char_length(name) between 1 and 200),
  constraint bank_statements_kept_until_read check ((content is null) = (read_at is not null))
);
create index bank_statements_read on bank_statements (read_at, id) where read_at is not null;
comment on table bank_statements is 'A file of the bank''s movements that somebody handed in';
comment on column bank_statements.content is 'Its text until its columns are confirmed; then its lines say what is needed, and nothing else of it is kept';
comment on column bank_statements.head is 'The row of the headings, from 0; -1 is none';
comment on column bank_statements.head_words is 'The headings: the next file with the same ones is read by the same columns';
comment on column bank_statements.unread is 'Rows of the file that were no movement, from 1; the first ones';
comment on constraint bank_statements_kept_until_read on bank_statements is 'What is in it of others is kept no longer than it takes to read it';

create table bank_lines (
  id uuid primary key default uuidv7(),
  statement_id uuid not null references bank_statements,
  hash text not null constraint bank_lines_once unique,
  row_number int not null,
  booked_on date not null,
  amount bigint not null,
  description text not null,
  reference text not null,
  tracking_key text,
  state text not null default 'open',
  payment_id uuid references payments constraint bank_lines_one_of_payment unique,
  reason text,
  decided_by uuid references users,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint bank_lines_amount_positive check (amount > 0),
  constraint bank_lines_state_known check (state in ('open', 'settled', 'recorded', 'ignored')),
  constraint bank_lines_paired check ((state in ('settled', 'recorded')) = (payment_id is not null)),
  constraint bank_lines_ignored_why check ((state = 'ignored') = (reason is not null)),
  constraint bank_lines_decided check ((state = 'open') = (decided_by is null) and (decided_by is null) = (decided_at is null))
);
create unique index bank_lines_key_once on bank_lines (tracking_key, amount, booked_on) where tracking_key is not null;
create index bank_lines_open on bank_lines (booked_on, id) where state = 'open';
create index bank_lines_decided_last on bank_lines (decided_at) where decided_at is not null;
create index bank_lines_of_statement on bank_lines (statement_id);
comment on table bank_lines is 'Money that came into the account, as the bank tells it; each belongs to at most one payment, and each payment to at most one';
comment on column bank_lines.hash is 'Of the row as it stands in its file, and of how many of that file say the same: read twice, it is one';
comment on constraint bank_lines_one_of_payment on bank_lines is 'A payment is one movement of the bank';
comment on index bank_lines_key_once is 'The same transfer in a file of another shape';

-- A movement that settled a payment, or is one, is history as the payment is.
create function bank_lines_freeze() returns trigger language plpgsql as $$
begin
  if old.state in ('settled', 'recorded') or (new.amount, new.booked_on, new.hash) is distinct from (old.amount, old.booked_on, old.hash) then
    raise exception 'a movement of the bank is frozen' using errcode = 'restrict_violation', constraint = 'bank_lines_frozen';
  end if;
  return new;
end $$;
create trigger bank_lines_frozen before update on bank_lines for each row execute function bank_lines_freeze();

create table project_standings (
  project_id uuid primary key references projects,
  customer_id uuid not null references users,
  stage text not null default 'intake',
  waiting_on text not null default 'none',
  since timestamptz,
  updated_at timestamptz not null default now(),
  constraint project_standings_stage_known check (stage in
    ('intake', 'advisory', 'visit', 'quoting', 'deposit', 'installing', 'cfe', 'closed', 'lost')),
  constraint project_standings_waiting_known check (waiting_on in
    ('customer', 'technician', 'analyst', 'manager', 'gester', 'cfe', 'none'))
);
create index project_standings_by_stage on project_standings (stage, project_id);
create index project_standings_by_turn on project_standings (waiting_on, project_id);
comment on table project_standings is 'How far each project is and whose turn it is, as last worked out (stage_checks): what lists are narrowed by. The project''s parts are the truth';

-- Every project is worked out once, by the round that follows clients.
insert into stage_checks (customer_id) select distinct customer_id from projects;

-- The ledger's order. Not concurrently: a migration is one transaction; building it over 300,000 payments takes about a second.
create index payments_by_day on payments ((coalesce(paid_at, created_at)), id);
