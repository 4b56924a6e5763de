import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { countTry } from '../accounts/limits.ts'
import { assignee, customer, visibleTo } from '../appointments/visibility.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { visitCards } from '../platform/database/schema/accounts.ts'
import { appointments, files, handoverProofs, sheets } from '../platform/database/schema/appointments.ts'
import { type Handover, issuerOf, type PdfPicture, type Row } from '../platform/pdf/paper.ts'
import { drawQr } from '../platform/pdf/qr.ts'
import { renderPdf } from '../platform/pdf/render.ts'
import { type Drive, keysOf } from '../platform/storage/drive.ts'
import { addressLine } from '../projects/rules/address.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import type { Company } from '../settings/rules/settings.ts'
import { formatPhone, longDate, longDateTime, lowerFirst } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import { answersOf, approvedVisit } from './prefilled.ts'
import { answerHistoryOf } from './rows.ts'
import { answerInWords } from './rules/answer-words.ts'
import { calculationBasis, calculationRows, installedRows } from './rules/calculation.ts'
import { deviations, failedTests } from './rules/limits.ts'
import { isSignature, slotFacts, slotsOf } from './rules/photos.ts'
import { isAsked, measurementsOf, questionOf, sectionsOf } from './rules/progress.ts'
import { type Question, readsHandovers } from './rules/report.ts'
import { attemptsIn, attemptWords } from './rules/review.ts'
import { warrantyScope } from './rules/warranty.ts'

type Reader = { secret: string; address: string }

/**
 * What the address on a hand-over's document says to whoever opens it: that it is ours, of which day, and until when its
 * warranty is valid. Null for a secret that no approved document has; such tries count against their address.
 */
export async function provenHandover(db: Db, { address, secret }: Reader, now: Date) {
  const { finishedAt, folio, startedAt } = appointments
  const [row] = isId(secret)
    ? await db
        .select({ id: appointments.id, finishedAt, folio, startedAt, warrantyUntil: sheets.warrantyUntil })
        .from(handoverProofs)
        .innerJoin(sheets, eq(sheets.appointmentId, handoverProofs.appointmentId))
        .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
        .where(and(eq(handoverProofs.secret, secret), isHandedOver))
    : []
  if (row) await countTry(db, 'hand-over by link', row.id, now)
  else await countTry(db, 'unknown hand-overs by address', address, now)
  return row
    ? { folio: row.folio, done: row.finishedAt ?? row.startedAt, warrantyUntil: row.warrantyUntil }
    : null
}

const isHandedOver = and(eq(sheets.kind, 'installation'), eq(sheets.state, 'approved'))

/** The address of that page. */
export const proofPath = (secret: string) => `/garantia/${secret}`

type From = { db: Db; drive: Drive; house: { brand: string; baseUrl: string } }

/** The hand-over document of an installation, with its folio. For actors who may not read it, it does not exist. */
export async function handoverDocument({ db, drive, house }: From, actor: Actor, id: string) {
  const found = (await handedOver(db, actor, id)) ?? refuse('not-found')
  const { settings } = await currentStaffing(db)
  const paper = await writeHandover(found, {
    ...(await proofOf(db, id)),
    house: { ...house, settings },
    small: (picture) => drive.get(keysOf(picture).list),
  })
  return { folio: found.folio, pdf: await renderPdf(paper, actor.id) }
}

/** Made once: each print of a document has the same, also when its technician left or has another credential. */
async function proofOf(db: Db, appointmentId: string) {
  const credential = sql`(select ${visitCards.credential} from ${visitCards}
    join ${appointments} on ${appointments.assigneeId} = ${visitCards.userId}
    where ${appointments.id} = ${appointmentId})`
  const [made] = await db
    .insert(handoverProofs)
    .values({ appointmentId, credential })
    .onConflictDoUpdate({ target: handoverProofs.appointmentId, set: { appointmentId } })
    .returning()
  return { proof: made!.secret, credential: made!.credential }
}

type Asked = {
  proof: string
  credential: string | null
  house: From['house'] & Company
  small: (picture: HandedOver['pictures'][number]) => Promise<Uint8Array | null>
}

/** The content of the document; `small` reads a picture's small size. */
async function writeHandover(
  found: HandedOver,
  { credential, house, proof, small }: Asked,
): Promise<Handover> {
  const pictures = await picturesOf(found, small)
  const done = found.finishedAt ?? found.startedAt
  const link = `${house.baseUrl}${proofPath(proof)}`
  return {
    kind: 'handover',
    folio: found.folio,
    brand: house.brand,
    day: done ? longDate(done) : 'día acordado',
    people: [
      { label: 'Cliente', value: found.customer },
      ...(found.address ? [{ label: 'Domicilio', value: addressLine(found.address) }] : []),
      { label: 'Técnico', value: found.technician },
      ...(credential ? [{ label: 'Cédula o certificado', value: credential }] : []),
      ...rowsOf(found, 'firmas').map(({ value }) => ({ label: 'Recibió', value })),
    ],
    charger: [
      ...suppliesOf(found),
      ...rowsOf(found, 'cargador'),
      ...rowsOf(found, 'canalizacion', ({ kind }) => kind !== 'lines'),
    ],
    deviations: deviationsOf(found),
    tests: testsOf(found),
    walkthrough: rowsOf(found, 'entrega'),
    calculation: found.measured ? [...calculationRows(found.measured), ...installedRows(found.answers)] : [],
    basis: calculationBasis,
    warranty: found.warrantyUntil && longDate(found.warrantyUntil),
    covered: found.warrantyUntil ? warrantyScope : [],
    photos: pictures.filter(({ slot }) => !isSignature(slot)),
    signatures: pictures
      .filter(({ slot }) => isSignature(slot))
      .map((one) => ({ ...one, ...signerOf(one, found, credential) })),
    faults: faultLines(house),
    issuer: issuerOf(house.brand, house.settings),
    proof: { link, qr: drawQr(link) },
  }
}

const questionsOf = (id: string): readonly Question[] =>
  sectionsOf.installation.find((section) => section.id === id)?.questions ?? []

/** What feeds the home and the charger, as the visit found and its record keeps it. */
const suppliesOf = ({ answers }: HandedOver): Row[] =>
  Object.entries({ supply: answers.agreedHouse, chargerSupply: answers.agreedSupply }).flatMap(
    ([name, found]) => {
      const question = questionOf('visit', name)
      const value = question && answerInWords(question, found)
      return question && value ? [{ label: question.label, value }] : []
    },
  )

function rowsOf({ answers }: HandedOver, section: string, isShown = (_: Question) => true): Row[] {
  return questionsOf(section).flatMap((question) => {
    if (!isShown(question)) return []
    const value = answerInWords(question, answers[question.name])
    return value !== null && isAsked(question, answers) ? [{ label: question.label, value }] : []
  })
}

/** With its reason, which says nothing once all is as agreed. Empty where nothing was, as in records of before quotes. */
function deviationsOf({ answers }: HandedOver): string[] {
  const { agreedBreaker, agreedConductor, deviationReason } = answers
  if (agreedConductor === undefined && agreedBreaker === undefined) return []
  const found = deviations(answers)
  if (found.length === 0) return ['El calibre y la pastilla son los que acordamos.']
  const why = typeof deviationReason === 'string' ? [`Por qué: ${deviationReason}`] : []
  return [...found.map(({ message }) => message), ...why]
}

function testsOf({ answers, attempts }: HandedOver): Handover['tests'] {
  const failed = new Set(failedTests(answers).map(({ name }) => name))
  return measurementsOf('installation').flatMap(({ help = null, label, name, ...question }) => {
    const value = answerInWords({ label, name, ...question }, answers[name])
    const made = attempts[name] && attemptWords('installation', name, answers, attempts[name])
    const limit = [help, made].filter(Boolean).join(' ')
    return value === null ? [] : [{ label, value, limit, passed: !failed.has(name) }]
  })
}

/** The existing pictures, in the order they are requested. */
const picturesOf = ({ pictures }: HandedOver, small: Asked['small']) =>
  Promise.all(
    slotsOf.installation
      .flatMap((slot) => pictures.filter((picture) => picture.slot === slot))
      .map(
        async (picture): Promise<PdfPicture & { slot: string }> => ({
          slot: picture.slot,
          sha256: picture.sha256,
          label: slotFacts('installation', picture.slot)?.label ?? picture.slot,
          taken: longDateTime(picture.capturedAt),
          bytes: await small(picture),
        }),
      ),
  )

const signerOf = (
  { slot }: { slot: string },
  { answers, technician }: HandedOver,
  credential: string | null,
) =>
  slot === 'signature_technician'
    ? { name: technician, credential }
    : { name: String(answers.customerName ?? ''), credential: null }

function faultLines({ baseUrl, settings: { support } }: Asked['house']) {
  return [
    'Si huele a quemado, ves chispas o la pastilla se baja una y otra vez: baja la pastilla «Cargador», no lo uses y llámanos.',
    `Durante tu garantía entra a ${baseUrl}/installation y elige «Reportar una falla»: dinos qué pasa y mándanos fotos.`,
    `También puedes llamar al ${formatPhone(support.phone)} o escribir a ${support.email} (${lowerFirst(support.hours)}).`,
  ]
}

/**
 * The data of a hand-over document, once the record is approved; null when the actor may not see it. An ally or a
 * gester has none.
 */
async function handedOver(db: Db, actor: Actor, id: string) {
  if (!isId(id) || !readsHandovers(actor)) return null
  const [row] = await db
    .select({
      folio: appointments.folio,
      projectId: appointments.projectId,
      startsAt: appointments.startsAt,
      address: appointments.address,
      startedAt: appointments.startedAt,
      finishedAt: appointments.finishedAt,
      warrantyUntil: sheets.warrantyUntil,
      customer: customer.fullName,
      technician: sql<string>`coalesce(${assignee.fullName}, '')`,
    })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(and(eq(appointments.id, id), isHandedOver, visibleTo(actor)))
  if (!row) return null
  const [answers, measured, history, pictures] = await Promise.all([
    answersOf(db, id),
    approvedVisit(db, row.projectId, row.startsAt).then((visit) => visit && answersOf(db, visit.id)),
    answerHistoryOf(db, id),
    db
      .select()
      .from(files)
      .where(and(eq(files.appointmentId, id), isNull(files.replacedAt), isNull(files.faultId))),
  ])
  return { ...row, answers, measured, attempts: attemptsIn('installation', history), pictures }
}

type HandedOver = NonNullable<Awaited<ReturnType<typeof handedOver>>>
