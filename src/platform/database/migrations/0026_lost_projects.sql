-- Why a closed project came to nothing; one that was installed has no reason.
alter table projects
  add column lost_reason text,
  add column lost_note text,
  add constraint projects_lost_reason_known check (lost_reason in
    ('precio', 'no_viable', 'otro_proveedor', 'sin_respuesta', 'ya_no_requiere', 'fuera_de_zona')),
  add constraint projects_lost_is_closed check (lost_reason is null or closed_at is not null);
