const boroughs = {
  'alvaro-obregon': 'Álvaro Obregón',
  azcapotzalco: 'Azcapotzalco',
  'benito-juarez': 'Benito Juárez',
  coyoacan: 'Coyoacán',
  'cuajimalpa-de-morelos': 'Cuajimalpa de Morelos',
  cuauhtemoc: 'Cuauhtémoc',
  'gustavo-a-madero': 'Gustavo A. Madero',
  iztacalco: 'Iztacalco',
  iztapalapa: 'Iztapalapa',
  'la-magdalena-contreras': 'La Magdalena Contreras',
  'miguel-hidalgo': 'Miguel Hidalgo',
  'milpa-alta': 'Milpa Alta',
  tlahuac: 'Tláhuac',
  tlalpan: 'Tlalpan',
  'venustiano-carranza': 'Venustiano Carranza',
  xochimilco: 'Xochimilco',
} as const

const edomex = {
  huixquilucan: 'Huixquilucan',
  lerma: 'Lerma',
  naucalpan: 'Naucalpan de Juárez',
  toluca: 'Toluca',
} as const

/** The two groups of municipalities that are served (specification §3). */
export const regionGroups = [
  { id: 'cdmx', label: 'Ciudad de México' },
  { id: 'edomex', label: 'Estado de México' },
] as const

export type RegionGroup = (typeof regionGroups)[number]['id']
export type MunicipalitySlug = keyof typeof boroughs | keyof typeof edomex

/** `index` is the municipality's position in the travel matrix and in zone bit sets: never reorder. */
type Municipality = { slug: MunicipalitySlug; label: string; group: RegionGroup; index: number }

const labels: Record<MunicipalitySlug, string> = { ...boroughs, ...edomex }

/** The 20 municipalities served: the 16 boroughs of Mexico City, then the four of Estado de México. */
export const municipalities: readonly Municipality[] = (Object.keys(labels) as MunicipalitySlug[]).map(
  (slug, index) => ({ slug, label: labels[slug], group: slug in edomex ? 'edomex' : 'cdmx', index }),
)

/** The municipalities of a region group; an empty list for an unknown id. */
export const municipalitiesOf = (groupId: string): readonly Municipality[] =>
  municipalities.filter(({ group }) => group === groupId)

/** Whether a text is the slug of a municipality served. */
export const isMunicipality = (text: string): text is MunicipalitySlug => Object.hasOwn(labels, text)

/** The label of a municipality; outside the served area the stored value is text already, and is returned unchanged. */
export const municipalityLabel = (slug: string) => (isMunicipality(slug) ? labels[slug] : slug)

const stateLabels = {
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

export type StateSlug = keyof typeof stateLabels

export const stateSlugs = Object.keys(stateLabels) as readonly StateSlug[]

/** The 32 states of Mexico, in the order of their labels. */
export const states: readonly { slug: StateSlug; label: string }[] = stateSlugs.map((slug) => ({
  slug,
  label: stateLabels[slug],
}))

/** The label of a state on the screen. */
export const stateLabel = (slug: StateSlug) => stateLabels[slug]

/** "Londres 247, Coyoacán" in a list, or the municipality alone of a customer with one home. */
export const homeOrZone = (home: string | null | undefined, municipality: string | null): string =>
  [home, municipality && municipalityLabel(municipality)].filter(Boolean).join(', ')
