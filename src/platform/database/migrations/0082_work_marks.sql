-- Lines of work of the office's home are derived from what they are about: this is what people said about them. No key of
-- another table: the subject is an appointment, a task, a payment, a quote…; marks of two months ago are deleted.
create table work_marks (
  subject uuid constraint work_marks_pkey primary key,
  -- The kind of the line that was put off: when that changes, it is back.
  kind text not null,
  taken_by uuid constraint work_marks_taken_by_fkey references users,
  snoozed_until timestamptz,
  updated_at timestamptz not null default now()
);
