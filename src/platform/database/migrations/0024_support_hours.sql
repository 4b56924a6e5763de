-- The support line's hours as they were proposed until now, on a clock of twelve hours. What a manager wrote stays.
update settings
set value = jsonb_set(value, '{support,hours}', '"Lunes a viernes de 9:00 a. m. a 6:00 p. m., sábado de 9:00 a. m. a 2:00 p. m."')
where key = 'service'
  and value #>> '{support,hours}' = 'Lunes a viernes de 9:00 a 18:00, sábado de 9:00 a 14:00';
