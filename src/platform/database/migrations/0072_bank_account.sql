-- How a bank file is read: its account, and the direction of words that no bank is known to use. A movement's identity is
-- its account, day, amount and tracking key or text, compared when a file is read; the hash only says of which row it is.
alter table bank_statements add column account text not null default ''
  constraint bank_statements_account_length check (char_length(account) <= 60);
alter table bank_statements add column answers jsonb not null default '{}';
comment on column bank_statements.account is 'The account as the office wrote it; empty for files read before it was asked';
comment on column bank_statements.answers is 'Of each word of a sign column that was asked about: in, out or skip';
comment on column bank_lines.hash is 'Of its file and its row: a file is read once';
-- Some thousand rows: a moment.
create index bank_lines_alike on bank_lines (amount, booked_on);
