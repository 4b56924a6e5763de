import { createHash, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { files, sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { keysOf } from '../../src/platform/storage/drive.ts'
import { slotsOf } from '../../src/reports/rules/photos.ts'
import type { SheetKind } from '../../src/reports/rules/report.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { ago, fixture, fromNow, storeRows } from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { fileRow } from '../kit/reports.ts'

type Stored = Partial<typeof sheets.$inferInsert>
type Picture = { id: string; slot: string; sha256: string }

/** A picture of its own for each slot: small, of the kind the list shows. */
export async function storePicture(
  { id: appointmentId }: Pick<Visit, 'id'>,
  slot: string,
  uploadedBy: string,
  faultId: string | null = null,
): Promise<Picture> {
  const id = randomUUID()
  const background = `#${createHash('sha256').update(id).digest('hex').slice(0, 6)}`
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .webp()
    .toBuffer()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  for (const key of Object.values(keysOf({ appointmentId, id, sentSha256: sha256 })))
    await fixture.drive.put(key, bytes, 'image/webp')
  const stored = { id, faultId, sha256, sentSha256: sha256, bytes: bytes.length, width: 40, height: 30 }
  await storeRows(files, { ...fileRow(appointmentId, slot, uploadedBy), ...stored })
  return { id, slot, sha256 }
}

/** A report that its author sent, with every answer and picture it asks for. */
export async function storeSheet(
  kind: SheetKind,
  { id: appointmentId }: Pick<Visit, 'id'>,
  author: Pick<Person, 'id'>,
  input: Stored = {},
  answers: Record<string, unknown> = {},
): Promise<Picture[]> {
  const now = new Date()
  await storeRows(sheets, {
    appointmentId,
    kind,
    state: 'submitted',
    submittedAt: now,
    submittedBy: author.id,
    capturedAt: now,
    ...input,
  })
  const given = Object.entries({ ...completeAnswers[kind], ...answers })
  await storeRows(
    sheetAnswers,
    given.map(([name, value]) => ({
      appointmentId,
      name,
      value: value as never,
      changedAt: now,
      changedBy: author.id,
    })),
  )
  const slots = slotsOf[kind].filter((slot) => !/^(extra|limit)_/.test(slot))
  return Promise.all(slots.map((slot) => storePicture({ id: appointmentId }, slot, author.id)))
}

/** An installation that was finished an hour ago, with its record approved and a year of warranty. */
export async function storeInstallation(
  customer: Person,
  technician: Pick<Person, 'id'>,
  input: Stored = {},
  home?: Home,
  answers: Record<string, unknown> = {},
) {
  const ended = ago(hour)
  const startedAt = new Date(ended.getTime() - 4 * hour)
  const visit = await storeVisit(fixture, customer, home ?? (await fixture.home(customer)), startedAt, {
    service: 'installation',
    state: 'done',
    outcome: 'completed',
    minutes: 240,
    assigneeId: technician.id,
    startedAt,
    finishedAt: ended,
  })
  const warrantyUntil = fromNow(365 * 24 * hour)
    .toISOString()
    .slice(0, 10)
  const pictures = await storeSheet(
    'installation',
    visit,
    technician,
    {
      state: 'approved',
      reviewedAt: new Date(),
      reviewedBy: technician.id,
      warrantyUntil,
      chargerBrand: 'Wallbox',
      chargerSerial: `WB-${randomUUID().slice(0, 8)}`,
      ...input,
    },
    answers,
  )
  return { visit, pictures }
}
