import type { RouterContextProvider } from 'react-router'
import { faultSlots } from '../../domain/reports/photos.ts'
import { faultInput } from '../../domain/reports/schema.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { db, drive } from '../../server/app/context.ts'
import { storeFile } from '../../server/platform/storage/intake.ts'
import { reportFault } from '../../server/reports/changes.ts'
import { ownFaults } from '../../server/reports/faults-queries.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'
import { form } from '../lib/submit.ts'

type Context = Readonly<RouterContextProvider>
const here = '/installation'

/** Reports a fault, with a photo or without, or adds a photo to it. */
export const faultForms = (context: Context) => ({
  'report-fault': form(faultInput['report-fault'], async (input, { file }) => {
    const [photo, now] = [file('photo'), new Date()]
    await reportFault(context.get(db), someone(context), input, now)
    const lost = photo && (await keepPhoto(context, input, photo, now).catch(wordsOf))
    return toast(here, 'Recibimos tu reporte', lost || 'Te llamamos cuanto antes.')
  }),
  'add-fault-photo': form(faultInput['add-fault-photo'], async (input, { file }) => {
    const photo =
      file('photo') ?? refuse('invalid-argument', undefined, { errors: { photo: 'Elige una foto.' } })
    await keepPhoto(context, input, photo, new Date())
    return toast(here, 'Agregamos tu foto', 'Nuestro equipo ya la puede ver.')
  }),
})

/** The report stands without its photo: it is told that it is missing. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error
  return `Tu foto no se guardó. ${error.description}`
}

type Shown = { appointmentId: string; faultId: string; photoId: string }

async function keepPhoto(
  context: Context,
  { appointmentId, faultId, photoId }: Shown,
  photo: File,
  now: Date,
) {
  const [database, actor] = [context.get(db), someone(context)]
  const fault = (await ownFaults(database, actor, appointmentId)).find(({ id }) => id === faultId)
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
  await storeFile(database, context.get(drive), actor, { ...incoming, body: photo.stream() }, now)
}
