-- Every process looks through the jobs in hand at each beat. Without the moment of their last beat, which each beat changes.
create index jobs_in_hand on pgboss.job (name) where state = 'active';
