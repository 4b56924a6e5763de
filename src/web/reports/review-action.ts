import type { RouterContextProvider } from 'react-router'
import { answerInWords } from '../../domain/reports/answer-words.ts'
import { redoOf } from '../../domain/reports/answers.ts'
import { questionOf } from '../../domain/reports/progress.ts'
import { type Review, reviewInput } from '../../domain/reports/schema.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { type AnswerConflict, saveAnswers } from '../../server/reports/answers.ts'
import { sheetFor } from '../../server/reports/queries.ts'
import { approveSheet, returnSheet } from '../../server/reports/review.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { typedFor } from './typed-loads.ts'

const intents: readonly unknown[] = ['approve-sheet', 'return-sheet', 'correct-answer']

/** Whether a form is the office's, and not one of those by which the sheet is written. */
export async function isReview(request: Request): Promise<boolean> {
  if (/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) return false
  const sent = await formOf(request)
  return intents.includes(sent.get('intent'))
}

type Args = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

/** Approves a sheet, returns it, or puts one of its answers right. */
export const reviewAction = ({ request, context, params: { id } }: Args) =>
  submit(request, reviewInput, async (form) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const here = `/admin/appointments-done/${id}`
    switch (form.intent) {
      case 'approve-sheet':
        await approveSheet(database, actor, id, form.version, now)
        return toast(here, 'Aprobado', 'Ya se puede cotizar o cerrar con estos datos.')
      case 'return-sheet':
        await returnSheet(database, actor, id, { ...form, redo: redoOf(form) }, now)
        return toast(here, 'Lo devolviste', 'Le avisamos a su técnico por correo.')
      case 'correct-answer':
        await correct({ database, actor, id, now }, form)
        // Back to where it stands, with the focus.
        return toast(`${here}#${form.name}`, 'Respuesta corregida', 'Desde ahora cuenta la que escribiste.')
    }
  })

type By = {
  database: Parameters<typeof sheetFor>[0]
  actor: Parameters<typeof sheetFor>[1]
  id: string
  now: Date
}

async function correct(
  { database, actor, id, now }: By,
  form: Extract<Review, { intent: 'correct-answer' }>,
) {
  const sheet = (await sheetFor(database, actor, id)) ?? refuse('not-found')
  const question = questionOf(sheet.kind, form.name) ?? refuse('not-found')
  const value = typedFor(question, form as Record<string, string>)
  const change = { name: form.name, base: form.base, value, at: now }
  const { conflicts, refused } = await saveAnswers(database, actor, id, [change], now)
  if (refused[0])
    refuse('invalid-argument', refused[0].message, { errors: { [form.name]: refused[0].message } })
  if (conflicts[0]) overtaken(conflicts[0], answerInWords(question, conflicts[0].value))
}

/** Nothing is overwritten unseen: what stands now is told, and sending the form again goes over it. */
function overtaken({ at, by, name, revision }: AnswerConflict, stands: string | null): never {
  const words = `${by ?? 'Alguien más'} la cambió el ${dateTime(at)}: ahora dice «${stands ?? 'sin respuesta'}». Si la tuya es la buena, guárdala otra vez.`
  throw new Refusal('aborted', { description: words, details: { errors: { [name]: words }, base: revision } })
}
