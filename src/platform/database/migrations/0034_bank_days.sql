-- Which days a bank's file tells of, so that a payment which the bank does not have can be told from one of another month.
alter table bank_statements add column covers_from date;
alter table bank_statements add column covers_to date;
comment on column bank_statements.covers_from is 'The first day of its movements, debits too; null before it is read';
comment on column bank_statements.covers_to is 'The last one';
-- Of the files read so far, the days of the credits that they brought first.
update bank_statements set covers_from = days.first, covers_to = days.last
  from (select statement_id, min(booked_on) as first, max(booked_on) as last from bank_lines group by statement_id) days
  where days.statement_id = bank_statements.id and read_at is not null;
-- Who owes what, the longest overdue first. Not concurrently, as in 0028: few payments are pending.
create index payments_receivable on payments ((coalesce(due_at, created_at)), id) where state = 'pending';
