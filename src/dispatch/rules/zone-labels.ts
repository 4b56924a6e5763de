import { type MunicipalitySlug, municipalities } from '../../shared/places.ts'

const shortLabels: Partial<Record<MunicipalitySlug, string>> = {
  'alvaro-obregon': 'Á. Obregón',
  'benito-juarez': 'B. Juárez',
  'cuajimalpa-de-morelos': 'Cuajimalpa',
  'gustavo-a-madero': 'G. A. Madero',
  'la-magdalena-contreras': 'M. Contreras',
  'miguel-hidalgo': 'M. Hidalgo',
  'venustiano-carranza': 'V. Carranza',
  naucalpan: 'Naucalpan',
}

/** The labels of a municipality by its number, whole and where there is little room; empty for no place. */
export const zoneLabel = (zone: number) => municipalities[zone]?.label ?? ''
export const zoneShort = (zone: number) => {
  const place = municipalities[zone]
  return place ? (shortLabels[place.slug] ?? place.label) : ''
}
