import { randomUUID } from 'node:crypto'
import { type RouterContextProvider, redirect } from 'react-router'
import { z } from 'zod'
import { refuse } from '../../domain/shared/refusal.ts'
import { anyText, optionalText } from '../../domain/shared/schema.ts'
import { db, drive } from '../../server/app/context.ts'
import { storeFile } from '../../server/platform/storage/intake.ts'
import { sheetFor } from '../../server/reports/queries.ts'
import { someone } from '../lib/someone.ts'
import { sectionPath, sectionWith } from './sheet-path.ts'

/** The form of a photo, or of the photo of a signed paper, as a page without JavaScript sends it. */
export const photoInput = z.object({
  intent: z.literal('photo'),
  slot: anyText(40),
  keptBecause: optionalText(300),
})

type Photo = z.output<typeof photoInput> & { picture: FormDataEntryValue | null }

/** Keeps a picture in its slot, and goes on to where it is shown; `here` is the screen of its appointment. */
export async function keepPicture(
  context: Readonly<RouterContextProvider>,
  id: string,
  { slot, keptBecause, picture }: Photo,
  here: string,
): Promise<Response> {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const sheet = (await sheetFor(database, actor, id)) ?? refuse('not-found')
  if (!(picture instanceof File) || picture.size === 0)
    return refuse('invalid-argument', 'No llegó ninguna foto.', { errors: { photo: 'Elige una foto.' } })
  const incoming = { id: randomUUID(), appointmentId: id, slot, keptBecause, capturedAt: now, sha256: null }
  await storeFile(database, context.get(drive), actor, { ...incoming, body: picture.stream() }, now)
  const section = sectionWith(sheet.kind, slot)
  return redirect(section ? `${here}${sectionPath(section.id, slot)}` : here, 303)
}
