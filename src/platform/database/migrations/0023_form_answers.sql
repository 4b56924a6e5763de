-- What a form that was accepted was answered: sealed with the form's own key, which is not kept, and found by its hash.
create table form_answers (
  place text constraint form_answers_pkey primary key,
  answer text not null,
  created_at timestamptz not null default now()
);
create index form_answers_created_at_idx on form_answers (created_at);
