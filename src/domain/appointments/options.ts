import { monthNames } from '../shared/format.ts'

/** What a video call can be about; the values are stored (specification §3). */
export const interests = [
  { value: '01', label: 'Sobre la instalación' },
  { value: '02', label: 'Sobre autos eléctricos' },
  { value: '03', label: 'Sobre el trámite con CFE' },
] as const
export type Interest = (typeof interests)[number]['value']

/** What a call is about, in words; nothing for what is no call. */
export const interestLabel = (interest: Interest | null) =>
  interests.find(({ value }) => value === interest)?.label ?? null

/** Month options: '0' to '11', as in JavaScript's own dates. */
export const months = monthNames.map((label, index) => ({ value: String(index), label }))

/** Year options, exactly the specification's. */
export const yearOptions = [2024, 2025, 2026] as const

/** The years a filter offers: the options and every other year that has appointments, ascending. */
export const yearsForFilter = (yearsWithAppointments: Iterable<number>) =>
  [...new Set<number>([...yearOptions, ...yearsWithAppointments])].sort((a, b) => a - b)
