-- The orders of lists that had no index. Not concurrently: a migration is one transaction; over 500,000 projects it takes
-- about a second.
create index projects_by_age on projects (created_at, id);
-- As above: quotes are fewer than projects.
create index quotes_by_age on quotes (created_at, id);
-- As above: few accounts are inactive, in the order of `users_by_name`.
create index users_inactive on users ((name is null), (coalesce(name, '') collate es), (coalesce(lastname, '') collate es), id)
  where not active;
