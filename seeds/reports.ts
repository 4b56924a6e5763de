import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { files, sheets } from '../src/platform/database/schema/appointments.ts'
import { keysOf } from '../src/platform/storage/drive.ts'
import { saveAnswers } from '../src/reports/answers.ts'
import { approveSheet, returnSheet } from '../src/reports/review.ts'
import { isSignature } from '../src/reports/rules/photos.ts'
import { sectionsOf, slotsIn } from '../src/reports/rules/progress.ts'
import { type Answers, type SheetKind, type SheetState, sheetKindOf } from '../src/reports/rules/report.ts'
import { submitSheet } from '../src/reports/submit.ts'
import { toDate } from '../src/shared/calendar.ts'
import { demoPicture } from './files.ts'
import type { Stage, Story } from './past.ts'
import { type Booked, type DemoVisit, endOf, reportStateOf } from './visits.ts'

/** The answers of every report in the demo world, except name and distance. */
export const demoReport: Answers = {
  dwelling: 'house',
  tenure: 'owner',
  area: 140,
  supply: 'three',
  meterNumber: '7K48X2',
  tariff: 'DAC',
  contractedKilowatts: 25,
  meterAtLimit: true,
  poleDistance: 14.5,
  panelBrand: 'Square D',
  mainBreaker: 70,
  feederGauge: '4',
  feederMetres: 9.5,
  sparePoles: 4,
  voltsL1N: 126.8,
  voltsL2N: 127.3,
  voltsL3N: 127.1,
  voltsL1L2: 220.4,
  voltsL2L3: 219.2,
  voltsL1L3: 220.6,
  voltsNG: 0.7,
  groundOk: true,
  loads: [
    { name: 'Aire acondicionado', watts: 1800, quantity: 1, kind: 'cooling' },
    { name: 'Bomba de agua', watts: 750, quantity: 1, kind: 'other' },
  ],
  route: 'visible',
  walls: 'block,concrete',
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
  groundGauge: '10',
  conduitSize: '16',
  chargerBrand: 'Wallbox',
  chargerModel: 'Pulsar',
  chargerSet: 32,
  plateBreaker: 60,
  testVolts: 219.6,
  testVoltsNG: 0.5,
  insulation: 250,
  groundOhms: 7.5,
  gfciOk: true,
  loadTestMinutes: 20,
  loadTestAmps: 31.5,
  taughtUse: true,
  taughtBreaker: true,
  taughtFaults: true,
  taughtWarranty: true,
}
const redo = ['meter']
const returned = 'El número del medidor no se lee en la foto. Tómala más de cerca, por favor.'

/** The answers of the report about a customer's home; `of` is their position in the list. */
export const reportOf = (of: number): Answers => ({ ...demoReport, chargerDistance: 12 + (of % 5) * 2.5 })

const recordOf = (of: number): Answers => ({
  ...installed,
  metres: Number(reportOf(of).chargerDistance) + 0.5,
  chargerSerial: `WB-2026-${1042 + of}`,
})

type Reported = Booked & { kind: SheetKind; state: Exclude<SheetState, 'draft'>; note: string | null }

/** A technician fills in a report, and finishes the appointment with it; the manager reviews it two hours later. */
export async function* reportStory(reported: Reported, { manager, past: { db }, ...stage }: Stage): Story {
  const { id, kind, note, performer, state, visit } = reported
  const [typed, end, read] = [-5, 0, 120].map((later) => toDate(endOf(visit) + later)) as [Date, Date, Date]
  yield typed
  const answers = kind === 'visit' ? reportOf(visit.of) : recordOf(visit.of)
  const changes = Object.entries(answers).map(([name, value]) => ({ name, value, base: 0, at: typed }))
  const { conflicts, refused } = await saveAnswers(db, performer, id, changes, typed)
  if (conflicts.length + refused.length > 0) throw new Error(JSON.stringify({ conflicts, refused }))
  yield end
  await takePictures(reported, { db, drive: stage.drive })
  await submitSheet(db, performer, id, { at: end, note }, end)
  if (state === 'submitted') return
  yield read
  const [sheet] = await db.select().from(sheets).where(eq(sheets.appointmentId, id))
  const { version } = sheet!
  if (state === 'approved') return approveSheet(db, manager, id, { version }, read)
  await returnSheet(db, manager, id, { reason: returned, redo, version }, read)
}

const slotsOf = (kind: SheetKind) =>
  sectionsOf[kind].flatMap((section) => slotsIn(section, { asksFeeder: true, asksReadings: true }))

/** A process that is asked to end first draws what is under way: no more than its threads do at once. */
const drawnAtOnce = 4

/**
 * Draws the pictures of all reports ahead: no transaction stays open for the seconds that this takes. `told` hears which
 * part, from 0 to 1, is done.
 */
export async function drawReports(visits: readonly DemoVisit[], told: (done: number) => void): Promise<void> {
  const wanted = visits.flatMap((visit) => {
    const kind = sheetKindOf[visit.service]
    if (!kind || visit.state !== 'done' || !reportStateOf(visit)) return []
    return slotsOf(kind).map((slot) => [kind, slot, visit.of] as const)
  })
  let done = 0
  const left = wanted.values()
  const draw = async () => {
    for (const one of left) {
      await demoPicture(...one)
      told(++done / wanted.length)
    }
  }
  await Promise.all(Array.from({ length: drawnAtOnce }, draw))
}

type Kept = { db: Stage['past']['db'] } & Pick<Stage, 'drive'>

/** The pictures of a report: rows, because each upload would be judged and resized in a process of its own. */
async function takePictures({ id, kind, performer, visit }: Reported, { db, drive }: Kept) {
  const slots = slotsOf(kind)
  const [start, end] = [visit.start, endOf(visit)]
  const pictures = await Promise.all(slots.map((slot) => demoPicture(kind, slot, visit.of)))
  const taken = slots.map((slot, n) => {
    const picture = pictures[n]!
    const { full, height, sha256, type, width } = picture
    const at = isSignature(slot) ? end : start + Math.floor(((end - start) * (n + 1)) / (slots.length + 1))
    const when = { capturedAt: toDate(at), arrivedAt: toDate(end) }
    const size = { bytes: full.length, width, height }
    const row = { id: randomUUID(), appointmentId: id, slot, sentSha256: sha256, sha256, type, ...size }
    return { picture, row: { ...row, ...when, uploadedBy: performer.id } }
  })
  await Promise.all(
    taken.flatMap(({ picture, row }) => {
      const keys = keysOf(row)
      return [
        drive.put(keys.full, picture.full, picture.type),
        drive.put(keys.list, picture.list, 'image/webp'),
      ]
    }),
  )
  await db.insert(files).values(taken.map(({ row }) => row))
}
