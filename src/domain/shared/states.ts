const labels = {
  aguascalientes: 'Aguascalientes',
  'baja-california': 'Baja California',
  'baja-california-sur': 'Baja California Sur',
  campeche: 'Campeche',
  chiapas: 'Chiapas',
  chihuahua: 'Chihuahua',
  cdmx: 'Ciudad de México',
  coahuila: 'Coahuila',
  colima: 'Colima',
  durango: 'Durango',
  edomex: 'Estado de México',
  guanajuato: 'Guanajuato',
  guerrero: 'Guerrero',
  hidalgo: 'Hidalgo',
  jalisco: 'Jalisco',
  michoacan: 'Michoacán',
  morelos: 'Morelos',
  nayarit: 'Nayarit',
  'nuevo-leon': 'Nuevo León',
  oaxaca: 'Oaxaca',
  puebla: 'Puebla',
  queretaro: 'Querétaro',
  'quintana-roo': 'Quintana Roo',
  'san-luis-potosi': 'San Luis Potosí',
  sinaloa: 'Sinaloa',
  sonora: 'Sonora',
  tabasco: 'Tabasco',
  tamaulipas: 'Tamaulipas',
  tlaxcala: 'Tlaxcala',
  veracruz: 'Veracruz',
  yucatan: 'Yucatán',
  zacatecas: 'Zacatecas',
} as const

export type StateSlug = keyof typeof labels

export const stateSlugs = Object.keys(labels) as readonly StateSlug[]

/** The 32 states of Mexico, in the order of their labels. */
export const states: readonly { slug: StateSlug; label: string }[] = stateSlugs.map((slug) => ({
  slug,
  label: labels[slug],
}))

/** How a state is called on the screen. */
export const stateLabel = (slug: StateSlug) => labels[slug]
