import { randomUUID } from 'node:crypto'
import { isSignature } from '../src/domain/reports/photos.ts'
import { sectionsOf } from '../src/domain/reports/progress.ts'
import type { Answers, SheetKind, SheetState } from '../src/domain/reports/report.ts'
import { warrantyAfter } from '../src/domain/reports/warranty.ts'
import { toDate } from '../src/domain/shared/calendar.ts'
import type { Tx } from '../src/server/platform/database/client.ts'
import { files, sheetAnswers, sheets } from '../src/server/platform/database/schema/appointments.ts'
import { events } from '../src/server/platform/database/schema/projects.ts'
import { type Drive, keysOf } from '../src/server/platform/storage/drive.ts'
import { demoPictures } from './pictures.ts'

/** A technician's sheet in the demo world; times are epoch minutes. */
export type LeftSheet = {
  appointmentId: string
  /** The customer's position in the list. */
  of: number
  kind: SheetKind
  state: Exclude<SheetState, 'draft'>
  performerId: string
  reviewerId: string
  customerName: string
  start: number
  end: number
}

/** The answers of every report in the demo world, except name and distance. */
export const demoReport: Answers = {
  dwelling: 'house',
  tenure: 'owner',
  area: 140,
  supply: 'three',
  meterNumber: '7K48X2',
  tariff: 'DAC',
  asksHouse: true,
  contractedKilowatts: 25,
  meterAtLimit: true,
  poleDistance: 14.5,
  panelBrand: 'Square D',
  mainBreaker: 70,
  sparePoles: 4,
  voltsL1N: 126.8,
  voltsL2N: 127.3,
  voltsL3N: 127.1,
  voltsL1L2: 220.4,
  voltsNG: 0.7,
  groundOk: true,
  loads: [
    { name: 'Aire acondicionado', watts: 1800, quantity: 1 },
    { name: 'Bomba de agua', watts: 750, quantity: 1 },
    { name: 'Alumbrado y contactos', watts: 3000, quantity: 1 },
  ],
  route: 'visible',
  walls: 'block',
  obstacles: 'Una jardinera a media ruta.',

  vehicle: 'BYD Dolphin 2026',
  chargerSupplier: 'ours',
  chargerBrand: 'Wallbox',
  chargerModel: 'Pulsar',
  chargerSupply: 'two',
  chargerKilowatts: 7,
  chargerAmps: 32,
  meterChoice: 'same',
  terminals75: false,
  conductor: '8',
  loadIncrease: false,
  needsUvie: false,
  needsPermit: false,
  materials: 'Cable 8 AWG, tubería de 3/4, interruptor de 40 A.',
  hours: 4,
  feasibility: 'viable',
}
const installed: Answers = {
  powerCut: true,
  lockedOut: true,
  protectiveEquipment: true,
  extinguisher: true,
  adultPresent: true,
  conductor: '8',
  breaker: 40,
  chargerBrand: 'Wallbox',
  chargerModel: 'Pulsar',
  testVolts: 219.6,
  testVoltsNG: 0.5,
  insulation: 250,
  groundOhms: 7.5,
  gfciOk: true,
  loadTestMinutes: 20,
  taughtUse: true,
  taughtBreaker: true,
  taughtFaults: true,
  taughtWarranty: true,
}
const redo = 'meter'

/**
 * Writes reports and records with their pictures. The pictures are stored in `drive`, if given, before a user can
 * request them.
 */
export async function writeSheets(tx: Tx, left: readonly LeftSheet[], drive?: Drive): Promise<void> {
  const pictures = await demoPictures()
  const taken = left.flatMap((sheet) => filesOf(sheet, pictures))
  if (drive)
    await Promise.all(
      taken.flatMap(({ picture, row }) => {
        const keys = keysOf(row)
        return [
          drive.put(keys.full, picture.full, picture.type),
          drive.put(keys.list, picture.list, 'image/webp'),
        ]
      }),
    )
  await tx.insert(files).values(taken.map(({ row }) => row))
  await tx.insert(sheets).values(left.map((sheet) => rowOf(sheet, taken)))
  await tx.insert(sheetAnswers).values(left.flatMap(answersOf))
  await tx.insert(events).values(left.flatMap(eventsOf).sort((a, b) => a.at.getTime() - b.at.getTime()))
}

type Pictures = Awaited<ReturnType<typeof demoPictures>>
type Taken = ReturnType<typeof filesOf>

function filesOf(
  { appointmentId, end, kind, performerId, start }: LeftSheet,
  { photos, signature }: Pictures,
) {
  const slots = sectionsOf[kind].flatMap((section) => section.slots)
  return slots.map((slot, n) => {
    const picture = isSignature(slot) ? signature : photos[n % photos.length]!
    const { full, height, sha256, type, width } = picture
    const row = {
      id: randomUUID(),
      appointmentId,
      slot,
      sentSha256: sha256,
      sha256,
      type,
      bytes: full.length,
      width,
      height,
      uploadedBy: performerId,
      arrivedAt: toDate(end),
      capturedAt: toDate(start + Math.floor(((end - start) * (n + 1)) / (slots.length + 1))),
    }
    return { row, picture }
  })
}

/** The review is two hours after the end. */
const reviewedAt = ({ end }: LeftSheet) => toDate(end + 120)

function rowOf(sheet: LeftSheet, taken: Taken): typeof sheets.$inferInsert {
  const { appointmentId, end, kind, of, performerId, reviewerId, state } = sheet
  const meter = taken.find(({ row }) => row.appointmentId === appointmentId && row.slot === redo)
  return {
    appointmentId,
    kind,
    state,
    submittedAt: toDate(end),
    submittedBy: performerId,
    capturedAt: toDate(end),
    ...(state !== 'submitted' && { reviewedAt: reviewedAt(sheet), reviewedBy: reviewerId, version: 2 }),
    ...(state === 'returned' && { returnReason: returned, redo: { [redo]: meter?.row.id ?? null } }),
    ...(kind === 'installation' && {
      chargerBrand: 'Wallbox',
      chargerSerial: serialOf(of),
      ...(state === 'approved' && { warrantyUntil: warrantyAfter(toDate(end)) }),
    }),
  }
}

const returned = 'El número del medidor no se lee en la foto. Tómala más de cerca, por favor.'
const serialOf = (of: number) => `WB-2026-${1042 + of}`

/** The answers of the report about a customer's home. */
export const reportOf = (of: number): Answers => ({ ...demoReport, chargerDistance: 12 + (of % 5) * 2.5 })

function answersOf(sheet: LeftSheet) {
  const { appointmentId, customerName, end, kind, of, performerId } = sheet
  const own: Answers =
    kind === 'visit'
      ? { ...reportOf(of), customerName }
      : {
          ...installed,
          customerName,
          metres: Number(reportOf(of).chargerDistance) + 0.5,
          chargerSerial: serialOf(of),
        }
  return Object.entries(own).map(([name, value]) => ({
    appointmentId,
    name,
    value: value ?? null,
    changedBy: performerId,
    changedAt: toDate(end - 5),
    arrivedAt: toDate(end),
  }))
}

function eventsOf(sheet: LeftSheet) {
  const { appointmentId: entityId, end, performerId, reviewerId, state } = sheet
  const about = { entity: 'sheet', entityId, data: null }
  const sent = { ...about, actorId: performerId, name: 'submit', fromState: 'draft', toState: 'submitted' }
  if (state === 'submitted') return [{ ...sent, reason: null, at: toDate(end) }]
  const name = state === 'approved' ? 'approve' : 'return'
  const reason = state === 'returned' ? returned : null
  const read = { ...about, actorId: reviewerId, name, fromState: 'submitted', toState: state, reason }
  return [
    { ...sent, reason: null, at: toDate(end) },
    { ...read, at: reviewedAt(sheet) },
  ]
}
