-- The filters and the order of a list that a person of staff keeps under a name. The words looked for are not among them:
-- often they are a customer's name, which erasing that customer would not find here.
create table saved_views (
  id uuid primary key default uuidv7(),
  owner_id uuid not null constraint saved_views_owner references users on delete cascade,
  list text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  constraint saved_views_list_short check (char_length(list) <= 20),
  constraint saved_views_name_length check (char_length(name) between 1 and 40),
  constraint saved_views_query_length check (char_length(query) between 1 and 500)
);
-- Not concurrently: the table is new and empty.
create unique index saved_views_one_name on saved_views (owner_id, list, plain_text(name));

-- The orders of lists that had no index. Not concurrently, as in 0028: some seconds over half a million people.
create index users_by_creation on users (created_at, id);
-- As above: as many payments.
create index payments_by_amount on payments (amount, id);
-- As above: cases are few. What is due first comes first; those that are over are another, rarely read list.
create index cfe_cases_by_due on cfe_cases ((coalesce(due_on, date '9999-12-31')), id) where closed_at is null;
