-- A person's name as it is shown. Virtual: it is added in an instant, and read from name and lastname as they stand.
alter table users add column full_name text generated always as (
  coalesce(name || ' ' || lastname, name, lastname, '')
) virtual;
comment on column users.full_name is 'Name and last name; empty, never null, until the person has given one';
