import { randomUUID } from 'node:crypto'
import { ownFaults, reportFault } from '../../appointments/faults.ts'
import { appointmentsOfProject, completedInstallations } from '../../appointments/project-appointments.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { form } from '../../kit/submit.ts'
import { openProjectOf } from '../../projects/open-project.ts'
import { Refusal, refuse } from '../../shared/refusal.ts'
import { storeFile } from '../photo-upload.ts'
import { failedTestsOf } from '../prefilled.ts'
import { sheetFor } from '../queries.ts'
import { answerInWords } from '../rules/answer-words.ts'
import { faultSlots, isSignature } from '../rules/photos.ts'
import { questionOf } from '../rules/progress.ts'
import { faultInput } from '../rules/schema.ts'
import type { Feasibility } from '../rules/visit-report.ts'
import { isUnderWarranty } from '../rules/warranty.ts'

const here = '/installation'

/** Reports a fault, with a photo or without, or adds a photo to it. */
export const faultForms = (context: LoaderContext) => ({
  'report-fault': form(faultInput['report-fault'], async (input, { file }) => {
    const { db, actor, now } = signedIn(context)
    const photo = file('photo')
    await reportFault(db, actor, input, now)
    const lost = photo && (await keepPhoto(context, input, photo, now).catch(wordsOf))
    return redirectWithToast(here, 'Recibimos tu reporte', lost || 'Te llamamos cuanto antes.')
  }),
  'add-fault-photo': form(faultInput['add-fault-photo'], async (input, { file }) => {
    const photo =
      file('photo') ?? refuse('invalid-argument', undefined, { errors: { photo: 'Elige una foto.' } })
    await keepPhoto(context, input, photo, new Date())
    return redirectWithToast(here, 'Agregamos tu foto', 'Nuestro equipo ya la puede ver.')
  }),
})

/** The report is saved without its photo: the user reads that it is missing. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error
  return `Tu foto no se guardó. ${error.description}`
}

type Shown = { appointmentId: string; faultId: string; photoId: string }

async function keepPhoto(
  context: LoaderContext,
  { appointmentId, faultId, photoId }: Shown,
  photo: File,
  now: Date,
) {
  const { db, actor, drive } = signedIn(context)
  const fault = (await ownFaults(db, actor, appointmentId)).find(({ id }) => id === faultId)
  if (!fault) return refuse('not-found')
  const again = fault.photos.find(({ id }) => id === photoId)
  const slot = again?.slot ?? faultSlots.find((one) => !fault.photos.some((taken) => taken.slot === one))
  if (!slot) return refuse('failed-precondition', `Ya hay ${faultSlots.length} fotos de esta falla.`)
  const incoming = {
    id: photoId,
    appointmentId,
    faultId,
    slot,
    sha256: null,
    capturedAt: now,
    keptBecause: null,
  }
  await storeFile(db, drive, actor, { ...incoming, body: photo.stream() }, now)
}

export type Installed = NonNullable<Awaited<ReturnType<typeof installedBy>>>

/** What a customer's page shows of each charger that was installed, of all projects, the newest first. */
export async function ownInstalled(context: LoaderContext): Promise<Installed[]> {
  const { db, actor } = signedIn(context)
  const done = await completedInstallations(db, actor)
  const installed = await Promise.all(done.map(({ id, startsAt }) => installedBy(context, id, startsAt)))
  return installed.filter((one) => one !== null)
}

/** The last one, for a customer's home; null where nothing was installed yet. */
export async function newestInstalled(context: LoaderContext): Promise<Installed | null> {
  const { db, actor } = signedIn(context)
  const [newest] = await completedInstallations(db, actor)
  return newest ? installedBy(context, newest.id, newest.startsAt) : null
}

/** A charger: its papers, its warranty and what was reported; null where nothing was written of it. */
async function installedBy(context: LoaderContext, appointmentId: string, installedAt: Date) {
  const { db, actor, now } = signedIn(context)
  const [sheet, faults] = await Promise.all([
    sheetFor(db, actor, appointmentId),
    ownFaults(db, actor, appointmentId),
  ])
  if (!sheet) return null
  const said = (name: string) => {
    const value = sheet.answers[name]?.value
    return typeof value === 'string' ? value : null
  }
  return {
    appointmentId: sheet.appointmentId,
    installedAt,
    brand: said('chargerBrand'),
    model: said('chargerModel'),
    serial: said('chargerSerial'),
    files: sheet.files,
    isApproved: sheet.state === 'approved',
    warrantyUntil: sheet.warrantyUntil,
    mayReport: isUnderWarranty(sheet.warrantyUntil, now),
    faults,
    // Made here and kept by the forms: sent twice, it creates one report and one photo.
    ids: { faultId: randomUUID(), photoId: randomUUID() },
  }
}

/** Whether a customer's last installation failed a test and was left so: their charger is not to be used. */
export async function isLeftUnsafe(context: LoaderContext): Promise<boolean> {
  const { db, actor } = signedIn(context)
  const project = await openProjectOf(db, actor)
  const all = project ? await appointmentsOfProject(db, actor.id, project.id) : []
  const last = all.find(({ service, state }) => service === 'installation' && state === 'done')
  if (!project || !last || last.outcome === null || last.outcome === 'completed') return false
  return (await failedTestsOf(db, { ...last, projectId: project.id })).length > 0
}

export type OwnReport = NonNullable<Awaited<ReturnType<typeof ownReport>>>

/** What was found, as far as its customer reads it: the questions are asked in a technician's words. */
const foundLabels = {
  supply: 'Tu suministro de CFE',
  mainBreaker: 'Tu pastilla principal',
  groundOk: 'Tierra física en buen estado',
  chargerDistance: 'Cable del tablero al cargador',
  route: 'Cómo irá el cable',
  chargerKilowatts: 'Potencia del cargador',
  meterChoice: 'Medidor',
  hours: 'Duración de la instalación',
}

/** The customer's part of the report of the last completed visit; null before it was sent. */
export async function ownReport(context: LoaderContext) {
  const { db, actor } = signedIn(context)
  const project = await openProjectOf(db, actor)
  const all = project ? await appointmentsOfProject(db, actor.id, project.id) : []
  const done = all.find(({ outcome, service }) => service === 'technical_visit' && outcome === 'completed')
  const sheet = done && (await sheetFor(db, actor, done.id))
  if (!sheet) return null
  const value = (name: string) => sheet.answers[name]?.value ?? null
  return {
    isReviewed: sheet.state === 'approved',
    found: Object.entries(foundLabels).flatMap(([name, term]) => {
      const question = questionOf('visit', name)
      return question ? [{ term, value: answerInWords(question, value(name)) }] : []
    }),
    feasibility: value('feasibility') as Feasibility | null,
    reason: value('feasibilityReason') as string | null,
    needs: {
      loadIncrease: value('loadIncrease') === true,
      needsUvie: value('needsUvie') === true,
      needsPermit: value('needsPermit') === true,
    },
    photos: sheet.files.filter(({ slot }) => !isSignature(slot)),
  }
}
