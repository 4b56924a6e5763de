/** What the history of a customer is made of: the entities of its events. */
export type TimelineEntity =
  | 'user'
  | 'letter'
  | 'whatsapp'
  | 'fiscal'
  | 'project'
  | 'address'
  | 'appointment'
  | 'sheet'
  | 'quote'
  | 'payment'
  | 'refund'
  | 'invoice'
  | 'cfe_case'
  | 'task'
  | 'fault'
  | 'client'
  | 'slot_wish'
  | 'move_offer'

/** The filters of the history, as its address names them, each with its entities. */
export const timelineKinds = {
  citas: { label: 'Citas', entities: ['appointment', 'sheet', 'slot_wish', 'move_offer', 'fault'] },
  cotizaciones: { label: 'Cotizaciones', entities: ['quote'] },
  pagos: { label: 'Pagos', entities: ['payment', 'refund', 'invoice', 'fiscal'] },
  correos: { label: 'Mensajes', entities: ['letter', 'whatsapp'] },
  llamadas: { label: 'Llamadas', entities: ['task'] },
  tramites: { label: 'Trámites', entities: ['cfe_case'] },
  cambios: { label: 'Cambios', entities: ['user', 'project', 'address', 'client'] },
} as const satisfies Record<string, { label: string; entities: readonly TimelineEntity[] }>
export type TimelineKind = keyof typeof timelineKinds

/** The filters that show something to a user who reads these entities. */
export const kindsFor = (read: readonly TimelineEntity[]): TimelineKind[] =>
  (Object.keys(timelineKinds) as TimelineKind[]).filter((kind) => entitiesOf(kind, read).length > 0)

/** The entities of a filter, or all of them, that a user reads. */
export const entitiesOf = (kind: TimelineKind | null, read: readonly TimelineEntity[]): TimelineEntity[] =>
  read.filter((entity) => kind === null || timelineKinds[kind].entities.some((one) => one === entity))
