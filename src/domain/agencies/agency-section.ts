import type { Actor, StaffKind } from '../access/actor.ts'

/** The sections of an agency's page; the names are used in URLs. */
export const agencySections = {
  resumen: 'Resumen',
  codigos: 'Códigos',
  clientes: 'Clientes',
  comisiones: 'Comisiones',
  integracion: 'Integración',
  datos: 'Datos',
} as const
export type AgencySection = keyof typeof agencySections

/** What each kind of staff finds there; the first is where the page opens. */
const sectionsOf: Record<StaffKind, readonly AgencySection[]> = {
  manager: ['resumen', 'codigos', 'clientes', 'comisiones', 'integracion', 'datos'],
  analyst: ['resumen', 'codigos', 'clientes', 'datos'],
  tecnician: ['datos'],
  gester: ['datos'],
  alliate: ['resumen', 'codigos', 'clientes', 'comisiones', 'datos'],
}

/** The sections of an agency's page that a viewer may open. */
export const sectionsFor = ({ kind }: Pick<Actor, 'kind'>): readonly AgencySection[] =>
  kind ? sectionsOf[kind] : []

/** The section that a URL names; one that the viewer may not open falls back to the first. */
export const sectionFor = (actor: Pick<Actor, 'kind'>, asked: string | null): AgencySection =>
  sectionsFor(actor).find((section) => section === asked) ?? sectionsFor(actor)[0] ?? 'datos'
