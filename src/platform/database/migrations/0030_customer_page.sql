-- The calls noted with a customer, for their page. Not concurrently: a migration is one transaction, and tasks are few.
create index tasks_of_person on tasks (person_id) where person_id is not null;
-- As above: refunds are fewer than payments.
create index refunds_of_project on refunds (project_id);

-- A link to an account that the office opened may be handed over otherwise than by its mailbox, which it then does not prove.
alter table letter_codes add column proves_mailbox boolean not null default true;
comment on column letter_codes.proves_mailbox is 'Whether only the mailbox received it; false for a link that the office copied';
