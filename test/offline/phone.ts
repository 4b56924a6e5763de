import { randomUUID } from 'node:crypto'
import { isEnd } from '../../src/appointments/rules/field-steps.ts'
import { ofNone } from '../../src/offline/outbox/local-changes.ts'
import { interpretResponse } from '../../src/offline/outbox/outbox.ts'
import { itemsOf } from '../../src/offline/outbox/outbox-items.ts'
import { emptyPhone } from '../../src/offline/outbox/phone-state.ts'
import type { DraftMove, FileRow, MoveRow } from '../../src/offline/outbox/rows.ts'
import { nextTask } from '../../src/offline/outbox/send-order.ts'
import { noShowSlot } from '../../src/reports/rules/photos.ts'
import { around, minute, type Visit } from '../kit/appointments.ts'
import { fixture } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { send as sendPhoto, sha256 } from '../kit/photos.ts'
import { jpeg } from '../platform/storage/samples.ts'

const picture = await jpeg({ width: 900, height: 700 })

/** What a technician did without a network: moves, each so many minutes after the start of the visit. */
export type Done = readonly (readonly [minutes: number, move: DraftMove])[]

/** A phone's outbox: what it holds is sent in its order, and its answers are read as the phone reads them. */
export class Phone {
  rows: { answers: []; files: FileRow[]; moves: MoveRow[] } = { answers: [], files: [], moves: [] }
  hold: string | null = null
  claimed = 0
  as: Person
  readonly visit: Visit
  constructor(as: Person, visit: Visit, done: Done) {
    this.as = as
    this.visit = visit
    const row = (minutes: number, place = { appointmentId: visit.id, folio: visit.folio }) => ({
      v: 1,
      personId: as.id,
      ...place,
      at: around(visit, minutes * minute).toISOString(),
      state: 'waiting' as const,
      problem: null,
    })
    for (const [nth, [minutes, move]] of done.entries()) {
      const place = move.move === 'askTimeOff' ? ofNone : undefined
      const startsAt = visit.startsAt.toISOString()
      this.rows.moves.push({ ...row(minutes, place), startsAt, ...move, id: randomUUID(), nth })
      if (move.move === 'noShow')
        this.rows.files.push({
          ...row(minutes),
          id: randomUUID(),
          slot: noShowSlot,
          isDrop: false,
          keptBecause: null,
          sha256: sha256(picture),
          bytes: picture.length,
        })
    }
  }
  get count() {
    return this.rows.files.length + this.rows.moves.length
  }
  signOut = () => {
    this.as = { ...this.as, cookies: new Map() }
  }
  signIn = (as: Person) => {
    this.as = as
    this.hold = null
  }
  items = () => itemsOf({ ...emptyPhone, rows: { ...this.rows, typed: [] } })
  async drain() {
    for (let task = nextTask(this.rows); task && !this.hold; task = nextTask(this.rows)) {
      if (task.kind === 'answers') throw new Error('no answers here')
      const { row } = task
      const heard = task.kind === 'file' ? await this.upload(task.row) : await this.press(task.row)
      const verdict = interpretResponse({ ...heard, retryAfter: null })
      if (verdict.kind === 'taken') this.take(row, verdict.body as { claimed?: boolean; state?: string })
      else if (verdict.kind === 'refused') Object.assign(row, { state: 'refused', problem: verdict.problem })
      else this.hold = verdict.kind
    }
  }
  private take(row: MoveRow | FileRow, { claimed, state }: { claimed?: boolean; state?: string }) {
    row.state = 'sent'
    if (!('move' in row) || !isEnd(row.move)) return
    if (claimed ?? (row.move === 'submit' && state !== 'done')) this.claimed++
    // As apply-sync-result.ts does: after the end nothing before it is awaited.
    this.rows.moves = this.rows.moves.filter((one) => one === row)
    if (row.move === 'noShow') this.rows.files = this.rows.files.filter((one) => one.state !== 'refused')
  }
  private async press({ appointmentId, at, form, move, reason, startsAt }: MoveRow) {
    const headers = {
      origin: 'http://carga.test',
      'content-type': 'application/json',
      'x-person': this.rows.moves[0]!.personId,
    }
    const body = JSON.stringify({ move, at, reason, form, startsAt })
    const path = appointmentId ? `${appointmentId}/moves` : 'time-off'
    const { status, text } = await fixture.send(`/onsite/${path}`, this.as, {
      method: 'POST',
      headers,
      body,
    })
    return { status, body: JSON.parse(text) }
  }
  private async upload({ at, id, slot }: FileRow) {
    const { status, told } = await sendPhoto(this.as, this.visit, {
      id,
      slot,
      bytes: picture,
      capturedAt: new Date(at),
    })
    return { status, body: told }
  }
}
