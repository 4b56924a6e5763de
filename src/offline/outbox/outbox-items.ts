import { type Outcome, outcomeLabels } from '../../appointments/rules/appointment.ts'
import { slotFacts } from '../../reports/rules/photos.ts'
import type { SheetKind } from '../../reports/rules/report.ts'
import { counted, duration } from '../../shared/format.ts'
import type { Hold, PhoneState } from './phone-state.ts'
import type { DraftMove, FileRow, StoredProblem } from './rows.ts'
import { canTakeBack, isUnsent } from './send-order.ts'

/** One line of what waits to be sent. `id`: of the photo, of the step, or of the appointment of the answers. */
export type OutboxItem = {
  id: string
  folio: string
  /** Who it is for, where its row says. */
  customer?: string | undefined
  words: string
  at: Date
  /** Of an end that has one. */
  form?: DraftMove['form']
  /** Null where the size is irrelevant. */
  bytes: number | null
  status: 'waiting' | 'sending' | 'refused' | 'choose'
  progress: number
  problem: StoredProblem | null
  /** Of a step, an end or an unchecked picture that is not sent yet. */
  canTakeBack?: boolean
  /** Of answers with two values: the other one is the same person's, of another phone. */
  isOwn?: boolean
}

/** All that waits on this phone: steps, answers, photos. */
export function itemsOf({ rows, sending }: PhoneState): OutboxItem[] {
  const line = (row: Row, words: string, bytes: number | null): OutboxItem => {
    const isGoing = sending?.id === row.id && row.state === 'waiting'
    return {
      ...row,
      words,
      bytes,
      at: new Date(row.at),
      status: isGoing ? 'sending' : row.state === 'refused' ? 'refused' : 'waiting',
      progress: isGoing ? sending.progress : 0,
    }
  }
  const moves = rows.moves.filter(isUnsent).map((row) => ({
    ...line(row, moveWords(row), null),
    form: row.form,
    canTakeBack: canTakeBack(row, rows),
  }))
  const files = rows.files.filter(isUnsent).map((row) => ({
    ...line(row, pictureWords(row), row.isDrop ? null : row.bytes),
    canTakeBack: row.look !== undefined,
  }))
  return [...moves, ...answersIn(rows.answers, sending?.id), ...files]
}

type Row = {
  id: string
  folio: string
  customer?: string | undefined
  at: string
  state: string
  problem: StoredProblem | null
}

function pictureWords({ isDrop, look, slot }: FileRow): string {
  const kinds: readonly SheetKind[] = ['visit', 'installation']
  const label = kinds.map((kind) => slotFacts(kind, slot)?.label).find(Boolean) ?? slot
  return isDrop ? `Quitar: ${label}` : look ? `Por revisar: ${label}` : label
}

/** Answers are sent together: those of an appointment are one line. */
function answersIn(rows: PhoneState['rows']['answers'], sending: string | undefined): OutboxItem[] {
  const open = rows.filter(isUnsent)
  return [...new Set(open.map(({ appointmentId }) => appointmentId))].map((id) => {
    const own = open.filter(({ appointmentId }) => appointmentId === id)
    const refused = own.find(({ state }) => state === 'refused')
    const isChoosing = own.every(({ conflict }) => conflict !== null)
    const status = refused ? 'refused' : isChoosing ? 'choose' : sending === id ? 'sending' : 'waiting'
    return {
      id,
      folio: own[0]!.folio,
      customer: own[0]!.customer,
      bytes: null,
      progress: 0,
      status,
      isOwn: isChoosing && own.every(({ conflict }) => conflict?.own),
      words: counted(own.length, 'respuesta', 'respuestas'),
      at: new Date(Math.min(...own.map(({ at }) => Date.parse(at)))),
      problem: refused?.problem ?? null,
    }
  })
}

/** Why nothing is sent, although there is a network. */
export const holdWords: Record<NonNullable<Hold>, string> = {
  'signed-out': 'Entra de nuevo para enviar lo que guardaste.',
  'other-person': 'Otra persona entró en este teléfono. Lo tuyo se envía cuando vuelvas a entrar.',
}

/** The name of a step or an end while it waits. */
export function moveWords({ form, move }: DraftMove): string {
  if (move === 'runLate' && form?.minutes === '0') return 'Voy a tiempo'
  const more = move === 'runLate' ? duration(Number(form?.minutes)) : form?.dates
  const label = outcomeLabels[form?.outcome as Outcome] ?? words[move]
  return more ? `${label}: ${more}` : label
}

const words: Record<DraftMove['move'], string> = {
  setOut: 'En camino',
  start: 'Inicio de la cita',
  pause: 'Pausa',
  resume: 'Fin de la pausa',
  submit: 'Reporte terminado',
  finish: 'Cita terminada',
  callOff: 'Cancelación de la cita',
  noShow: 'El cliente no se presentó',
  release: 'No puedo llegar',
  runLate: 'Voy tarde',
  askTimeOff: 'Pedir permiso',
  withdrawTimeOff: 'Retirar permiso',
}
