// Apart from the form's rules, so that a screen that only shows these words does not carry the validator to the browser.

export const dwellingLabels = {
  house: 'Casa',
  gated_community: 'Condominio horizontal',
  apartment: 'Departamento',
} as const

export const parkingLabels = {
  own_covered: 'Propio techado',
  own_uncovered: 'Propio descubierto',
  assigned: 'Asignado',
  shared: 'Compartido',
} as const
