import { shortName, surnameOf } from '../../src/shared/names.ts'

test.each([
  ['García', 'García'],
  ['Hernández Ramírez', 'Hernández R.'],
  ['de la Torre', 'de la Torre'],
  ['de la Torre y Hernández-Villaseñor', 'de la Torre H.'],
  ['De León Ruiz', 'De León R.'],
  ['Martínez de Castro', 'Martínez C.'],
  ['Sánchez-Navarro y Peón', 'Sánchez-Navarro P.'],
  ['San Martín Ñandú', 'San Martín Ñ.'],
  ['Montes de Oca Ruiz', 'Montes de Oca R.'],
  ['Ponce de León', 'Ponce de León'],
  ['Vda. de Pérez', 'Vda. de Pérez'],
  ['Ibargüengoitia-Echeverría-Goicoechea Antillón', 'Ibargüengoitia-Echeverría-Goicoechea A.'],
  ['de la', 'de la'],
  ['', ''],
])('the surname %s is short %s', (lastname, short) => expect(surnameOf(null, lastname)).toBe(short))

test.each([
  ['María', 'Hernández Ramírez', 'María Hernández R.', 'Hernández R.'],
  ['Ana', null, 'Ana', 'Ana'],
  [null, null, '', ''],
])('%s %s is short %s, and %s', (name, lastname, short, surname) => {
  expect(shortName(name, lastname)).toBe(short)
  expect(surnameOf(name, lastname)).toBe(surname)
})
