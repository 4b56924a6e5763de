import type { Actor, StaffKind } from './actor.ts'

/** The parts of an agency's page, each at an address of its own; the names are what addresses say. */
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

/** The parts of an agency's page that somebody finds. */
export const sectionsFor = ({ kind }: Pick<Actor, 'kind'>): readonly AgencySection[] =>
  kind ? sectionsOf[kind] : []

/** The part that an address asks for; one that is not theirs is as if it had not been asked for. */
export const sectionFor = (actor: Pick<Actor, 'kind'>, asked: string | null): AgencySection =>
  sectionsFor(actor).find((section) => section === asked) ?? sectionsFor(actor)[0] ?? 'datos'
