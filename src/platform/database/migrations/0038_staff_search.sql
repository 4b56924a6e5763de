-- Every search looks for staff too: among some hundreds, not among all who bear a name. Not concurrently, as in 0028: half a
-- second over half a million people.
create index users_staff_by_word on users using gin (person_words(name, lastname, email, phone)) where role = 'staff';
