import type { StaffKind } from '../access/actor.ts'

/** What a customer can book, by stored value; the index in this list is the number the engine works with. */
export const services = ['technical_visit', 'installation', 'videocall'] as const
export type Service = (typeof services)[number]

/** The kinds that carry appointments out; the index is the number the engine works with. */
export const performers = ['tecnician', 'analyst'] as const satisfies readonly StaffKind[]
export type Performer = (typeof performers)[number]
export const isPerformer = (kind: string | null): kind is Performer =>
  performers.some((performer) => performer === kind)

type ServiceFacts = { label: string; by: Performer; needsTravel: boolean; folioPrefix: 'VT' | 'IN' | 'AV' }

/** What never changes about a service; its business numbers live in the settings. */
export const serviceFacts: Record<Service, ServiceFacts> = {
  technical_visit: { label: 'Visita técnica', by: 'tecnician', needsTravel: true, folioPrefix: 'VT' },
  installation: { label: 'Instalación', by: 'tecnician', needsTravel: true, folioPrefix: 'IN' },
  videocall: { label: 'Asesoría virtual', by: 'analyst', needsTravel: false, folioPrefix: 'AV' },
}

/** The folio people quote, such as VT-2026-00012: one counter per year and service. */
export const folioOf = (service: Service, year: number, count: number) =>
  `${serviceFacts[service].folioPrefix}-${year}-${String(count).padStart(5, '0')}`
