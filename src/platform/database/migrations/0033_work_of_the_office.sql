-- What the office has to do first, each read at the head of an index. Not concurrently, as in 0028: the first holds few
-- rows, the second one event of each appointment that no manager confirmed.
create index appointments_without_person on appointments (starts_at, id) where state = 'requested' and assignee_id is null;
-- As above.
create index events_of_confirmations on events (at)
  where entity = 'appointment' and name in ('autoConfirm', 'without_person');
